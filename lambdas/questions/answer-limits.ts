import type { Filter } from '../filters/filter.ts';
import type { Instant } from '../run/instant.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import { howMuchWasRead, type ReadPart, readPartsOf, unreadSentences } from '../store/history/read-part.ts';
import { type NamedPlace, namesFoundToo, namesIn, unknownNames } from '../store/history/unknown-names.ts';
import { type Limit, limitsOf, type Times, unknownNameLimit } from './question.ts';

/** What keeps an answer from being a whole one. */
export type AnswerLimits = Awaited<ReturnType<typeof answerLimits>>;

interface AskedAnswer extends Pick<HistoryQuery, 'catalogue' | 'since' | 'until'> {
  readonly filter: Filter;
  readonly found: number;
  readonly now: Instant;
}

/**
 * What limits the answer to a question about the history.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function answerLimits(
  place: NamedPlace & { readonly history: Pick<History, 'coverage'> },
  { filter, found, catalogue, since, until, now }: AskedAnswer,
) {
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
    /** Sentences about names of the filter that do not exist, or that find more than a reader expects. */
    names: [...unknown.map(({ sentence }) => sentence), ...foundToo],
    /** The same, each with its kind; what of the period was not read is not among them. */
    limits: [
      ...unknown.map(({ key, ...name }) =>
        unknownNameLimit({ ...name, option: optionOf[key as keyof typeof optionOf] ?? key }),
      ),
      ...limitsOf('note', ...foundToo),
    ],
    /** False where a name does not exist, or nothing of the period was read: that nothing was found then says nothing. */
    isAnswer: unknown.length === 0 && howMuchWasRead(read) !== 'nothing',
  };
}

/** The options that hold the names of a filter. */
export const optionOf = {
  panels: 'panel',
  panelTypes: 'panel-type',
  rCodes: 'r-code',
  genes: 'gene',
  tags: 'tag',
  actors: 'actor',
  catalogues: 'catalogue',
} as const satisfies Readonly<Partial<Record<keyof Filter, string>>>;

/** What of a period was not read: nothing of it, or parts. After the newest row that was read there may be none. */
export function unreadLimits(read: readonly ReadPart[], times: Times): readonly Limit[] {
  if (howMuchWasRead(read) === 'all') return [];
  const isNothing = howMuchWasRead(read) === 'nothing';
  const limits = read.flatMap((part) => {
    const [gaps, open] = [
      { ...part, openSince: null },
      { ...part, gaps: [] },
    ];
    return [
      ...limitsOf(isNothing ? 'unread' : 'unknown', ...unreadSentences([gaps], times.moment)),
      ...limitsOf('note', ...unreadSentences([open], times.moment)),
    ];
  });
  if (!isNothing || limits.some(({ kind }) => kind === 'unread')) return limits;
  return [...limits, ...limitsOf('unread', 'Nothing of this period was read.')];
}
