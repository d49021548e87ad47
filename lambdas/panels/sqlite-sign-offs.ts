import { toJson } from '../store/to-json.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { parseOnce } from './parse-once.ts';
import type { PanelStateAccess } from './sqlite-access.ts';
import { type SignOff, signOffSchema } from './version-state.ts';

/** The sign-offs of the panels of one catalogue, in the state file of a local run. */
export function createSqliteSignOffs({
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
        const insert = prepare('INSERT OR REPLACE INTO panel_sign_off VALUES (?, ?, ?, ?, ?)');
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
