import { onceForText } from '../run/once-for-text.ts';
import { toJson } from '../store/packed.ts';
import type { StateFile } from '../store/sqlite-file.ts';
import { holdingsOf } from './holdings-of.ts';
import {
  createPanelStates,
  newestOf,
  type PanelStateStore,
  type StateRows,
  type VersionKey,
  type WantedVersions,
} from './panel-state-store.ts';
import { openPanelStateAccess, type PanelStateAccess, type Row } from './sqlite-access.ts';
import { packEntities, unpackEntities } from './state-entity.ts';
import { holdingSchema, signOffSchema, summarySchema, type VersionState } from './version-state.ts';

interface SqlitePanelStatesOptions {
  readonly file: StateFile;
  readonly catalogue: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Days for which states that are not the newest of their panel are kept after they ended; without end where absent. */
  readonly retentionDays?: number | undefined;
}

/** The states of the panels of one catalogue, in the state file of a local run. */
export const createSqlitePanelStates = (options: SqlitePanelStatesOptions): PanelStateStore =>
  createPanelStates(createStateRows(openPanelStateAccess(options.file, options.catalogue)), options);

/** Writes what the newest state of each panel holds, where no write of a state did so. */
export function writeHoldings(file: StateFile, catalogue: string): void {
  const access = openPanelStateAccess(file, catalogue);
  const { versions, read, replaceHoldings } = createStatements(access);
  const panels = access.prepare('SELECT DISTINCT panel FROM panel_state WHERE catalogue = ?');
  for (const { panel } of panels.all(catalogue)) {
    const newest = newestOf(versions(Number(panel), { lastUntil: null }));
    const state = newest && read(newest);
    if (state) replaceHoldings(state);
  }
}

/** The newest versions of twice as many panels as the largest catalogue has: few of them change between two runs. */
const MOST_TEXTS = 1000;

const OF_PANEL = 'FROM panel_state WHERE catalogue = ? AND panel = ?';
const OF_VERSION = 'WHERE catalogue = ? AND panel = ? AND version = ? AND valid_from = ?';

/** How states are read and written, within an attempt. */
function createStatements({ catalogue, prepare, parsed }: PanelStateAccess) {
  const summaryOf = onceForText(MOST_TEXTS, (summary) => summarySchema.parse(JSON.parse(summary)));
  const summaryIn = (row: Row) => parsed(() => summaryOf(String(row.summary)));
  const keyOf = ({ panelId, version, validFrom }: VersionKey) =>
    [catalogue, panelId, version, Number(validFrom)] as const;
  const rowOf = (key: VersionKey): Row | undefined =>
    prepare(`SELECT summary, entities FROM panel_state ${OF_VERSION}`).get(...keyOf(key));
  const wantedRows = (panelId: number, wanted: WantedVersions): readonly Row[] => {
    if (wanted === 'all') return prepare(`SELECT summary ${OF_PANEL}`).all(catalogue, panelId);
    if ('version' in wanted)
      return prepare(`SELECT summary ${OF_PANEL} AND version = ?`).all(catalogue, panelId, wanted.version);
    return prepare(
      `SELECT summary ${OF_PANEL} AND valid_from = (SELECT max(valid_from) ${OF_PANEL} AND valid_from <= ?)`,
    ).all(catalogue, panelId, catalogue, panelId, Number(wanted.lastUntil ?? Number.MAX_SAFE_INTEGER));
  };
  return {
    summaryIn,
    keyOf,
    versions: (panelId: number, wanted: WantedVersions) => wantedRows(panelId, wanted).map(summaryIn),
    summary(key: VersionKey) {
      const row = rowOf(key);
      return row ? summaryIn(row) : null;
    },
    read(key: VersionKey): VersionState | null {
      const row = rowOf(key);
      return row
        ? parsed(() => ({ ...summaryIn(row), entities: unpackEntities(row.entities as Uint8Array) }))
        : null;
    },
    /** Writes what a state holds otherwise than the one before it. */
    replaceHoldings(state: VersionState) {
      const rows = prepare(
        'SELECT identity, type, name, hgnc_id, rating FROM panel_holding WHERE catalogue = ? AND panel = ?',
      ).all(catalogue, state.panelId);
      const kept = new Map(rows.map((row) => [String(row.identity), row]));
      const insert = prepare('INSERT OR REPLACE INTO panel_holding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
      for (const [identity, { panelId, type, name, hgncId, rating }] of holdingsOf(state)) {
        const before = kept.get(identity);
        kept.delete(identity);
        const isSame =
          before?.type === type &&
          before.name === name &&
          before.hgnc_id === hgncId &&
          before.rating === rating;
        if (isSame) continue;
        const { panelName, version } = state;
        insert.run(catalogue, identity, panelId, panelName, version, type, name, hgncId, rating);
      }
      const remove = prepare('DELETE FROM panel_holding WHERE catalogue = ? AND identity = ? AND panel = ?');
      for (const identity of kept.keys()) remove.run(catalogue, identity, state.panelId);
    },
  };
}

function createStateRows(access: PanelStateAccess): StateRows {
  const { catalogue, prepare, attempt, write, parsed } = access;
  const { summaryIn, keyOf, versions, summary, read, replaceHoldings } = createStatements(access);
  const signOffIn = onceForText(MOST_TEXTS, (value) => signOffSchema.parse(JSON.parse(value)));
  return {
    versions: (panelId, wanted) => attempt('Reading', () => versions(panelId, wanted)),
    read: (key) => attempt('Reading', () => read(key)),
    write: (key, decide) =>
      write(() => {
        const kept = { replaced: summary(key), newest: versions(key.panelId, { lastUntil: null }) };
        const change = decide(kept);
        if (!change) return;
        const validTo = change.summary.validTo === null ? null : Number(change.summary.validTo);
        const values = [validTo, toJson(change.summary)] as const;
        if (change.entities)
          prepare(
            `INSERT INTO panel_state (catalogue, panel, version, valid_from, valid_to, summary, entities) VALUES (?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to, summary = excluded.summary, entities = excluded.entities`,
          ).run(...keyOf(key), ...values, packEntities(change.entities));
        else
          prepare(`UPDATE panel_state SET valid_to = ?, summary = ? ${OF_VERSION}`).run(
            ...values,
            ...keyOf(key),
          );
        const { holds } = change;
        const state = holds && ('entities' in holds ? holds : read(holds));
        if (state) replaceHoldings(state);
      }),
    remove: (removed) =>
      write(() => {
        for (const key of removed) prepare(`DELETE FROM panel_state ${OF_VERSION}`).run(...keyOf(key));
      }),
    panels: () =>
      attempt('Reading', () => {
        const newest = prepare(
          `SELECT state.panel AS panel, summary FROM panel_state AS state JOIN
           (SELECT panel, max(valid_from) AS begun FROM panel_state WHERE catalogue = ? GROUP BY panel) AS last
           ON state.panel = last.panel AND state.valid_from = last.begun WHERE catalogue = ? ORDER BY state.panel`,
        ).all(catalogue, catalogue);
        const panels = Map.groupBy(newest.map(summaryIn), ({ panelId }) => panelId);
        return [...panels.values()].flatMap((begun) => newestOf(begun) ?? []);
      }),
    holdings: (identity) =>
      attempt('Reading', () =>
        prepare(
          'SELECT panel AS panelId, type, name, hgnc_id AS hgncId, rating FROM panel_holding WHERE catalogue = ? AND identity = ? ORDER BY panel',
        )
          .all(catalogue, identity)
          .map((row) => parsed(() => holdingSchema.parse(row))),
      ),
    saveSignOffs: (signOffs) =>
      write(() => {
        const insert = prepare(
          'INSERT INTO panel_sign_off VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        );
        for (const one of signOffs) insert.run(catalogue, one.panelId, one.version, one.date, toJson(one));
      }),
    signOffs: (panelId) =>
      attempt('Reading', () => {
        const wanted = panelId === undefined ? '' : 'AND panel = ?';
        const rows = prepare(
          `SELECT value FROM panel_sign_off WHERE catalogue = ? ${wanted} ORDER BY panel, date, version`,
        ).all(catalogue, ...(panelId === undefined ? [] : [panelId]));
        return rows.map((row) => parsed(() => signOffIn(String(row.value))));
      }),
  };
}
