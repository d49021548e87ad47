import { ServiceError } from '../catalogue/http/service-error.ts';
import type { ClassifiedRow, RecognisedRow } from '../classifier/classify.ts';
import type { ShownRating } from '../classifier/correlation/chunk-states.ts';
import {
  entityKey,
  formerSubjectOf,
  membershipAfter,
  needsRating,
  ratingAfter,
  staysUnrated,
  subjectOf,
} from '../classifier/correlation/subject.ts';
import { comparePanel } from '../differences/compare.ts';
import { type Difference, isSilent } from '../differences/difference.ts';
import type { Rating } from '../events/changes.ts';
import { comparePlaces, compareVersions, isBeforeVersion, versionNumbers } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { type Instant, instantOf, later, parseInstant } from '../run/instant.ts';
import type { Log } from '../run/log.ts';
import type { EntityStates } from '../store/known-states.ts';
import { type Archive, ArchivePaused } from './archive.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { isAhead, isSameVersion, readAhead } from './panel-versions.ts';
import { shownState } from './state-facts.ts';
import type { StateEntity, VersionState, VersionSummary } from './version-state.ts';

/** What was published of entities before some rows. */
interface KnownBefore {
  /** What rows and listings stated. */
  readonly entities: EntityStates;
  /** What was found without a row, by panel id. */
  readonly silent: ReadonlyMap<number, readonly PanelEvent[]>;
  /** The keys of rows whose events were published before: nothing is asked for them. */
  readonly repeated?: ReadonlySet<string>;
}

/** What changed between a row and what was published before it, as a state of the panel shows. */
interface FoundBefore {
  readonly differences: readonly Difference[];
  /** The version at whose end a state shows it first, as far as states of that time are served. */
  readonly state: VersionSummary;
  /** Just after what was published of the entity before, or when the version began. */
  readonly at: Instant;
}

/** The rating of an entity before a row, where it is not what rows and listings stated last. */
interface RatingBefore extends ShownRating {
  /** Changes that nothing published yet, oldest first. */
  readonly found: readonly FoundBefore[];
}

/** The rating of an entity before a row, by the row and the key of the entity; undefined where rows alone state it. */
export type RatingsBefore = (
  rows: readonly ClassifiedRow[],
  known: KnownBefore,
) => Promise<(row: RecognisedRow, key: string) => RatingBefore | undefined>;

interface RatingsOptions {
  readonly states: Pick<PanelStateStore, 'versions' | 'read' | 'save'>;
  /** Where to ask for the version before a row; without it, what is kept is all that is known. */
  readonly archive?: Archive;
  /** Whether the run ends where its time for requests is over, because the next one reads the same rows again. */
  readonly nextRunGoesOn?: boolean;
  readonly log: Log;
}

/**
 * The most requests of one poll, for the backlog of years: at the default pace, less than four hours. Most of them confirm what rows
 * stated; the last hour is left for what rows leave unknown or contradict. A panel of which nothing is kept is asked for once
 * in any case: its state leads to the ratings of all its later rows.
 */
const MOST_REQUESTS = 1360;
const MOST_CONFIRMING = 1000;

/** The most for rows that leave the rating as it is, and mean something else by it: a change of the mode of inheritance, say. */
const MOST_BESIDE = 100;

/** A row and the version of its `created` may differ by this much. */
const SECOND: Instant = instantOf(1000);

/** States that are held in memory; the versions of a panel are asked for one after the other. */
const MOST_STATES = 6;

/** What was published last of an entity. */
interface Stated {
  /** `absent` once it was removed; null where it is unknown. */
  readonly rating: Rating | 'absent' | null;
  /** The rating to which the last event led, also where a row may have changed it since without saying so. */
  readonly published: Rating | 'absent' | null;
  /** The version that the last event stated. */
  readonly publishedIn: string | null;
  readonly version: string | null;
  readonly at: Instant;
}

/** A state, and when what it shows was so. */
interface Shown {
  readonly state: VersionState;
  /** By the key of the entity; null where two entities of one name differ. */
  readonly entities: ReadonlyMap<string, StateEntity | null>;
}

/** What was stated of entities, row by row, by the key of the entity. */
function createStatements(known: KnownBefore) {
  const stated = new Map<string, Stated>();
  const of = (key: string): Stated => {
    const own = stated.get(key) ?? statedIn(known, key);
    stated.set(key, own);
    return own;
  };
  return {
    of,
    /** What was stated before a row: one that shows up late comes before what was found since. */
    before(place: RowPlace, key: string): Stated {
      const own = of(key);
      const silent = known.silent.get(place.panelId) ?? [];
      return silent
        .flatMap((event) => foundIn(event, key))
        .filter((one) => isOlder(one, place))
        .reduce(newest, isOlder(own, place) ? own : nothingStated);
    },
    /** What was stated after a row that is published again, or of a later version than a row, stays known. */
    keep(key: string, after: Stated, isRepeated: boolean): void {
      const own = of(key);
      const isLater = isRepeated || isBeforeVersion(after.version, own.version);
      stated.set(key, isLater ? newest(own, after) : after);
    },
  };
}

/**
 * Knows what an entity was rated before a row: from rows, listings, states, and what comparing them found, each with the time for
 * which it speaks; the newest by that time counts. Where the version before the row is not kept, the catalogue is asked for it.
 * A state that contradicts what was published last shows a change without a row: it is located, to be published before the row.
 *
 * The function that it returns throws {ArchivePaused} where the next run goes on with what this one has read.
 */
export function createRatingsBefore(options: RatingsOptions): RatingsBefore {
  const reader = createStatesBefore(options);
  return async (rows, known) => {
    reader.forgetVersions();
    const before = new Map<RecognisedRow, ReadonlyMap<string, RatingBefore>>();
    const stated = createStatements(known);
    for (const row of rows) {
      if (row.kind !== 'recognised' || typeof row.activity.panel_id !== 'number') continue;
      const [subject, former] = [subjectOf(row), formerSubjectOf(row)];
      const key = former ?? subject;
      if (key === null || subject === null || !row.reading.entity) continue;
      const place = placeOf(row, row.activity.panel_id);
      const own = stated.of(key);
      const last = stated.before(place, key);
      let rating = last.rating;
      const isRepeated = known.repeated?.has(row.key) === true;
      if ((place.statesRating || needsRating(row.reading.draft)) && !isRepeated) {
        const { type, name } = row.reading.entity;
        const formerName = row.reading.draft['entity.renamed']?.from;
        const entity = { key, isAdded: place.isAdded, type, name: formerName ?? name };
        const shown = await stateBefore(place, key, last, reader);
        const shows = shown && ratingIn(shown, entity);
        const isContradicted = shows !== null && last.published !== null && shows !== last.published;
        const found = shown && isContradicted ? await locate(last, shown, entity, reader) : [];
        // It is published before this row: the next one finds nothing new in it.
        const foundLast = found.at(-1);
        if (foundLast)
          stated.keep(key, stating(shows, { version: foundLast.state.version, at: foundLast.at }), false);
        if (shows !== null) rating = shows;
        if (shows !== null || last !== own) {
          const shownRating = rating === 'absent' ? null : rating;
          before.set(row, new Map([[key, { rating: shownRating, found }]]));
        }
      }
      if (former !== null) stated.keep(former, stating('absent', place), isRepeated);
      const after = statedAfter(row, rating);
      if (after === undefined) continue;
      const isLost = after === null && !membershipAfter(row);
      const was = isLost && { published: rating ?? last.published, publishedIn: last.publishedIn };
      stated.keep(subject, { ...stating(after, place), ...was }, isRepeated);
    }
    return (row, key) => before.get(row)?.get(key);
  };
}

/** Reads the states from which ratings are known: those that are kept, and those that the catalogue is asked for. */
function createStatesBefore({ states, archive, nextRunGoesOn = false, log }: RatingsOptions) {
  /** Set once the catalogue gives no more states in this run. */
  let exhausted = archive === undefined;
  let saved = 0;
  const askedFor = new Set<number>();
  const missing = new Set<string>();
  let read: readonly Shown[] = [];
  /** The versions of panels that are kept, read once for some rows: until the next ones come, or something is asked for. */
  const keptVersions = new Map<number, Promise<readonly VersionSummary[]>>();

  const versionsOf = (panelId: number): Promise<readonly VersionSummary[]> => {
    const versions = keptVersions.get(panelId) ?? states.versions(panelId);
    keptVersions.set(panelId, versions);
    return versions;
  };

  const keep = (state: VersionState): Shown => {
    const shown = { state, entities: entitiesOf(state) };
    read = [...read, shown].slice(-MOST_STATES);
    return shown;
  };
  const remembered = (is: (state: VersionState) => boolean): Shown | undefined =>
    read.findLast(({ state }) => is(state));

  const ask = async (panelId: number, version: string): Promise<Shown | null> => {
    if (exhausted || missing.has(`${panelId} ${version}`)) return null;
    askedFor.add(panelId);
    try {
      const answer = await archive?.read(panelId, version);
      if (answer?.kind !== 'state') {
        missing.add(`${panelId} ${version}`);
        return null;
      }
      const kept = await states.versions(panelId);
      const isKept = kept.some((one) => isSameVersion(one, answer.state));
      const first = kept.find((one) => !isAhead(one));
      // What was read of it before is compared with this by the proof of its end. What came before the first version is not proven.
      if (!isKept && !(first && answer.state.validFrom < first.validFrom)) {
        await states.save({ ...answer.state, proof: readAhead });
        saved += 1;
      }
      return keep(answer.state);
    } catch (error) {
      if (!(error instanceof ArchivePaused) && !(error instanceof ServiceError)) throw error;
      // What was saved is not asked for again, so that runs come to their end.
      const goesOn = error instanceof ArchivePaused && error.pause === 'out-of-time' && saved > 0;
      if (nextRunGoesOn && goesOn) throw error;
      // The events go out without the rating before; a proof reads the state later.
      exhausted = true;
      log.info('The rating before a row could not be asked for', { panelId, version, reason: error.message });
      return null;
    } finally {
      keptVersions.clear();
    }
  };

  /** The state of the end of a version: kept, or asked for. */
  const archived = async (panelId: number, version: string): Promise<Shown | null> => {
    const isIt = (one: VersionSummary): boolean =>
      one.panelId === panelId && one.version === version && one.source === 'archive';
    const kept = remembered(isIt);
    if (kept) return kept;
    const summary = (await versionsOf(panelId)).findLast(isIt);
    const state = summary && (await states.read(summary));
    return state ? keep(state) : await ask(panelId, version);
  };

  /** The newest state of the panel that is kept from before a row. */
  const keptBefore = async ({ panelId, version, at }: RowPlace): Promise<Shown | null> => {
    const summary = (await versionsOf(panelId)).findLast((one) => isBefore(one, version, at));
    if (!summary) return null;
    const { validFrom, source, readAt } = summary;
    const known = remembered(
      (one) =>
        one.panelId === panelId &&
        one.validFrom === validFrom &&
        one.source === source &&
        one.readAt === readAt,
    );
    const state = known ? undefined : await states.read(summary);
    return known ?? (state ? keep(state) : null);
  };

  return {
    archived,
    keptBefore,
    versionsOf,
    /** Forgets which versions are kept: others may have been since. */
    forgetVersions: (): void => keptVersions.clear(),
    /** Whether something may be asked for, of a panel for the first time or with less than the most requests. */
    mayAsk: (most: number, panelId: number, isFirst: boolean): boolean =>
      (isFirst && !askedFor.has(panelId)) || (archive?.requests ?? 0) < most,
  };
}

type StatesBefore = ReturnType<typeof createStatesBefore>;

/** The state that shows best what an entity was before a row, where it is newer than what was published last. */
async function stateBefore(
  place: RowPlace,
  key: string,
  stated: Stated,
  reader: StatesBefore,
): Promise<Shown | null> {
  const { panelId, version, at, isDoubtful } = place;
  const previous = versionBefore(version);
  const kept = await reader.keptBefore(place);
  const isOwn = stated.version !== null && stated.version === version;
  const isPrevious = kept?.state.source === 'archive' && kept.state.version === previous;
  // What was read under the row's own version is newer than the end of the one before.
  const isExact = isPrevious || (kept !== null && kept.state.version === version);
  const isUnknown = stated.rating === null && !(kept?.entities.has(key) && isEndOf(kept.state, place));
  const mostOfRatings = isUnknown || isDoubtful(stated.rating) ? MOST_REQUESTS : MOST_CONFIRMING;
  const most = place.statesRating ? mostOfRatings : MOST_BESIDE;
  const mayAsk = reader.mayAsk(most, panelId, place.statesRating && kept === null);
  if (!isExact && !isOwn && previous !== null && mayAsk) {
    const asked = await reader.archived(panelId, previous);
    // A number may have come again since.
    if (asked && asked.state.validFrom <= at + SECOND) return asked;
  }
  return kept && isNewer(kept.state, stated) ? kept : null;
}

/** The changes from what was published last to what a state shows. */
async function locate(
  last: Stated,
  shown: Shown,
  entity: NamedEntity,
  reader: StatesBefore,
): Promise<readonly FoundBefore[]> {
  const found: FoundBefore[] = [];
  let from = last;
  // The rating may have changed several times in between.
  for (let times = 0; times < 5 && ratingIn(shown, entity) !== from.published; times += 1) {
    const first = await firstOther(from, shown, entity, reader);
    const { state } = first;
    const at = later(state.validFrom, from.at + 1n);
    const differences = differencesOf(from.published, first, entity);
    if (differences.length === 0) return found;
    found.push({ differences, state, at });
    const rating = ratingIn(first, entity);
    if (rating === null) return found;
    from = stating(rating, { version: state.version, at });
  }
  return found;
}

/** The first state that shows something else of an entity than was published last, up to one that does. */
async function firstOther(
  from: Stated,
  last: Shown,
  entity: NamedEntity,
  reader: StatesBefore,
): Promise<Shown> {
  const { panelId, version: upTo } = last.state;
  const known = (await reader.versionsOf(panelId)).map(({ version }) => version);
  const versions = versionsBetween(from.publishedIn ?? from.version, upTo, [...known, from.version ?? '']);
  let [same, other] = [-1, versions.length - 1];
  let found = last;
  // The end of a version contradicts its row more often than a later version does, as does one that took a source away.
  const likely = [0, versions.indexOf(from.version ?? '')];
  while (other - same > 1) {
    const next = likely.find((index) => index > same && index < other) ?? Math.floor((same + other) / 2);
    const state = await reader.archived(panelId, versions[next] ?? '');
    if (state && ratingIn(state, entity) !== from.published) [found, other] = [state, next];
    else same = next;
  }
  return found;
}

/** A row among the versions of its panel. */
interface RowPlace {
  readonly panelId: number;
  readonly version: string | null;
  readonly at: Instant;
  /** Whether the row gives, confirms or takes a rating, or the entity that has it. */
  readonly statesRating: boolean;
  readonly isAdded: boolean;
  /** Whether the row says otherwise than a rating that was published last, or would be no change after it. */
  isDoubtful(rating: Stated['rating']): boolean;
}

function placeOf(row: RecognisedRow, panelId: number): RowPlace {
  const { draft } = row.reading;
  const rated = draft['entity.classified'];
  const isAdded = draft['entity.added'] !== undefined;
  return {
    panelId,
    version: row.activity.panel_version,
    at: row.at,
    statesRating:
      rated !== undefined || isAdded || [draft['entity.removed'], draft['entity.renamed']].some(Boolean),
    isAdded,
    isDoubtful: (rating) => {
      if (isAdded) return rating !== null && rating !== 'absent';
      if (rating === 'absent') return true;
      return rated !== undefined && (rated.to === rating || (rated.from ?? rating) !== rating);
    },
  };
}

interface NamedEntity {
  readonly key: string;
  readonly type: StateEntity['type'];
  readonly name: string;
  /** Whether the row adds it, so that a state without it is right. HGNC may have changed the symbol of another. */
  readonly isAdded: boolean;
}

/** What a state shows of an entity; null where it shows nothing certain. */
function ratingIn({ state, entities }: Shown, { key, type, isAdded }: NamedEntity): Stated['rating'] {
  const entity = entities.get(key);
  if (entity) return entity.rating;
  return entity === undefined && isAdded && state.whole.includes(type) ? 'absent' : null;
}

/** What states show and was not published, as the proof of the version publishes it. */
function differencesOf(
  from: Stated['rating'],
  { state, entities }: Shown,
  { key, type, name }: NamedEntity,
): readonly Difference[] {
  const entity = entities.get(key) ?? undefined;
  const { entities: shown } = shownState({ whole: state.whole, entities: entity ? [entity] : [] });
  const known =
    from === 'absent' || from === null ? [] : [{ type, name: entity?.name ?? name, facts: { rating: from } }];
  return comparePanel({
    before: { facts: {}, whole: [type], entities: known },
    events: [],
    after: { facts: {}, whole: [type], entities: shown },
    via: 'snapshot',
  }).differences;
}

/** What is stated where the last event led to a rating, too. */
const stating = (rating: Stated['rating'], { version, at }: Placed): Stated => ({
  ...{ rating, published: rating, publishedIn: version, version, at },
});

const nothingStated = stating(null, { version: null, at: 0n });

function statedIn({ entities }: KnownBefore, key: string): Stated {
  const state = entities.get(key);
  if (!state) return nothingStated;
  const { at, version = null, isRemoved, was } = state;
  const rating = isRemoved ? 'absent' : state.rating;
  if (rating !== null || !was) return stating(rating, { version, at });
  return { rating, published: was.rating, publishedIn: was.version ?? null, version, at };
}

function foundIn(
  { type, time, data: { panel, entity, change } }: PanelEvent,
  key: string,
): readonly Stated[] {
  if (!isSilent(change) || !entity || typeof panel?.id !== 'number') return [];
  if (entityKey(panel.id, entity) !== key) return [];
  const place = { version: panel.version, at: parseInstant(time) ?? 0n };
  if (type === 'gene-panel.entity.removed.v1') return [stating('absent', place)];
  return 'direction' in change ? [stating(change.to ?? null, place)] : [];
}

function statedAfter(row: RecognisedRow, before: Stated['rating']): Stated['rating'] | undefined {
  const { draft } = row.reading;
  if (draft['entity.removed']) return 'absent';
  const after = staysUnrated(draft, before === 'absent' ? null : before) ? before : ratingAfter(row);
  // A region may be renamed and rated in one row.
  return after === undefined && draft['entity.renamed'] ? before : after;
}

type Placed = Pick<Stated, 'version' | 'at'>;

const isOlder = (one: Placed, row: Placed): boolean => comparePlaces(one, row) <= 0;
const newest = (one: Stated, other: Stated): Stated => (comparePlaces(one, other) > 0 ? one : other);

/** Whether a state speaks for a later time than what was published last. */
function isNewer({ version, source, readAt, validFrom, validTo }: VersionSummary, stated: Stated): boolean {
  if (source === 'archive' && version === stated.version) return true;
  const at = source === 'present' ? readAt : (validTo ?? validFrom);
  return comparePlaces({ version, at }, stated) >= 0;
}

/** Whether what a state shows was so until a row was written, as far as the versions say. */
const isEndOf = ({ version }: VersionSummary, row: RowPlace): boolean =>
  version === row.version || version === versionBefore(row.version);

/** Whether a state shows a panel as it was before a version, or before an instant of the version. */
function isBefore(state: VersionSummary, version: string | null, begun: Instant): boolean {
  if (state.source === 'present') return state.readAt < begun;
  const [own, other] = [versionNumbers(state.version), versionNumbers(version ?? '')];
  if (own && other && compareVersions(own, other) >= 0) return false;
  return (state.validTo ?? state.validFrom) <= begun + SECOND;
}

/** The versions from one to another, both with them, as far as `known` says how many minor versions a major one had. */
function versionsBetween(from: string | null, to: string, known: readonly string[]): readonly string[] {
  const [first, last] = [versionNumbers(from ?? ''), versionNumbers(to)];
  if (!first || !last) return [to];
  const numbers = [first, last, ...known.map((one) => versionNumbers(one) ?? first)];
  const between = numbers.filter(
    (one) => compareVersions(first, one) <= 0 && compareVersions(one, last) <= 0,
  );
  const minors = new Map<number, number>();
  for (const [major, minor] of between) minors.set(major, Math.max(minors.get(major) ?? 0, minor));
  return [...minors]
    .toSorted(([one], [other]) => one - other)
    .flatMap(([major, most]) => {
      const least = major === first[0] ? first[1] : 0;
      return Array.from({ length: most - least + 1 }, (_, index) => `${major}.${least + index}`);
    });
}

/** The version before, where it is certain: how many minor versions a major one had is unknown. */
function versionBefore(version: string | null): string | null {
  const [major, minor] = versionNumbers(version ?? '') ?? [0, 0];
  return minor > 0 ? `${major}.${minor - 1}` : null;
}

/** The entities of a state by their keys; null where two of one name have other ratings. */
function entitiesOf({ panelId, entities }: VersionState): Shown['entities'] {
  const found = new Map<string, StateEntity | null>();
  for (const entity of entities) {
    const key = entityKey(panelId, { type: entity.type, name: entity.name });
    const other = found.get(key);
    found.set(key, other === undefined || other?.rating === entity.rating ? entity : null);
  }
  return found;
}
