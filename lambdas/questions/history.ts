import type { PanelEvent } from '../events/schemas.ts';
import { parseInstant } from '../run/instant.ts';
import { counted } from '../run/text.ts';
import { type Place as EventPlace, type HistoryQuery, placeIn, placeText } from '../store/history/history.ts';
import { nothingFoundWords } from '../store/history/read-part.ts';
import { eventValues } from '../words/change-csv.ts';
import { cleanLine } from '../words/clean-text.ts';
import { eventWords } from '../words/event-words.ts';
import { panelPhrase } from '../words/panel-words.ts';
import { phrase } from '../words/phrase.ts';
import { answerLimits, unreadLimits } from './answer-limits.ts';
import { filterOf, filterOptions } from './filter-options.ts';
import { flag, OptionError, panelOptions, periodOf, periodOptions } from './options.ts';
import {
  type Asked,
  type Column,
  declare,
  type Limit,
  limitsOf,
  type Option,
  type Place,
} from './question.ts';

/** The most events of an answer that is held, for programs and for people, where it is not said. */
const USUAL_LIMIT = { programs: 200, people: 50 };
const MOST_OF_A_PAGE = 1_000;
/** A page looks at no more events, so that a rare one costs no reading of the whole history at once. */
const MOST_EXAMINED = 20_000;
const WRITTEN_TOGETHER = 200;

const options = {
  ...periodOptions(),
  ...panelOptions,
  ...filterOptions,
  late: flag('only changes that the log showed late'),
  words: {
    help: 'words that all occur in the summary, the names, the curators or the rows of the log',
    takes: 'WORD',
    ...{ isMultiple: true, isPositional: true },
    read: (words) => words.join(' '),
  } satisfies Option<string>,
  limit: {
    help: `the most events (default: ${USUAL_LIMIT.people}; csv and ndjson: all; for programs: ${USUAL_LIMIT.programs}, at most ${MOST_OF_A_PAGE} at once)`,
    takes: 'N',
    read([text]) {
      if (text === undefined) return undefined;
      if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
      throw new OptionError(text, 'a whole number from 1 to 999999999');
    },
  } satisfies Option<number | undefined>,
  'oldest-first': { ...flag('the oldest event first'), isFor: 'commands' as const },
  before: {
    help: 'only events before this place, which an answer states where more follow',
    takes: 'PLACE',
    isFor: 'programs',
    read([text]) {
      const place = text === undefined ? undefined : placeIn(text);
      if (place !== null) return place;
      throw new OptionError(text ?? '', 'a place that an answer states');
    },
  } satisfies Option<EventPlace | undefined>,
};

const shown: Readonly<Partial<Record<string, Pick<Column<PanelEvent>, 'heading' | 'phrase' | 'kind'>>>> = {
  time: {
    heading: 'When',
    phrase: ({ time = '' }, times) => phrase`${times.moment(parseInstant(time) ?? 0n)}`,
    kind: 'time',
  },
  'what happened': { heading: 'Change', phrase: (event) => eventWords(event).row.words },
  panel: { heading: 'Panel', phrase: ({ data }) => panelPhrase(data.panel) },
  'gene, STR or region': { heading: 'Of', phrase: (event) => phrase`${eventWords(event).row.name}` },
  by: { heading: 'By', phrase: ({ data }) => phrase`${cleanLine(data.actor ?? '')}` },
};

export const question = declare<typeof options, PanelEvent>({
  name: 'history',
  title: 'Events',
  sentence: 'search the published events, newest first',
  group: 'Every day',
  about: 'Each event as it was published, corrected ones and their corrections too.',
  examples: [
    '--since 90d --to green --panel-type gms-signed-off',
    '--gene BRCA1 --format csv --output brca1.csv',
    'mitochondrial --actor "Jo Example"',
  ],
  file: 'events',
  isOfEvents: true,
  options,
  rowsAre: 'events',
  columns: Object.entries(eventValues).map(([key, value]) => ({ key, value, ...shown[key] })),
  async answer(asked, place) {
    const { catalogue, now, times } = place;
    const filter = filterOf(asked);
    const query = {
      ...periodOf(asked, place),
      ...(catalogue !== undefined && { catalogue }),
      filter: asked.late ? { ...filter, late: true } : filter,
      ...(asked.words !== '' && { text: asked.words }),
    };
    const { rows, found, next, cut } = place.pages
      ? onePage(query, asked, place.pages)
      : await everyEvent(query, asked, place);
    const { read, limits, isAnswer } = await answerLimits(place, { ...query, found, now });
    const isNothing = found === 0 && !asked.before && !next;
    return {
      lead: isNothing ? [phrase`${nothingFoundWords('No event was found', read, isAnswer)}`] : [],
      lists: [{ what: 'events', rows }],
      limits: [...limits, ...unreadLimits(read, times), ...cut],
      ...(next && { next: { before: [placeText(next)] } }),
    };
  },
});

function onePage(query: HistoryQuery, asked: Asked<typeof options>, pages: NonNullable<Place['pages']>) {
  const { before, limit = USUAL_LIMIT.programs } = asked;
  const bounds = { size: Math.min(limit, MOST_OF_A_PAGE), examined: MOST_EXAMINED };
  const { events, next } = pages.page(
    { ...query, withCorrected: true },
    { ...bounds, ...(before && { after: before }) },
  );
  const rows = events.map((at): PanelEvent => JSON.parse(pages.bodyAt(at) ?? 'null'));
  return { rows, found: rows.length, next, cut: [] };
}

/** The events up to a number of them; `rows` are those that were not written while they were read. */
async function everyEvent(query: HistoryQuery, asked: Asked<typeof options>, place: Place) {
  const { history, write, progress } = place;
  const limit = asked.limit ?? (write ? undefined : USUAL_LIMIT.people);
  const order = asked['oldest-first'] ? 'oldest' : 'newest';
  const bounded = { ...query, order, ...(limit !== undefined && { limit: limit + 1 }) } as const;
  const [rows, cut]: [PanelEvent[], Limit[]] = [[], []];
  let found = 0;
  for await (const { body } of history.findRecords(bounded)) {
    if (found === limit) {
      cut.push(...limitsOf('note', `These are the ${order} ${counted(found, 'event')}; --limit shows more.`));
      break;
    }
    rows.push(JSON.parse(body));
    found += 1;
    if (found % WRITTEN_TOGETHER > 0) continue;
    progress?.show(found, null);
    await write?.(rows.splice(0));
  }
  progress?.end();
  return { rows, found, next: null, cut };
}
