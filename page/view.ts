import type { Filter } from '../lambdas/filters/filter.ts';
import { filterOf, filterOptions } from '../lambdas/questions/filter-options.ts';
import { isDay, OptionError, panelOptions } from '../lambdas/questions/options.ts';
import { type Option, utcTimes } from '../lambdas/questions/question.ts';
import type { Instant } from '../lambdas/run/instant.ts';
import { placeIn } from '../lambdas/store/history/history.ts';
import type { PageQuery } from '../lambdas/store/history/sqlite-pages.ts';
import type { LocalTimes } from './html.ts';
import { AddressError, readAddressOptions } from './read-address.ts';

/** The filter options that an address may have, in the order in which it has them. */
export const filterNames = [
  'panel',
  'r-code',
  'gene',
  'from-rating',
  'to',
  'direction',
  'green',
  'inheritance-from',
  'inheritance-to',
  'topic',
  'type',
  'entity-type',
  'panel-type',
  'tag',
  'actor',
  'late',
] as const;
export type FilterName = (typeof filterNames)[number];

/** What an address states about the stream. Readers with the same address and history see the same. */
export interface View {
  /** The values of the filter's options, as they were given. */
  readonly values: Readonly<Partial<Record<FilterName, readonly string[]>>>;
  readonly filter: Filter;
  /** Searched words; empty for none. */
  readonly words: string;
  /** `30d`, `all`, a day; as given, or the default. */
  readonly since: string;
  /** A day; empty for no end. */
  readonly until: string;
  readonly catalogue: string;
  /** The place after which the page begins; empty for the newest events. */
  readonly before: string;
  /** The id of the event that is open; empty for none. */
  readonly open: string;
  /** Which rendering of the open event is shown. */
  readonly show: string;
}

/** The periods that the form offers. */
export const periods = [
  ['1d', 'Since yesterday'],
  ['monday', 'Since last Monday'],
  ['friday', 'Since last Friday'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
  ['365d', 'Last 365 days'],
  ['all', 'All time'],
] as const;
const DEFAULT_SINCE = '30d';

const oneText: Option<string> = { help: '', read: ([text = '']) => text };
const isDayOrNone = (text: string): boolean => !text.includes('-') || isDay(text);

const viewOptions = {
  ...panelOptions,
  ...filterOptions,
  late: {
    help: 'only changes that the log showed late, or only others',
    read([text]) {
      if (text === undefined || text === 'true' || text === 'false') return text;
      throw new OptionError(text, 'true or false');
    },
  } satisfies Option<'true' | 'false' | undefined>,
  q: oneText,
  since: {
    help: 'changes of this period',
    read([text = DEFAULT_SINCE]) {
      if (/^(?:all|monday|friday|\d{1,5}d|\d{4}-\d{2}-\d{2})$/.test(text) && isDayOrNone(text)) return text;
      throw new OptionError(
        text,
        'a day such as 2026-01-31, 30d for the last 30 days, or friday for the last one',
      );
    },
  } satisfies Option<string>,
  until: {
    help: 'changes before this day',
    read([text = '']) {
      if (text === '' || isDay(text)) return text;
      throw new OptionError(text, 'a day such as 2026-01-31');
    },
  } satisfies Option<string>,
  catalogue: oneText,
  before: {
    help: 'where a page begins',
    read([text = '']) {
      if (text === '' || placeIn(text) !== null) return text;
      throw new OptionError(text, 'a place in the history');
    },
  } satisfies Option<string>,
  open: oneText,
  show: oneText,
};

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readView(parameters: URLSearchParams): View {
  const { texts, asked } = readAddressOptions(viewOptions, parameters, { now: 0n, times: utcTimes });
  const { late, since, until, q: words, catalogue, before, open, show } = asked;
  if (until !== '' && since.includes('-') && until <= since)
    throw new AddressError(`The period ends on ${until}, which is not after its begin on ${since}.`);
  const values = Object.fromEntries(
    filterNames.flatMap((name) => (texts[name] ? [[name, texts[name]]] : [])),
  );
  const filter = filterOf(asked);
  return {
    ...{ values, words, since, until, catalogue, before, open, show },
    filter: late === undefined ? filter : { ...filter, late: late === 'true' },
  };
}

/** The query of a view, without its place in the stream. */
export function queryOf(
  { filter, words, since, until, catalogue }: View,
  times: LocalTimes,
  now: number,
): PageQuery {
  const start = sinceOf(since, times, now);
  return {
    filter,
    ...(words !== '' && { text: words }),
    ...(catalogue !== '' && { catalogue }),
    ...(start !== null && { since: start }),
    ...(until !== '' && { until: times.startOf(until) }),
  };
}

const weekdays: Readonly<Record<string, number>> = { monday: 1, friday: 5 };

/** When a period begins: at the beginning of a day, so that a view is the same all day. Null for all time. */
export function sinceOf(since: string, times: LocalTimes, now: number): Instant | null {
  if (since === 'all') return null;
  const today = times.iso(now);
  const weekday = weekdays[since];
  if (weekday !== undefined) {
    // On a Friday, the last Friday is that of a week ago.
    const daysSince = (new Date(`${today}T00:00:00Z`).getUTCDay() - weekday + 6) % 7;
    return times.startOf(today, -daysSince - 1);
  }
  const [, days] = /^(\d+)d$/.exec(since) ?? [];
  return days === undefined ? times.startOf(since) : times.startOf(today, -Number(days));
}

/** Changes to a view. An empty text or list removes the value. */
type ViewChange = Partial<
  Pick<View, 'words' | 'since' | 'until' | 'catalogue' | 'before' | 'open' | 'show'>
> & { readonly values?: View['values'] };

/** The parameters of a view with changes, in one order, so that the same view always has the same address. */
export function parametersOf(view: View, change: ViewChange = {}): URLSearchParams {
  const { values, words, since, until, catalogue, before, open, show } = { ...view, ...change };
  const parameters = new URLSearchParams();
  for (const name of filterNames) for (const value of values[name] ?? []) parameters.append(name, value);
  const others = {
    q: words,
    since: since === DEFAULT_SINCE ? '' : since,
    until,
    catalogue,
    before,
    open,
    show,
  };
  for (const [name, value] of Object.entries(others)) if (value !== '') parameters.append(name, value);
  return parameters;
}

/** The address of the stream with changes. */
export function addressOf(view: View, change: ViewChange = {}, path = '/'): string {
  const text = parametersOf(view, change).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** The values with those of one option replaced. */
export function withValues(view: View, change: View['values']): View['values'] {
  return { ...view.values, ...change };
}
