import type { EventKindName } from '../../events/changes.ts';
import type { Instant } from '../../run/instant.ts';
import type { UnpairedRow } from '../../store/known-states.ts';
import type { RecognisedRow } from '../classify.ts';
import { OVERLAPPING_ACTIONS } from './chunk-states.ts';
import { ratingAfter, shortName, subjectOf } from './subject.ts';

/**
 * One action of a curator may write two rows, by one actor on one panel, milliseconds apart: a leader and a
 * follower. A follower pairs with the last leader before it, unless the entity was rated again between them.
 * Two rows that are read together become one event. A row whose paired row was published before adds nothing.
 */

/** One request writes both rows of a pair: no request takes longer than this, in microseconds. */
const PAIR_WINDOW: Instant = 60_000_000n;

const SECOND: Instant = 1_000_000n;

/** Which forms of rows pair. */
interface PairKind {
  readonly leaders: readonly string[];
  readonly follower: string;
  /** The event that each of the two rows would give alone; null where they give different events. */
  readonly sharedEvent: EventKindName | null;
  readonly sameRating: boolean;
}

const banners = ['banner', 'bannerNoList'];

const pairKinds: readonly PairKind[] = [
  { leaders: banners, follower: 'click', sharedEvent: 'entity.classified', sameRating: true },
  { leaders: banners, follower: 'ready', sharedEvent: null, sameRating: false },
  { leaders: ['added'], follower: 'copied', sharedEvent: 'entity.added', sameRating: false },
];

const followers = new Set(pairKinds.map(({ follower }) => follower));
const pairingForms = new Set(pairKinds.flatMap(({ leaders, follower }) => [...leaders, follower]));

/** The paired row of a row that was read with it: its follower where it leads, its leader where it follows. */
export interface Paired {
  readonly leader?: RecognisedRow;
  readonly follower?: RecognisedRow;
  readonly sharedEvent: EventKindName | null;
}

/** Pairs rows, which are oldest first; the answer is by row key. */
export function pairRows(rows: readonly RecognisedRow[]): ReadonlyMap<string, Paired> {
  const unpaired = new Map<string, RatingRow[]>();
  const pairs = new Map<string, Paired>();
  for (const one of leadersFirst(rows)) {
    const { row, subject, candidate } = one;
    const kind = pairKinds.find(({ follower }) => follower === candidate?.form);
    const leaders = unpaired.get(subject) ?? [];
    if (candidate && kind) {
      const index = leaders.findLastIndex((leader) => isPair(kind, leader.candidate, candidate));
      const leader = leaders[index]?.row;
      if (leader) {
        leaders.splice(index, 1);
        pairs.set(leader.key, { follower: row, sharedEvent: kind.sharedEvent });
        pairs.set(row.key, { leader, sharedEvent: kind.sharedEvent });
        continue;
      }
    }
    const overlapping = leaders.filter((leader) => leader.row.at + OVERLAPPING_ACTIONS >= row.at);
    unpaired.set(subject, [...overlapping, one]);
  }
  return pairs;
}

/** A row that was published, and that another row pairs with. */
interface PublishedPair {
  readonly row: UnpairedRow;
  readonly sharedEvent: EventKindName | null;
}

/** The published row that a row pairs with, from what `candidateOf` keeps of it; undefined where there is none. */
export function publishedPairOf(
  candidate: UnpairedRow | null,
  unpaired: readonly UnpairedRow[],
): PublishedPair | undefined {
  if (!candidate || unpaired.length === 0) return undefined;
  for (const kind of pairKinds) {
    for (const published of unpaired.toReversed()) {
      if (isPair(kind, published, candidate) || isPair(kind, candidate, published)) {
        return { row: published, sharedEvent: kind.sharedEvent };
      }
    }
  }
  return undefined;
}

/**
 * The pairs, without those of which one row also pairs with a published row that is nearer in time. The two rows of such
 * a pair belong to two actions, and the missing row of each was published before.
 */
export function withoutNearerPublished(
  pairs: ReadonlyMap<string, Paired>,
  rows: readonly RecognisedRow[],
  unpairedOf: (subject: string) => readonly UnpairedRow[],
): ReadonlyMap<string, Paired> {
  if (pairs.size === 0) return pairs;
  const kept = new Map(pairs);
  for (const row of rows) {
    const follower = kept.get(row.key)?.follower;
    if (!follower) continue;
    const apart = distance(follower.at, row.at);
    const belongsElsewhere = [row, follower].some((one) => {
      const published = publishedPairOf(candidateOf(one), unpairedOf(subjectOf(one) ?? ''));
      return published !== undefined && distance(published.row.at, one.at) < apart;
    });
    if (!belongsElsewhere) continue;
    kept.delete(row.key);
    kept.delete(follower.key);
  }
  return kept;
}

const distance = (one: Instant, other: Instant): Instant => (one > other ? one - other : other - one);

/** What to keep of a row until its paired row is read; null for a row of a form that never pairs. */
export function candidateOf({ reading, activity, at }: RecognisedRow): UnpairedRow | null {
  const { form, draft } = reading;
  if (!pairingForms.has(form)) return null;
  const to = draft['entity.classified']?.to ?? null;
  const { user_name: name } = activity;
  return { form, at, by: name === null ? null : shortName(name), to };
}

/** Whether two rows about one entity of a panel pair. */
function isPair(kind: PairKind, leader: UnpairedRow | null, follower: UnpairedRow): boolean {
  if (!leader || kind.follower !== follower.form || !kind.leaders.includes(leader.form)) return false;
  return (
    latestOf(follower) >= leader.at &&
    follower.at - leader.at <= PAIR_WINDOW &&
    (leader.until === undefined || follower.at < leader.until) &&
    follower.by === leader.by &&
    (!kind.sameRating || follower.to === leader.to)
  );
}

/** The latest instant at which a row may have been written: old rows have times that are cut to the second. */
function latestOf({ at }: { readonly at: Instant }): Instant {
  return at % SECOND === 0n ? at + SECOND - 1n : at;
}

/** A row that pairs, or that rates its entity anew. */
interface RatingRow {
  readonly row: RecognisedRow;
  readonly subject: string;
  readonly candidate: UnpairedRow | null;
  readonly follows: boolean;
  /** When it was written at the latest, where it follows. */
  readonly at: Instant;
}

/** The rows that matter for pairs by time; of rows that may have been written at one instant, leaders come first. */
function leadersFirst(rows: readonly RecognisedRow[]): readonly RatingRow[] {
  const found: RatingRow[] = [];
  for (const row of rows) {
    const candidate = candidateOf(row);
    if (!candidate && ratingAfter(row) === undefined) continue;
    const subject = subjectOf(row);
    if (subject === null) continue;
    const follows = followers.has(row.reading.form);
    found.push({ row, subject, candidate, follows, at: follows ? latestOf(row) : row.at });
  }
  return found.sort((one, other) =>
    one.at === other.at ? Number(one.follows) - Number(other.follows) : one.at < other.at ? -1 : 1,
  );
}

/** Rows that must have a follower, which is not among these: a rating banner always has one. */
export function withoutFollower(rows: readonly RecognisedRow[]): readonly RecognisedRow[] {
  const pairs = pairRows(rows);
  return rows.filter(({ key, reading }) => banners.includes(reading.form) && !pairs.has(key));
}
