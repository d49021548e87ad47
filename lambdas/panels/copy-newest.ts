import type { PanelStateStore } from './panel-state-store.ts';
import type { VersionSummary } from './version-state.ts';

/** States that are read at the same time. */
const AT_ONCE = 8;

/**
 * Copies the newest state of each panel, where the copy has another one, and all sign-offs.
 * @throws {StateError} when a store cannot be read or written
 */
export async function copyNewestStates(
  from: Pick<PanelStateStore, 'panels' | 'newest' | 'signOffs'>,
  to: Pick<PanelStateStore, 'panels' | 'save' | 'saveSignOffs'>,
): Promise<void> {
  const kept = new Map((await to.panels()).map((summary) => [summary.panelId, textOf(summary)]));
  const changed = (await from.panels()).filter((summary) => kept.get(summary.panelId) !== textOf(summary));
  for (let start = 0; start < changed.length; start += AT_ONCE) {
    const group = changed.slice(start, start + AT_ONCE);
    const states = await Promise.all(group.map(({ panelId }) => from.newest(panelId)));
    for (const state of states) if (state) await to.save(state);
  }
  await to.saveSignOffs(await from.signOffs());
}

const textOf = (summary: VersionSummary): string =>
  JSON.stringify(summary, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
