import type { SQLOutputValue } from 'node:sqlite';
import { damagedState } from '../state/damaged-state.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import { sqliteProblem } from '../state/sqlite-problem.ts';
import { StateError } from '../state/state-error.ts';
import { toJson } from '../state/to-json.ts';
import { byBeginning } from './by-beginning.ts';
import { holdingsOf } from './holdings-of.ts';
import { packEntities, unpackEntities } from './packed-entities.ts';
import type { PanelStateStore, VersionKey } from './panel-state-store.ts';
import { preparePanelStateTables } from './sqlite-schema.ts';
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

type Row = Readonly<Record<string, SQLOutputValue>>;

const DAY_MICROSECONDS = 86_400_000_000;

const isSame = (one: VersionSummary | undefined, other: VersionSummary | undefined): boolean =>
  one?.version === other?.version && one?.validFrom === other?.validFrom;

/** The states of the panels of one catalogue, in the state file of a local run. */
export function createSqlitePanelStates(options: SqlitePanelStatesOptions): PanelStateStore {
  const { file, catalogue, now, retentionDays } = options;
  const { database, path, transaction } = file;

  const attempt = async <Value>(action: 'Reading' | 'Writing', work: () => Value): Promise<Value> => {
    try {
      return work();
    } catch (cause) {
      if (cause instanceof StateError) throw cause;
      const { code, seen, remedy } = sqliteProblem(cause);
      const what = `${action} the panel states of catalogue "${catalogue}" in ${path}`;
      throw new StateError(code, `${what}: ${seen}. ${remedy}`, { cause });
    }
  };
  const parsed = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      const what = `a panel state of catalogue "${catalogue}" in ${path}`;
      throw damagedState(what, cause, 'Restore a copy of the directory.');
    }
  };
  const prepare = (sql: string) => {
    preparePanelStateTables(database);
    return database.prepare(sql);
  };
  const summaryIn = (row: Row): VersionSummary =>
    parsed(() => summarySchema.parse(JSON.parse(String(row.summary))));
  const stateIn = (row: Row | undefined): VersionState | null =>
    row ? parsed(() => ({ ...summaryIn(row), entities: unpackEntities(row.entities as Uint8Array) })) : null;

  /** The last version that began until an instant, in microseconds. */
  const newestOf = (panelId: number, until = Number.MAX_SAFE_INTEGER): VersionSummary | undefined =>
    prepare(
      `SELECT summary FROM panel_state WHERE catalogue = ? AND panel = ? AND valid_from =
       (SELECT max(valid_from) FROM panel_state WHERE catalogue = ? AND panel = ? AND valid_from <= ?)`,
    )
      .all(catalogue, panelId, catalogue, panelId, until)
      .map(summaryIn)
      .sort(byBeginning)
      .at(-1);
  const exactly = ({ panelId, version, validFrom }: VersionKey): Row | undefined =>
    prepare(
      'SELECT summary, entities FROM panel_state WHERE catalogue = ? AND panel = ? AND version = ? AND valid_from = ?',
    ).get(catalogue, panelId, version, Number(validFrom));

  const newestState = (panelId: number): VersionState | null => {
    const newest = newestOf(panelId);
    return newest ? stateIn(exactly(newest)) : null;
  };

  const replaceHoldings = (state: VersionState): void => {
    const { panelName, version } = state;
    prepare('DELETE FROM panel_holding WHERE catalogue = ? AND panel = ?').run(catalogue, state.panelId);
    const insert = prepare('INSERT INTO panel_holding VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    for (const [identity, holding] of holdingsOf(state)) {
      const { panelId, type, name, hgncId, rating } = holding;
      insert.run(catalogue, identity, panelId, panelName, version, type, name, hgncId, rating);
    }
  };

  const replaceNewestHoldings = (panelId: number): void => {
    const newest = newestState(panelId);
    if (newest) replaceHoldings(newest);
  };

  const removeOld = (panelId: number): void => {
    if (retentionDays === undefined) return;
    const oldest = now() * 1000 - retentionDays * DAY_MICROSECONDS;
    prepare(
      `DELETE FROM panel_state WHERE catalogue = ? AND panel = ? AND valid_to < ?
       AND valid_from < (SELECT max(valid_from) FROM panel_state WHERE catalogue = ? AND panel = ?)
       AND version NOT IN (SELECT version FROM panel_sign_off WHERE catalogue = ? AND panel = ?)`,
    ).run(catalogue, panelId, oldest, catalogue, panelId, catalogue, panelId);
  };

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
    save: ({ entities, ...summary }) =>
      attempt('Writing', () =>
        transaction(() => {
          const { panelId, version, validFrom, validTo } = summary;
          const before = newestOf(panelId);
          prepare(
            'INSERT OR REPLACE INTO panel_state (catalogue, panel, version, valid_from, valid_to, summary, entities) VALUES (?, ?, ?, ?, ?, ?, ?)',
          ).run(
            catalogue,
            panelId,
            version,
            Number(validFrom),
            validTo === null ? null : Number(validTo),
            toJson(summary),
            packEntities(entities),
          );
          const newest = newestOf(panelId);
          if (newest && (isSame(newest, summary) || !isSame(newest, before))) replaceNewestHoldings(panelId);
          removeOld(panelId);
        }),
      ),
    note: (key, change) =>
      attempt('Writing', () =>
        transaction(() => {
          const row = exactly(key);
          if (!row) return;
          const summary = { ...summaryIn(row), ...change };
          const { panelId, version, validFrom, validTo } = summary;
          const before = newestOf(panelId);
          prepare(
            'UPDATE panel_state SET summary = ?, valid_to = ? WHERE catalogue = ? AND panel = ? AND version = ? AND valid_from = ?',
          ).run(
            toJson(summary),
            validTo === null ? null : Number(validTo),
            catalogue,
            panelId,
            version,
            Number(validFrom),
          );
          if (!isSame(newestOf(panelId), before)) replaceNewestHoldings(panelId);
        }),
      ),
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
      attempt('Reading', () =>
        prepare('SELECT DISTINCT panel FROM panel_state WHERE catalogue = ? ORDER BY panel')
          .all(catalogue)
          .flatMap(({ panel }) => newestOf(Number(panel)) ?? []),
      ),
    holdings: (identity) =>
      attempt('Reading', () =>
        prepare('SELECT * FROM panel_holding WHERE catalogue = ? AND identity = ? ORDER BY panel')
          .all(catalogue, identity)
          .map(holdingIn),
      ),
    saveSignOffs: (signOffs) =>
      attempt('Writing', () =>
        transaction(() => {
          const insert = prepare('INSERT OR REPLACE INTO panel_sign_off VALUES (?, ?, ?, ?, ?)');
          for (const one of signOffs) insert.run(catalogue, one.panelId, one.version, one.date, toJson(one));
        }),
      ),
    signOffs: (panelId) =>
      attempt('Reading', () => {
        const wanted = panelId === undefined ? '' : 'AND panel = ?';
        const rows = prepare(
          `SELECT value FROM panel_sign_off WHERE catalogue = ? ${wanted} ORDER BY panel, date, version`,
        ).all(catalogue, ...(panelId === undefined ? [] : [panelId]));
        return rows.map((row): SignOff => parsed(() => signOffSchema.parse(JSON.parse(String(row.value)))));
      }),
  };
}
