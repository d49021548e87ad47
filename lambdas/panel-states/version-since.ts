import { parseInstant } from '../clock/instant.ts';
import { isBeforeVersion } from '../events/panel-version.ts';
import type { History } from '../history/history.ts';
import type { VersionSummary } from './version-state.ts';

/** Published events of every catalogue. */
export type PublishedEvents = Pick<History, 'findWithoutRows'>;

/**
 * The newest version that the published events name and that began after a state was read; null where they name none.
 * Between a row and the reading of its version, the newest state that is kept is not what the panel holds.
 * @throws {HistoryError} when the history cannot be read
 */
export async function versionSince(
  { panelId, version, validFrom, readAt }: VersionSummary,
  { catalogue, history }: { readonly catalogue: string; readonly history: PublishedEvents },
): Promise<string | null> {
  const filter = { panels: [panelId] };
  for await (const { time, data } of history.findWithoutRows({ catalogue, since: validFrom, filter })) {
    const stated = data.panel?.version ?? null;
    if (stated === null || stated === version) continue;
    // An older number that was named after the reading: the panel was set back.
    if (isBeforeVersion(version, stated) || (parseInstant(time ?? '') ?? 0n) > readAt) return stated;
  }
  return null;
}
