import type { Instant } from '../clock/instant.ts';
import type { EventKindName } from '../events/changes.ts';
import type { Told } from '../state/store.ts';
import type { ReadEntry } from './entry.ts';
import { ratingAfter, subjectOf } from './subject.ts';

/**
 * One action of a curator may write several rows, by one actor on one panel, mostly milliseconds apart. A row
 * that follows belongs to the last one that leads, unless the entity was rated again between them. Twins that
 * are read together are told together; one that comes later adds nothing to what was told.
 */

/** Actions of two curators on one entity may mix their rows for so long. */
export const MIXING: Instant = 10_000_000n;

/** Which form of row completes which, and the event that both of them would give. */
interface Pairing {
  readonly leaders: readonly string[];
  readonly follower: string;
  readonly tells: EventKindName | null;
  readonly sameRating: boolean;
}

const banners = ['banner', 'bannerNoList'];

const pairings: readonly Pairing[] = [
  { leaders: banners, follower: 'click', tells: 'entity.classified', sameRating: true },
  { leaders: banners, follower: 'ready', tells: null, sameRating: false },
  { leaders: ['added'], follower: 'copied', tells: 'entity.added', sameRating: false },
];

/** A row reduced to what decides whether it is a twin. */
interface Half extends Told {
  readonly subject: string;
}

/** The twins of a row that are read together with it. */
export interface Paired {
  readonly leader?: ReadEntry;
  readonly follower?: ReadEntry;
  readonly tells: EventKindName | null;
}

/** Pairs the rows of a chunk, which are in order, by key. */
export function pair(entries: readonly ReadEntry[]): ReadonlyMap<string, Paired> {
  const free = new Map<string, ReadEntry[]>();
  const pairs = new Map<string, Paired>();
  for (const entry of leadersFirst(entries)) {
    const subject = subjectOf(entry);
    if (subject === null) continue;
    const half = halfOf(entry);
    const pairing = pairings.find(({ follower }) => follower === half?.form);
    const leaders = free.get(subject) ?? [];
    if (half && pairing) {
      const at = leaders.findLastIndex((leader) => completes(half, halfOf(leader), pairing));
      const leader = leaders[at];
      if (leader) {
        leaders.splice(at, 1);
        pairs.set(leader.key, { follower: entry, tells: pairing.tells });
        pairs.set(entry.key, { leader, tells: pairing.tells });
        continue;
      }
    }
    if (!half && ratingAfter(entry) === undefined) continue;
    const mixed = leaders.filter(({ at }) => at + MIXING >= entry.at);
    free.set(subject, half && !pairing ? [...mixed, entry] : mixed);
  }
  return pairs;
}

/** The row that was told before, and whose twin this one is. */
export function toldTwin(
  entry: ReadEntry,
  told: readonly Told[],
): { readonly told: Told; readonly tells: EventKindName | null } | undefined {
  const half = halfOf(entry);
  if (!half) return undefined;
  for (const pairing of pairings) {
    for (const other of told.toReversed()) {
      const there = { ...other, subject: half.subject };
      if (completes(half, there, pairing) || completes(there, half, pairing)) {
        return { told: other, tells: pairing.tells };
      }
    }
  }
  return undefined;
}

/** What is to be remembered of a row whose twin may still come; null for a row that has none. */
export function halfOf(entry: ReadEntry): Half | null {
  const { reading, activity, at } = entry;
  const subject = subjectOf(entry);
  if (!reading || subject === null) return null;
  const { form, draft } = reading;
  if (!pairings.some(({ leaders, follower }) => leaders.includes(form) || follower === form)) return null;
  const to = draft['entity.classified']?.to ?? null;
  return { form, at, by: activity.user_name, to, subject };
}

function completes(follower: Half, leader: Half | null, pairing: Pairing): boolean {
  if (!leader || pairing.follower !== follower.form || !pairing.leaders.includes(leader.form)) return false;
  return (
    follower.at >= leader.at &&
    (leader.until === undefined || follower.at < leader.until) &&
    follower.by === leader.by &&
    follower.subject === leader.subject &&
    (!pairing.sameRating || follower.to === leader.to)
  );
}

/** Rows of one microsecond are in no order: leaders are looked at before followers. */
function leadersFirst(entries: readonly ReadEntry[]): ReadEntry[] {
  const rank = ({ reading }: ReadEntry): number =>
    pairings.some(({ follower }) => follower === reading?.form) ? 1 : 0;
  return [...entries].sort((one, other) =>
    one.at === other.at ? rank(one) - rank(other) : one.at < other.at ? -1 : 1,
  );
}

/** The first of these rows that leads, and whose follower is not among them; a banner always has one. */
export function awaitsTwin(entries: readonly ReadEntry[]): ReadEntry | undefined {
  const pairs = pair(entries);
  return entries.find(({ key, reading }) => banners.includes(reading?.form ?? '') && !pairs.has(key));
}
