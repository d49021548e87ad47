import { lengthOf } from '../../catalogue/log-row.ts';
import type { Activity } from '../../catalogue/schemas.ts';
import type { EventKindName } from '../../events/changes.ts';
import type { Instant } from '../../run/instant.ts';
import type { UnpairedRow } from '../../store/known-states.ts';
import type { ClassifiedRow, RecognisedRow } from '../classify.ts';
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

/** Rows that are correlated, recorded and published together, where the state takes no more. */
const CHUNK_ROWS = 100;

/** Rows with longer texts together, in UTF-16 units, are not in one chunk, unless one action wrote them. */
const CHUNK_LENGTH = 400_000;

/** Splits rows into chunks of `most` rows. Rows of one action are in one chunk, however far apart they are. */
export function* chunksOfAll(
  rows: readonly ClassifiedRow[],
  most = CHUNK_ROWS,
): Generator<readonly ClassifiedRow[]> {
  if (rows.length > 0 && rows.length <= rowsOfChunk(rows, 0, most)) return yield rows;
  const endOf = splitPointsOf(rows);
  for (let begin = 0; begin < rows.length; ) {
    const end = endOf(begin, Math.min(begin + rowsOfChunk(rows, begin, most), rows.length));
    yield rows.slice(begin, end);
    begin = end;
  }
}

/** Whether rows fill a chunk of `most` rows, by their number or by their texts. */
export const fillChunk = (rows: readonly ClassifiedRow[], most: number): boolean =>
  rows.length >= most || rowsOfChunk(rows, 0, most) < rows.length;

/** How many rows from `begin` on a chunk may have: one at least. */
function rowsOfChunk(rows: readonly ClassifiedRow[], begin: number, most: number): number {
  let length = 0;
  for (let count = 0; count < most && begin + count < rows.length; count += 1) {
    length += lengthOf(rows[begin + count] as ClassifiedRow);
    if (length > CHUNK_LENGTH) return Math.max(1, count);
  }
  return most;
}

/**
 * Where rows, oldest first, can be split so that those of one action stay together: finds the end of a part that begins at index
 * `begin`, which is `wanted`, or the last split point before it, or else the first one after it.
 */
export function splitPointsOf(rows: readonly ClassifiedRow[]): (begin: number, wanted: number) => number {
  const insideAction = new Set<number>();
  for (const [first, last] of spansOf(rows)) {
    for (let index = first + 1; index <= last; index++) insideAction.add(index);
  }
  return (begin, wanted) => {
    for (let end = Math.min(wanted, rows.length); end > begin; end--) {
      if (!insideAction.has(end)) return end;
    }
    let end = wanted + 1;
    while (insideAction.has(end)) end++;
    return end;
  };
}

type Span = readonly [first: number, last: number];

/** The indices of the first and last row of every action that wrote several rows. */
function spansOf(rows: readonly ClassifiedRow[]): readonly Span[] {
  const recognised = recognisedOf(rows);
  const indices = new Map<ClassifiedRow, number>(rows.map((row, index) => [row, index]));
  const spanOf = (action: readonly ClassifiedRow[]): Span => {
    const found = action.map((row) => indices.get(row) ?? 0);
    return [Math.min(...found), Math.max(...found)];
  };
  const pairs = pairRows(recognised);
  return recognised.flatMap((row) => {
    const follower = pairs.get(row.key)?.follower;
    const renames = row.reading.draft['entity.renamed'] !== undefined;
    return [
      ...(follower ? [spanOf([row, follower])] : []),
      ...(renames ? [spanOf(replacementRows(row, recognised))] : []),
    ];
  });
}

/** The recognised rows among these, in their order. */
export function recognisedOf(rows: readonly ClassifiedRow[]): readonly RecognisedRow[] {
  return rows.filter((row) => row.kind === 'recognised');
}

/** A gene replacement writes its rows within this time, in microseconds. */
const REPLACEMENT_WINDOW = 1_000_000n;

/** The rows of a gene replacement: the row that renames, the edits of the old symbol, and those of the new one. */
export function replacementRows(
  renaming: RecognisedRow,
  rows: readonly RecognisedRow[],
): readonly RecognisedRow[] {
  const renamed = renaming.reading.draft['entity.renamed'];
  return rows.filter((row) => {
    if (row === renaming) return true;
    const { activity, reading, at } = row;
    const distance = at > renaming.at ? at - renaming.at : renaming.at - at;
    if (distance > REPLACEMENT_WINDOW || !isSamePanel(activity, renaming.activity)) return false;
    if (activity.user_name !== renaming.activity.user_name) return false;
    const before = reading.form === 'geneEdit' && reading.entity?.name === renamed?.from && at <= renaming.at;
    const after =
      reading.form === 'inheritanceOfNewSymbol' && reading.entity?.name === renamed?.to && at >= renaming.at;
    return before || after;
  });
}

function isSamePanel(one: Activity, other: Activity): boolean {
  return one.panel_id === other.panel_id && (one.panel_id !== null || one.panel_name === other.panel_name);
}
