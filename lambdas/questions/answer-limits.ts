import type { Filter } from '../filters/filter.ts';
import type { Instant } from '../run/instant.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import { namesFoundToo } from '../store/history/names-found-too.ts';
import { howMuchWasRead, type ReadPart, readPartsOf } from '../store/history/read-part.ts';
import { type NamedPlace, namesIn, unknownNames } from '../store/history/unknown-names.ts';

/** What keeps an answer from being a whole one. */
export interface AnswerLimits {
  readonly read: readonly ReadPart[];
  /** Sentences about names of the filter that do not exist, or that find more than a reader expects. */
  readonly names: readonly string[];
  /** False where a name does not exist, or nothing of the period was read: that nothing was found then says nothing. */
  readonly isAnswer: boolean;
}

interface AskedAnswer extends Pick<HistoryQuery, 'catalogue' | 'since' | 'until'> {
  readonly filter: Filter;
  /** How many events were found. */
  readonly found: number;
  /** The present. */
  readonly now: Instant;
}

/**
 * What limits the answer to a question about the history.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function answerLimits(
  place: NamedPlace & { readonly history: Pick<History, 'coverage'> },
  { filter, found, catalogue, since, until, now }: AskedAnswer,
): Promise<AnswerLimits> {
  const asked = {
    ...(catalogue !== undefined && { catalogue }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
  const read = readPartsOf(await place.history.coverage(), { ...asked, now });
  const unknown = await unknownNames(place, filter, { ...asked, found });
  const foundToo = filter.panels || filter.genes ? namesFoundToo(filter, await namesIn(place)) : [];
  return {
    read,
    names: [...unknown.map(({ sentence }) => sentence), ...foundToo],
    isAnswer: unknown.length === 0 && howMuchWasRead(read) !== 'nothing',
  };
}
