import type { ClassifiedRow, RecognisedRow } from '../classifier/classify-row.ts';
import { type Instant, instantOf } from '../clock/instant.ts';
import type { ShownRating } from '../correlation/chunk-entities.ts';
import { entityKey } from '../correlation/entity-key.ts';
import { ratingAfter, subjectOf } from '../correlation/subject.ts';
import type { Rating } from '../events/changes.ts';
import { compareVersions, versionNumbers } from '../events/panel-version.ts';
import { ServiceError } from '../http/service-error.ts';
import type { Log } from '../log/log.ts';
import { type Archive, ArchivePaused } from './archive.ts';
import { readAhead } from './last-reached.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import type { VersionState, VersionSummary } from './version-state.ts';

/**
 * The rating that the state of a panel shows before a row, by the row and the key of an entity.
 * @param known the rating that earlier rows state; null where they state none
 */
export type RatingsBefore = (
  rows: readonly ClassifiedRow[],
  known: (key: string) => Rating | null,
) => Promise<(row: RecognisedRow, key: string) => ShownRating | undefined>;

interface RatingsOptions {
  readonly states: Pick<PanelStateStore, 'versions' | 'read' | 'save'>;
  /** Where to ask for the version before a row; without it, what is kept is all that is known. */
  readonly archive?: Archive;
  /** Whether the run ends where its time for requests is over, because the next one reads the same rows again. */
  readonly nextRunGoesOn?: boolean;
  readonly log: Log;
}

interface ShownRatings {
  readonly ratings: ReadonlyMap<string, Rating | null>;
  readonly at: Instant;
}

/**
 * The most requests of one poll: at the default pace, an hour, for the backlog of years. A panel of which nothing is kept is
 * asked for once in any case: its state leads to the ratings of all its later rows.
 */
const MOST_REQUESTS = 360;

/** A row and the version of its `created` may differ by this much. */
const SECOND: Instant = instantOf(1000);

/**
 * Looks up ratings in the states of panels. Where a row rates an entity of unknown rating, and the version before the row
 * is not kept, the catalogue is asked for it: the first message about a gene then says what it was.
 *
 * The function that it returns throws {ArchivePaused} where the next run goes on with what this one has read.
 */
export function createRatingsBefore({
  states,
  archive,
  nextRunGoesOn = false,
  log,
}: RatingsOptions): RatingsBefore {
  /** Set once the catalogue gives no more states in this run. */
  let exhausted = archive === undefined;
  let saved = 0;
  const askedFor = new Set<number>();

  const ask = async (panelId: number, version: string): Promise<VersionState | null> => {
    askedFor.add(panelId);
    try {
      const answer = await archive?.read(panelId, version);
      if (answer?.kind !== 'state') return null;
      const { validFrom } = answer.state;
      const kept = (await states.versions(panelId)).some(
        (one) => one.version === version && one.validFrom === validFrom,
      );
      // What was read of it before is compared with this by the proof of its end.
      if (!kept) {
        await states.save({ ...answer.state, proof: readAhead });
        saved += 1;
      }
      return answer.state;
    } catch (error) {
      if (!(error instanceof ArchivePaused) && !(error instanceof ServiceError)) throw error;
      // What was saved is not asked for again, so that runs come to their end.
      const goesOn = error instanceof ArchivePaused && error.pause === 'out-of-time' && saved > 0;
      if (nextRunGoesOn && goesOn) throw error;
      // The events go out without the rating before; a proof reads the state later.
      exhausted = true;
      log.info('The rating before a row could not be asked for', { panelId, version, reason: error.message });
      return null;
    }
  };

  const stateBefore = async (
    rows: readonly RecognisedRow[],
    unrated: ReadonlySet<RecognisedRow>,
  ): Promise<ShownRatings | null> => {
    const [first] = rows;
    const panelId = first?.activity.panel_id;
    if (!first || typeof panelId !== 'number') return null;
    const begun = rows.reduce((least, { at }) => (at < least ? at : least), first.at);
    const { panel_version: version } = first.activity;
    const kept = (await states.versions(panelId)).findLast((one) => isBefore(one, version, begun));
    const previous = versionBefore(version);
    const isExact = kept !== undefined && (kept.version === previous || kept.source === 'present');
    const state = kept && (await states.read(kept));
    const shown = state ? ratingsOf(state, begun) : null;
    // HGNC may have changed a symbol since the panel was read.
    const lacks = (row: RecognisedRow): boolean => !shown?.ratings.has(subjectOf(row) ?? '');
    const wanted = rows.filter((row) => unrated.has(row));
    const isEnough = isExact && !(kept.source === 'present' && wanted.some(lacks));
    const isFirst = kept === undefined && !askedFor.has(panelId);
    const mayAsk = !exhausted && (isFirst || (archive?.requests ?? 0) < MOST_REQUESTS);
    if (!isEnough && previous !== null && mayAsk && wanted.length > 0) {
      const asked = await ask(panelId, previous);
      if (asked) return ratingsOf(asked, begun);
    }
    return shown;
  };

  return async (rows, known) => {
    const recognised = rows.filter((row) => row.kind === 'recognised');
    const unrated = rowsOfUnknownRating(recognised, known);
    const groups = Map.groupBy(recognised, groupOf);
    const shown = new Map<string, ShownRatings>();
    for (const [group, own] of groups) {
      if (!own.some((row) => subjectOf(row) !== null)) continue;
      const found = await stateBefore(own, unrated);
      if (found) shown.set(group, found);
    }
    return (row, key) => {
      const found = shown.get(groupOf(row));
      const rating = found?.ratings.get(key);
      return found && rating !== undefined ? { rating, at: found.at } : undefined;
    };
  };
}

const groupOf = ({ activity }: RecognisedRow): string => `${activity.panel_id} ${activity.panel_version}`;

/** Whether a state shows a panel as it was before a version, or before an instant of the version. */
function isBefore(state: VersionSummary, version: string | null, begun: Instant): boolean {
  if (state.source === 'present') return state.readAt < begun;
  const [own, other] = [versionNumbers(state.version), versionNumbers(version ?? '')];
  if (own && other && compareVersions(own, other) >= 0) return false;
  return (state.validTo ?? state.validFrom) <= begun + SECOND;
}

/** The version before, where it is certain: how many minor versions a major one had is unknown. */
function versionBefore(version: string | null): string | null {
  const [major, minor] = versionNumbers(version ?? '') ?? [0, 0];
  return minor > 0 ? `${major}.${minor - 1}` : null;
}

/** The rows that rate or remove an entity that was there, where neither they nor earlier rows say how it was rated. */
function rowsOfUnknownRating(
  rows: readonly RecognisedRow[],
  known: (key: string) => Rating | null,
): ReadonlySet<RecognisedRow> {
  const stated = new Map<string, Rating | null>();
  const unrated = new Set<RecognisedRow>();
  for (const row of rows) {
    const subject = subjectOf(row);
    if (subject === null) continue;
    const { draft } = row.reading;
    const before = stated.get(subject) ?? (stated.has(subject) ? null : known(subject));
    const rated = draft['entity.classified'];
    const isRated = rated !== undefined && (rated.from ?? null) === null;
    if ((isRated || draft['entity.removed']) && !draft['entity.added'] && before === null) unrated.add(row);
    const after = ratingAfter(row);
    if (after !== undefined) stated.set(subject, after);
  }
  return unrated;
}

/** The ratings of a state by the key of the entity; null where two entities of one name differ. */
function ratingsOf(state: VersionState, begun: Instant): ShownRatings {
  const ratings = new Map<string, Rating | null>();
  for (const { type, name, rating } of state.entities) {
    const key = entityKey(state.panelId, { type, name });
    const other = ratings.get(key);
    ratings.set(key, other === undefined || other === rating ? rating : null);
  }
  const end = state.source === 'present' ? state.readAt : (state.validTo ?? begun - 1n);
  return { ratings, at: end < begun ? end : begun - 1n };
}
