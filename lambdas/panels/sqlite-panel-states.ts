import { toJson } from '../store/packed.ts';
import type { StateFile } from '../store/sqlite-file.ts';
import { byBeginning } from './by-beginning.ts';
import { holdingsOf } from './holdings-of.ts';
import type { PanelStateStore, VersionKey } from './panel-state-store.ts';
import { openPanelStateAccess, type PanelStateAccess, type Row } from './sqlite-access.ts';
import { packEntities, unpackEntities } from './state-entity.ts';
import { isValidAt } from './valid-at.ts';
import {
  type Holding,
  holdingSchema,
  type SignOff,
  signOffSchema,
  summarySchema,
  type VersionState,
  type VersionSummary,
} from './version-state.ts';

interface SqlitePanelStatesOptions {
  readonly file: StateFile;
  readonly catalogue: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Days for which states that are not the newest of their panel are kept after they ended; without end where absent. */
  readonly retentionDays?: number;
}

const DAY_MICROSECONDS = 86_400_000_000;

/** The states of the panels of one catalogue, in the state file of a local run. */
export function createSqlitePanelStates(options: SqlitePanelStatesOptions): PanelStateStore {
  const access = openPanelStateAccess(options.file, options.catalogue);
  const rows = createStateRows(access);
  const { holdings, replace } = createSqliteHoldings(access);
  return {
    ...createReading(access, rows),
    ...createWriting(access, { ...options, rows, replaceHoldings: replace }),
    ...createSqliteSignOffs(access),
    holdings,
  };
}

/** Writes what the newest state of each panel holds, where no write of a state did so. */
export function writeHoldings(file: StateFile, catalogue: string): void {
  const access = openPanelStateAccess(file, catalogue);
  const { newestState } = createStateRows(access);
  const { replace } = createSqliteHoldings(access);
  for (const { panel } of access
    .prepare('SELECT DISTINCT panel FROM panel_state WHERE catalogue = ?')
    .all(catalogue)) {
    const newest = newestState(Number(panel));
    if (newest) replace(newest);
  }
}

/** How states are found and read; within an attempt. */
interface StateRows {
  summaryIn(row: Row): VersionSummary;
  stateIn(row: Row | undefined): VersionState | null;
  exactly(key: VersionKey): Row | undefined;
  /** The last version that began until an instant, in microseconds. */
  newestOf(panelId: number, until?: number): VersionSummary | undefined;
  newestState(panelId: number): VersionState | null;
}

function createStateRows({ catalogue, prepare, parsed }: PanelStateAccess): StateRows {
  const summaryOf = parseOnce((summary): VersionSummary => summarySchema.parse(JSON.parse(summary)));
  const summaryIn: StateRows['summaryIn'] = (row) => parsed(() => summaryOf(String(row.summary)));
  const stateIn: StateRows['stateIn'] = (row) =>
    row ? parsed(() => ({ ...summaryIn(row), entities: unpackEntities(row.entities as Uint8Array) })) : null;
  const exactly: StateRows['exactly'] = ({ panelId, version, validFrom }) =>
    prepare(
      'SELECT summary, entities FROM panel_state WHERE catalogue = ? AND panel = ? AND version = ? AND valid_from = ?',
    ).get(catalogue, panelId, version, Number(validFrom));
  const newestOf: StateRows['newestOf'] = (panelId, until = Number.MAX_SAFE_INTEGER) =>
    prepare(
      `SELECT summary FROM panel_state WHERE catalogue = ? AND panel = ? AND valid_from =
       (SELECT max(valid_from) FROM panel_state WHERE catalogue = ? AND panel = ? AND valid_from <= ?)`,
    )
      .all(catalogue, panelId, catalogue, panelId, until)
      .map(summaryIn)
      .sort(byBeginning)
      .at(-1);
  const newestState: StateRows['newestState'] = (panelId) => {
    const newest = newestOf(panelId);
    return newest ? stateIn(exactly(newest)) : null;
  };
  return { summaryIn, stateIn, exactly, newestOf, newestState };
}

type Reading = Pick<PanelStateStore, 'find' | 'read' | 'at' | 'newest' | 'versions' | 'panels'>;

function createReading(
  { catalogue, prepare, attempt }: PanelStateAccess,
  { summaryIn, stateIn, exactly, newestOf, newestState }: StateRows,
): Reading {
  return {
    find: (panelId, version) =>
      attempt('Reading', () =>
        stateIn(
          prepare(
            'SELECT summary, entities FROM panel_state WHERE catalogue = ? AND panel = ? AND version = ? ORDER BY valid_from DESC LIMIT 1',
          ).get(catalogue, panelId, version),
        ),
      ),
    read: (key) => attempt('Reading', () => stateIn(exactly(key))),
    at: (panelId, instant) =>
      attempt('Reading', () => {
        const newest = newestOf(panelId, Number(instant));
        return newest && isValidAt(newest, instant) ? stateIn(exactly(newest)) : null;
      }),
    newest: (panelId) => attempt('Reading', () => newestState(panelId)),
    versions: (panelId) =>
      attempt('Reading', () =>
        prepare('SELECT summary FROM panel_state WHERE catalogue = ? AND panel = ? ORDER BY valid_from')
          .all(catalogue, panelId)
          .map(summaryIn)
          .sort(byBeginning),
      ),
    panels: () =>
      attempt('Reading', () => {
        const newest = prepare(
          `SELECT state.panel AS panel, summary FROM panel_state AS state JOIN
           (SELECT panel, max(valid_from) AS begun FROM panel_state WHERE catalogue = ? GROUP BY panel) AS last
           ON state.panel = last.panel AND state.valid_from = last.begun WHERE catalogue = ? ORDER BY state.panel`,
        ).all(catalogue, catalogue);
        const panels = Map.groupBy(newest.map(summaryIn), ({ panelId }) => panelId);
        return [...panels.values()].flatMap((versions) => versions.sort(byBeginning).at(-1) ?? []);
      }),
  };
}

interface WritingParts extends Pick<SqlitePanelStatesOptions, 'now' | 'retentionDays'> {
  readonly rows: StateRows;
  readonly replaceHoldings: (state: VersionState) => void;
}

function createWriting(
  { catalogue, prepare, write }: PanelStateAccess,
  { rows: { summaryIn, exactly, newestOf, newestState }, replaceHoldings, now, retentionDays }: WritingParts,
): Pick<PanelStateStore, 'save' | 'note'> {
  const removeOld = (panelId: number): void => {
    if (retentionDays === undefined) return;
    const oldest = now() * 1000 - retentionDays * DAY_MICROSECONDS;
    prepare(
      `DELETE FROM panel_state WHERE catalogue = ? AND panel = ? AND valid_to < ?
       AND valid_from < (SELECT max(valid_from) FROM panel_state WHERE catalogue = ? AND panel = ?)
       AND version NOT IN (SELECT version FROM panel_sign_off WHERE catalogue = ? AND panel = ?)`,
    ).run(catalogue, panelId, oldest, catalogue, panelId, catalogue, panelId);
  };
  type Key = readonly [catalogue: string, panel: number, version: string, validFrom: number];
  const update = (key: Key, summary: VersionSummary): void => {
    prepare(
      'UPDATE panel_state SET summary = ?, valid_to = ? WHERE catalogue = ? AND panel = ? AND version = ? AND valid_from = ?',
    ).run(toJson(summary), microseconds(summary.validTo), ...key);
  };
  return {
    save: (state) =>
      write(() => {
        const { entities, ...summary } = state;
        const { panelId, version, validFrom, validTo } = summary;
        const before = newestOf(panelId);
        const key = [catalogue, panelId, version, Number(validFrom)] as const;
        const kept = prepare(
          'SELECT summary FROM panel_state WHERE catalogue = ? AND panel = ? AND version = ? AND valid_from = ?',
        ).get(...key);
        // A version that ended without another change is packed already.
        if (kept && summaryIn(kept).sha256 === summary.sha256) update(key, summary);
        else
          prepare(
            `INSERT INTO panel_state (catalogue, panel, version, valid_from, valid_to, summary, entities) VALUES (?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT DO UPDATE SET valid_to = excluded.valid_to, summary = excluded.summary, entities = excluded.entities`,
          ).run(...key, microseconds(validTo), toJson(summary), packEntities(entities));
        const newest = newestOf(panelId);
        if (isSame(newest, summary)) replaceHoldings(state);
        else if (!isSame(newest, before)) replaceNewestHoldings(panelId);
        removeOld(panelId);
      }),
    note: (key, change) =>
      write(() => {
        const row = exactly(key);
        if (!row) return;
        const summary = { ...summaryIn(row), ...change };
        const { panelId, version, validFrom } = summary;
        const before = newestOf(panelId);
        update([catalogue, panelId, version, Number(validFrom)], summary);
        if (!isSame(newestOf(panelId), before)) replaceNewestHoldings(panelId);
      }),
  };

  function replaceNewestHoldings(panelId: number): void {
    const newest = newestState(panelId);
    if (newest) replaceHoldings(newest);
  }
}

const microseconds = (instant: bigint | null): number | null => (instant === null ? null : Number(instant));

const isSame = (one: VersionSummary | undefined, other: VersionSummary | undefined): boolean =>
  one?.version === other?.version && one?.validFrom === other?.validFrom;

/** Which panels hold an entity, in the state file of a local run. */
interface SqliteHoldings extends Pick<PanelStateStore, 'holdings'> {
  /** Writes what the newest state of a panel holds otherwise than the one before it; within a transaction. */
  replace(state: VersionState): void;
}

/** Creates the part of the store that finds the panels of an entity, by what the newest states hold. */
function createSqliteHoldings({ catalogue, prepare, attempt, parsed }: PanelStateAccess): SqliteHoldings {
  const holdingIn = (row: Row): Holding =>
    parsed(() =>
      holdingSchema.parse({
        panelId: row.panel,
        type: row.type,
        name: row.name,
        hgncId: row.hgnc_id,
        rating: row.rating,
      }),
    );
  return {
    replace(state) {
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
    holdings: (identity) =>
      attempt('Reading', () =>
        prepare('SELECT * FROM panel_holding WHERE catalogue = ? AND identity = ? ORDER BY panel')
          .all(catalogue, identity)
          .map(holdingIn),
      ),
  };
}

/** The sign-offs of the panels of one catalogue, in the state file of a local run. */
function createSqliteSignOffs({
  catalogue,
  prepare,
  attempt,
  write,
  parsed,
}: PanelStateAccess): Pick<PanelStateStore, 'saveSignOffs' | 'signOffs'> {
  const signOffIn = parseOnce((value): SignOff => signOffSchema.parse(JSON.parse(value)));
  return {
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

/** So many texts are remembered: the newest versions of twice as many panels as the largest catalogue has. */
const MAX_TEXTS = 1000;

/**
 * Returns what parses a text, and remembers what it parsed: each run reads the same summaries of hundreds of panels, of which
 * few have changed since. What it returns must not be changed.
 */
function parseOnce<Value>(parse: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = parse(text);
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, value);
    return value;
  };
}
