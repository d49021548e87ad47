import { timeOf } from '../differences/event-order.ts';
import { compareVersions, isBeforeVersion, versionNumbers } from '../events/panel-version.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { byBeginning } from '../panels/by-beginning.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import { type Instant, minutes } from '../run/instant.ts';
import type { DatedVersion } from '../store/listing.ts';

type Begun = Pick<VersionSummary, 'version' | 'validFrom'>;

/** A version that an event states. */
interface EventVersion extends DatedVersion {
  /** Whether rows of the log state it; a listing or a state shows it at any time of the version. */
  readonly isOfLog: boolean;
}

/** What events and listings say of the versions of a panel, and since when at the latest it had them. */
interface StatedVersions {
  readonly rows: readonly EventVersion[];
  readonly listed: readonly DatedVersion[];
}

/** Rows of a version may be a little older than it. */
const A_MINUTE: Instant = minutes(1);

/** The versions that the events of a panel and its listings state. */
export function statedVersions(
  events: readonly PanelEvent[],
  listed: readonly DatedVersion[],
): StatedVersions {
  const rows = events.flatMap((event) => {
    const version = event.data.panel?.version;
    return version ? [{ version, at: timeOf(event), isOfLog: event.data.activities.length > 0 }] : [];
  });
  return { rows, listed };
}

/** Whether something between two versions states another one, from which the panel was set back. */
export function hadHigher(
  { rows, listed }: StatedVersions,
  { after, before }: { readonly after: Begun; readonly before: Begun },
): boolean {
  return [...rows, ...listed].some(({ version, at }) => {
    const isBetween = at > after.validFrom && at < before.validFrom;
    const isOther = version === before.version && at + A_MINUTE < before.validFrom;
    return isBetween && (isOther || isBeforeVersion(before.version, version));
  });
}

/** Whether a row shows how a version began: one that states it is as old as the version. */
export function hasRowOfBeginning({ rows }: StatedVersions, { version, validFrom }: Begun): boolean {
  return rows.some(
    ({ version: stated, at, isOfLog }) =>
      isOfLog && stated === version && at + A_MINUTE >= validFrom && at <= validFrom + A_MINUTE,
  );
}

interface After {
  /** The last version that is kept. */
  readonly last: Begun;
  /** What the archive has under its number. */
  readonly again: Begun | null;
  /** The version that the panel has; null where it is hidden. */
  readonly present: Begun | null;
  readonly stated: StatedVersions;
}

/** Whether a panel was set back after a version, as far as the catalogue shows it. */
export function wasSetBack({ last, again, present, stated: { rows, listed } }: After): boolean {
  if (again && again.validFrom > last.validFrom) return true;
  if (present && !isBeforeVersion(last.version, present.version)) return true;
  const isSince = ({ at }: DatedVersion): boolean => at > last.validFrom;
  const isHigher = ({ version, at }: DatedVersion): boolean =>
    present !== null && at < present.validFrom && isBeforeVersion(present.version, version);
  return (
    rows.some((one) => isSince(one) && (isBeforeVersion(one.version, last.version) || isHigher(one))) ||
    listed.some((one) => isSince(one) && (!isBeforeVersion(last.version, one.version) || isHigher(one)))
  );
}

interface SetBack extends After {
  /** Asks the archive for the version under a number; null where it has none. */
  readonly ask: (version: string) => Promise<VersionState | null>;
}

/** The versions that a panel got since another one. */
interface VersionsSince {
  /** In the order in which they began, without the one that the panel has. */
  readonly begun: readonly VersionState[];
  /** Numbers between those that the archive lacks. */
  readonly missing: readonly string[];
}

/**
 * Asks for the versions that a panel got after one from which it was set back, under lower or higher numbers. Which
 * numbers it had is unknown: the neighbours of each that was found are asked for, too.
 */
export async function readSetBack({ last, again, present, stated, ask }: SetBack): Promise<VersionsSince> {
  const begun: VersionState[] = [];
  const missing: string[] = [];
  const isSince = ({ at }: DatedVersion): boolean => at > last.validFrom;
  const asked = new Set<string>();
  const wanted = [
    ...[...stated.rows, ...stated.listed].filter(isSince).map(({ version }) => version),
    ...neighboursOf(last.version),
    ...(present ? neighboursOf(present.version) : []),
    ...(again && again.validFrom > last.validFrom ? [last.version] : []),
  ];
  if (present) asked.add(present.version);
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    if (asked.has(next)) continue;
    asked.add(next);
    const state = await ask(next);
    if (!state) missing.push(next);
    if (!state || byBeginning(state, last) <= 0) continue;
    begun.push(state);
    wanted.push(...neighboursOf(next));
  }
  begun.sort(byBeginning);
  const numbers = [...begun, ...(present ? [present] : [])].map(({ version }) => version);
  const isWithin = (version: string): boolean =>
    numbers.some((one) => isBeforeVersion(one, version)) &&
    numbers.some((one) => isBeforeVersion(version, one));
  return { begun, missing: missing.filter(isWithin) };
}

/** The numbers before and after a version, and the one of its promotion. */
function neighboursOf(version: string): readonly string[] {
  const numbers = versionNumbers(version);
  if (!numbers) return [];
  const [major, minor] = numbers;
  return [`${major + 1}.0`, `${major}.${minor + 1}`, ...(minor > 0 ? [`${major}.${minor - 1}`] : [])];
}

/**
 * Whether a version of a panel that was set back is known to have followed another one at once.
 * @param begun every version that began since
 */
export function isNext(one: Begun, next: Begun, begun: readonly Begun[]): boolean {
  const [from, to] = [versionNumbers(one.version), versionNumbers(next.version)];
  if (!from || !to) return false;
  const [major, minor] = from;
  const above = begun.find(({ version }) => version === `${major}.${minor + 1}`);
  // The number above may have been there before, and again since.
  const isAboveLost = above !== undefined && byBeginning(next, above) < 0;
  if (compareVersions(to, from) < 0) return !isAboveLost;
  if (to[0] === major) return to[1] === minor + 1;
  return to[0] === major + 1 && to[1] === 0 && !isAboveLost;
}
