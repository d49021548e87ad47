import type { Filter } from '../lambdas/filters/filter.ts';
import { nearest } from '../lambdas/filters/nearest.ts';
import type { Instant } from '../lambdas/run/instant.ts';
import { placeIn } from '../lambdas/store/history/place.ts';
import type { PageQuery } from '../lambdas/store/history/sqlite-pages.ts';
import type { LocalTimes } from './frame/local-times.ts';
import { AddressError, checkAddressBounds, readAddressFilter } from './read-address.ts';

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

/** Names that may hold a comma, so that none separates two of them. */
const mayHoldCommas: ReadonlySet<FilterName> = new Set([
  'panel',
  'tag',
  'actor',
  'inheritance-from',
  'inheritance-to',
]);

const otherNames = ['q', 'since', 'until', 'catalogue', 'before', 'open', 'show'] as const;

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

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readView(parameters: URLSearchParams): View {
  for (const name of parameters.keys()) {
    const known = [...filterNames, ...otherNames];
    if (known.some((each) => each === name)) continue;
    const near = nearest(name, known);
    throw new AddressError(
      `The address has an unknown part ${JSON.stringify(name.slice(0, 80))}.${near ? ` Did you mean “${near}”?` : ''}`,
    );
  }
  const values: Partial<Record<FilterName, readonly string[]>> = {};
  for (const name of filterNames) {
    const given = parameters
      .getAll(name)
      .flatMap((text) => (mayHoldCommas.has(name) ? [text] : text.split(',')))
      .map((text) => text.trim())
      .filter((text) => text !== '');
    if (given.length > 0) values[name] = [...new Set(given)];
  }
  const one = (name: (typeof otherNames)[number]): string => (parameters.get(name) ?? '').trim();
  const since = one('since') || DEFAULT_SINCE;
  const until = one('until');
  if (!/^(?:all|monday|friday|\d{1,5}d|\d{4}-\d{2}-\d{2})$/.test(since) || !isDay(since)) {
    throw new AddressError(
      `“Changed on or after” is ${JSON.stringify(since)}; expected a day such as 2026-01-31, 30d for the last 30 days, or friday for the last one.`,
    );
  }
  if (until !== '' && (!/^\d{4}-\d{2}-\d{2}$/.test(until) || !isDay(until))) {
    throw new AddressError(
      `“Changed before” is ${JSON.stringify(until)}; expected a day such as 2026-01-31.`,
    );
  }
  if (until !== '' && since.includes('-') && until <= since) {
    throw new AddressError(`The period ends on ${until}, which is not after its begin on ${since}.`);
  }
  const before = one('before');
  if (before !== '' && placeIn(before) === null) {
    throw new AddressError(
      `“before” is ${JSON.stringify(before.slice(0, 80))}, which is not a place in the history.`,
    );
  }
  const view = {
    values,
    filter: filterOf(values),
    words: one('q'),
    since,
    until,
    catalogue: one('catalogue'),
    before,
    open: one('open'),
    show: one('show'),
  };
  checkAddressBounds(parametersOf(view));
  return view;
}

const isDay = (text: string): boolean =>
  !text.includes('-') || !Number.isNaN(Date.parse(`${text}T00:00:00Z`));

function filterOf({ late = [], ...values }: View['values']): Filter {
  const [first, ...others] = late;
  if (others.length > 0 || (first !== undefined && first !== 'true' && first !== 'false')) {
    throw new AddressError(`“late” is ${JSON.stringify(first)}; expected true or false.`);
  }
  const filter = readAddressFilter(values);
  return first === undefined ? filter : { ...filter, late: first === 'true' };
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
  const today = times.day(now);
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
