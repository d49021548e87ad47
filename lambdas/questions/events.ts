import type { PanelEvent } from '../events/schemas.ts';
import { type Place as EventPlace, placeIn, placeText } from '../store/history/place.ts';
import { nothingFoundWords } from '../store/history/read-part-words.ts';
import { phrase } from '../words/phrase.ts';
import { answerLimits, unreadLimits } from './answer-limits.ts';
import { filterOf, filterOptions } from './filter-options.ts';
import { OptionError, panelOptions, periodOf, periodOptions } from './options.ts';
import { declare, type Option } from './question.ts';

const USUAL_LIMIT = 200;
const MOST_EVENTS = 1_000;
/** An answer looks at no more events, so that a rare one costs no reading of the whole history at once. */
const MOST_EXAMINED = 20_000;

const options = {
  ...periodOptions('30d'),
  ...panelOptions,
  ...filterOptions,
  words: {
    help: 'words that all occur in the summary, the names, the curators or the rows of the log',
    takes: 'TEXT',
    read: ([text]) => text,
  } satisfies Option<string | undefined>,
  limit: {
    help: `the most events of one answer, from 1 to ${MOST_EVENTS}; default: ${USUAL_LIMIT}`,
    takes: 'N',
    read([text = String(USUAL_LIMIT)]) {
      if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_EVENTS) return Number(text);
      throw new OptionError(text, `a whole number from 1 to ${MOST_EVENTS}`);
    },
  } satisfies Option<number>,
  before: {
    help: 'only events before this place, which an answer states where more follow',
    takes: 'PLACE',
    read([text]) {
      const place = text === undefined ? undefined : placeIn(text);
      if (place !== null) return place;
      throw new OptionError(text ?? '', 'a place that an answer states');
    },
  } satisfies Option<EventPlace | undefined>,
};

export const question = declare<typeof options, PanelEvent>({
  name: 'events',
  title: 'Events',
  sentence: 'the events that were published, newest first',
  group: 'Beside them',
  about: 'Each event as it was published, corrected ones and their corrections too.',
  examples: [],
  file: 'events',
  options,
  columns: [],
  lineOf: (event) => event,
  async answer(asked, place) {
    const period = periodOf(asked, place);
    const { before, limit, words } = asked;
    const { catalogue, now, times } = place;
    const query = {
      ...period,
      ...(catalogue !== undefined && { catalogue }),
      filter: filterOf(asked),
      ...(words !== undefined && { text: words }),
    };
    if (!place.pages) throw new Error('events are asked for where a page shows them');
    const { events, next } = place.pages.page(
      { ...query, withCorrected: true },
      { size: limit, examined: MOST_EXAMINED, ...(before && { after: before }) },
    );
    const found = events.length;
    const { read, limits, isAnswer } = await answerLimits(place, { ...query, found, now });
    const bodyAt = (at: EventPlace): PanelEvent => JSON.parse(place.pages?.bodyAt(at) ?? 'null');
    return {
      lead:
        found > 0 || before || next
          ? []
          : [phrase`${nothingFoundWords('No event was found', read, isAnswer)}`],
      lists: [{ what: 'events', rows: events.map(bodyAt) }],
      limits: [...limits, ...unreadLimits(read, times)],
      ...(next && { next: { before: [placeText(next)] } }),
    };
  },
});
