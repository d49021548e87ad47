import { readLogRows } from '../catalogue/log-row.ts';
import { versionNumbers } from '../events/panel-version.ts';
import type { ArchiveAnswer } from '../panels/archive.ts';
import { readAhead } from '../panels/last-reached.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import type { Instant } from '../run/instant.ts';
import type { DatedVersion } from '../store/listing.ts';
import type { PanelEvents } from './panel-events.ts';
import { statedVersions } from './set-back.ts';
import type { VersionReader } from './version-reader.ts';

interface FirstVersionParts {
  readonly states: Pick<PanelStateStore, 'versions' | 'read' | 'save'>;
  readonly events: Pick<PanelEvents, 'of' | 'followedSince' | 'rows'>;
  readonly reader: VersionReader;
}

interface Panel extends Pick<VersionSummary, 'panelId' | 'panelName'> {
  /** The panel as it is now; null where it is not shown. */
  readonly present: VersionState | null;
  readonly listed: readonly DatedVersion[];
}

interface Search extends Panel {
  /** Since when the log is followed. */
  readonly start: Instant;
  /** What rows and listings say of the panel's versions. */
  readonly stated: readonly DatedVersion[];
}

/**
 * Returns what finds the version with which the states of a panel begin: the one that it had when the log began to be
 * followed, or the oldest one after it that the archive serves; null where there is none. What began since, and is read on the way
 * there, is kept.
 */
export function createFirstVersion({
  states,
  events,
  reader,
}: FirstVersionParts): (panel: Panel) => Promise<VersionState | null> {
  const ask = async ({ panelId, present, start }: Search, version: string): Promise<ArchiveAnswer | null> => {
    if (version === present?.version) return { kind: 'state', state: present };
    const kept = (await states.versions(panelId)).find((one) => one.version === version);
    const known = kept && (await states.read(kept));
    if (known) return { kind: 'state', state: known };
    const answer = await reader.archived(panelId, version);
    if (answer?.kind === 'state' && answer.state.validFrom > start) {
      await states.save({ ...answer.state, proof: readAhead });
    }
    return answer;
  };

  const stateOf = async (search: Search, version: string): Promise<VersionState | null> => {
    const answer = await ask(search, version);
    return answer?.kind === 'state' ? answer.state : null;
  };

  /** The highest minor version of a major one that something states; 0 where nothing does. */
  const statedMinor = async ({ panelId, stated }: Search, major: number): Promise<number> => {
    const own = (versions: readonly DatedVersion[]): number | undefined => {
      const minors = versions
        .map(({ version }) => versionNumbers(version))
        .filter((one) => one?.[0] === major);
      return minors.reduce<number | undefined>((most, one) => Math.max(most ?? 0, one?.[1] ?? 0), undefined);
    };
    return own(stated) ?? own(versionsIn((await events.rows(panelId)) ?? [])) ?? 0;
  };

  /** The last minor version of a major one. Nothing lists them: it is searched for, in steps that double. */
  const lastOf = async (search: Search, major: number): Promise<VersionState | null> => {
    const lowest = await statedMinor(search, major);
    let last: VersionState | null = null;
    let [found, missing] = [-1, Number.POSITIVE_INFINITY];
    while (missing - found > 1) {
      const above = found < 1 ? found + 1 : 2 * found;
      const next = missing === Number.POSITIVE_INFINITY ? above : Math.floor((found + missing) / 2);
      const state = await stateOf(search, `${major}.${lowest + next}`);
      if (state) [last, found] = [state, next];
      else missing = next;
    }
    return last;
  };

  const before = async (search: Search, { version }: VersionState): Promise<VersionState | null> => {
    const [major, minor] = versionNumbers(version) ?? [0, 0];
    if (minor > 0) return stateOf(search, `${major}.${minor - 1}`);
    return major > 0 ? lastOf(search, major - 1) : null;
  };

  return async (panel) => {
    const { panelId, panelName, present, listed } = panel;
    const start = await events.followedSince();
    if (present && present.validFrom <= start) return present;
    if (present) await states.save({ ...present, proof: readAhead });
    const { rows, listed: found } = statedVersions(await events.of(panelId), []);
    const dated = [...rows, ...found];
    const search = { ...panel, start, stated: [...dated, ...listed] };
    const [firstRow] = dated.filter(({ at }) => at >= start).sort((one, other) => Number(one.at - other.at));
    const version = firstRow?.version ?? present?.version;
    if (version === undefined) return null;
    const answer = await ask(search, version);
    if (answer?.kind !== 'state') {
      if (answer) await reader.noteUnread({ panelId, panelName, version }, answer);
      return present;
    }
    let first = answer.state;
    while (first.validFrom > start) {
      const own = await before(search, first);
      // A number that came again leads no further back.
      if (!own || own.validFrom > first.validFrom) break;
      first = own;
    }
    return first;
  };
}

const versionsIn = (rows: readonly unknown[]): readonly DatedVersion[] =>
  readLogRows(rows).flatMap((row) =>
    row.kind === 'activity' && row.activity.panel_version
      ? [{ version: row.activity.panel_version, at: row.at }]
      : [],
  );
