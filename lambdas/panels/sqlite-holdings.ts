import { holdingsOf } from './holdings-of.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import type { PanelStateAccess, Row } from './sqlite-access.ts';
import { type Holding, holdingSchema, type VersionState } from './version-state.ts';

/** Which panels hold an entity, in the state file of a local run. */
interface SqliteHoldings extends Pick<PanelStateStore, 'holdings'> {
  /** Writes what the newest state of a panel holds otherwise than the one before it; within a transaction. */
  replace(state: VersionState): void;
}

/** Creates the part of the store that finds the panels of an entity, by what the newest states hold. */
export function createSqliteHoldings({
  catalogue,
  prepare,
  attempt,
  parsed,
}: PanelStateAccess): SqliteHoldings {
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
