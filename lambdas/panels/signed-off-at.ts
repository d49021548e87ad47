import type { SignedOffPanel } from '../catalogue/schemas.ts';
import { compareVersions, isBeforeVersion, versionNumbers } from '../events/order.ts';
import { formatInstant, type Instant, minutes, parseInstant } from '../run/instant.ts';
import type { SignOff } from './version-state.ts';

/** The sign-offs of one panel whose day is still to come at an instant, and that are not removed. */
export const comingSignOffs = (signOffs: readonly SignOff[], instant: Instant): readonly SignOff[] =>
  signOffs.filter(
    ({ date, removedAt }) =>
      date > formatInstant(instant).slice(0, 10) && (removedAt === null || removedAt > instant),
  );

/**
 * The sign-off of one panel that counts at an instant: the last one whose day has come and that was not removed before.
 * Null where none counts.
 */
export function signedOffAt(signOffs: readonly SignOff[], instant: Instant): SignOff | null {
  if (signOffs.length === 0) return null;
  const day = formatInstant(instant).slice(0, 10);
  const counting = signOffs.filter(
    ({ date, removedAt }) => date <= day && (removedAt === null || removedAt > instant),
  );
  return counting.toSorted(inOrderOfSignOff).at(-1) ?? null;
}

/**
 * The sign-offs of one panel that counted during a day, such as `2026-03-01`: the one before, and those that were made on it, for
 * a sign-off has no time of day. Empty where none counted.
 */
export function signedOffDuring(signOffs: readonly SignOff[], day: string): readonly SignOff[] {
  const begin = parseInstant(`${day}T00:00:00Z`);
  if (begin === null) return [];
  const before = signedOffAt(signOffs, begin - 1n);
  const made = signOffs.filter(
    ({ date, removedAt }) => date === day && (removedAt === null || removedAt > begin),
  );
  return [...(before ? [before] : []), ...made.toSorted(inOrderOfSignOff)];
}

/**
 * The order of the sign-offs of one panel: by day; of one day, the one that was listed later replaced the other; of those
 * listed at once, by version.
 */
export function inOrderOfSignOff(one: SignOff, other: SignOff): number {
  if (one.date !== other.date) return one.date < other.date ? -1 : 1;
  if (one.listedAt !== other.listedAt) return one.listedAt < other.listedAt ? -1 : 1;
  return compareVersions(versionNumbers(one.version) ?? [0, 0], versionNumbers(other.version) ?? [0, 0]);
}

/** What the list of signed-off versions says of one panel that was not kept before. */
export interface SignOffChange {
  readonly panelId: number;
  readonly panelName: string;
  /** The version that is signed off now; null where the sign-off was removed. */
  readonly now: SignOff | null;
  /** The version that was signed off before; null where none was. */
  readonly before: SignOff | null;
}

/** A row is written so long at most before its change can be read: transactions are held open. */
export const LONGEST_TRANSACTION: Instant = minutes(2);

interface ComparedSignOffs {
  readonly changes: readonly SignOffChange[];
  /** What to keep: sign-offs that are new, and those that were found to be removed. */
  readonly kept: readonly SignOff[];
}

/**
 * Compares the list of signed-off versions with what was kept. The list may hold each sign-off of a panel or its last one
 * alone: an earlier one that it lacks was replaced, and one later than all that it has was removed.
 *
 * @param madeAt when the new ones were made, where a row says so; else on their days
 */
export function compareSignOffs(
  stored: readonly SignOff[],
  listed: readonly SignedOffPanel[],
  listedAt: Instant,
  madeAt?: Instant,
): ComparedSignOffs {
  const storedBy = Map.groupBy(stored, ({ panelId }) => panelId);
  const listedBy = Map.groupBy(listed, ({ id }) => id);
  const changes: SignOffChange[] = [];
  const kept: SignOff[] = [];
  for (const id of new Set([...storedBy.keys(), ...listedBy.keys()])) {
    const active = inOrder((storedBy.get(id) ?? []).filter(({ removedAt }) => removedAt === null));
    // A sign-off that was listed before has its place in the order from then: one that followed it may be gone again.
    const shown = (listedBy.get(id) ?? [])
      .map((one) => signOffOf(one, listedAt))
      .map((one) => active.find((other) => isSame(one, other)) ?? one);
    const found = shown.filter((one) => !active.includes(one));
    const last = inOrder(shown).at(-1);
    const removed = active.filter((one) => !shown.includes(one) && (!last || isLater(one, last)));
    kept.push(...found, ...removed.map((one) => ({ ...one, removedAt: listedAt })));
    const panelName = last?.panelName ?? active.at(-1)?.panelName ?? '';
    for (const [place, now] of inOrder(found).entries()) {
      const before =
        inOrder(found)[place - 1] ?? lastBefore(now, { active, shown, madeAt: madeAt ?? listedAt });
      changes.push({ panelId: id, panelName, now, before });
    }
    if (found.length > 0 || removed.length === 0) continue;
    changes.push({ panelId: id, panelName, now: last ?? null, before: active.at(-1) ?? null });
  }
  return { changes, kept };
}

/** Whether a change takes a sign-off back: it is gone, or one of an earlier day or a lower version is in its place. */
export const goesBack = ({ now, before }: SignOffChange): boolean =>
  now === null ||
  (before !== null && (now.date < before.date || isBeforeVersion(now.version, before.version)));

/** Whether a change may be a lie of the list: it takes a sign-off back, or states another version for the same day. */
export const isUncertain = (change: SignOffChange): boolean =>
  goesBack(change) || change.now?.date === change.before?.date;

interface Before {
  readonly active: readonly SignOff[];
  readonly shown: readonly SignOff[];
  readonly madeAt: Instant;
}

/** What a sign-off follows: not one of a later day that is still listed, or was still to come when it was made. */
function lastBefore(now: SignOff, { active, shown, madeAt }: Before): SignOff | null {
  const made = formatInstant(madeAt).slice(0, 10);
  return active.findLast((one) => one.date <= now.date || (one.date <= made && !shown.includes(one))) ?? null;
}

function signOffOf({ id, name, version, signed_off: date }: SignedOffPanel, listedAt: Instant): SignOff {
  return { panelId: id, panelName: name, version, date, listedAt, removedAt: null };
}

const isSame = (one: SignOff, other: SignOff): boolean =>
  one.version === other.version && one.date === other.date;

const isLater = (one: SignOff, other: SignOff): boolean => inOrderOfSignOff(one, other) > 0;

const inOrder = (signOffs: readonly SignOff[]): readonly SignOff[] => signOffs.toSorted(inOrderOfSignOff);
