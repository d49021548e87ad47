import type { SignedOffPanel } from '../catalogue/detail-schemas.ts';
import { isBeforeVersion } from '../events/panel-version.ts';
import { formatInstant, type Instant, minutes } from '../run/instant.ts';
import { inOrderOfSignOff } from './signed-off-at.ts';
import type { SignOff } from './version-state.ts';

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

interface Compared {
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
): Compared {
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
