import type { Texts } from '../../lambdas/questions/question.ts';
import { askedChanges, askedStates, statesOf } from '../../lambdas/questions/worklist/asked-entries.ts';
import {
  readWorklist,
  readWorklistPage,
  type WorklistPage,
} from '../../lambdas/questions/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import type { PageNames } from '../names/page-names.ts';
import { AddressError, checkAddressBounds, readAddressFilter } from '../read-address.ts';
import type { RouteContext } from '../route-context.ts';
import { yieldingHistory } from '../route-context.ts';
import { periods, sinceOf } from '../view.ts';
import { nameInDecisions } from './decide-audited.ts';

type Choices<Value extends string> = readonly (readonly [value: Value, words: string])[];

const choicesOf = <Value extends string>(words: Readonly<Record<Value, string>>): Choices<Value> =>
  Object.entries(words) as unknown as Choices<Value>;
const states = choicesOf(askedStates);
const changes = choicesOf(askedChanges);
const sorts: Choices<'oldest' | 'newest' | 'panel'> = [
  ['oldest', 'oldest first'],
  ['newest', 'newest first'],
  ['panel', 'by panel'],
];
const sinceChoices: Choices<string> = [...periods.filter(([value]) => value !== 'all'), ['all', 'All time']];

/** What the selects of the form offer; the first of each counts where the address has none, and `all` of the times. */
export const worklistChoices = { state: states, change: changes, since: sinceChoices, sort: sorts } as const;

/** What of the worklist is shown. */
export interface WorklistQuery {
  readonly values: {
    readonly panel: readonly string[];
    readonly gene: readonly string[];
    readonly 'r-code': readonly string[];
  };
  readonly state: keyof typeof askedStates;
  readonly change: keyof typeof askedChanges;
  /** A period of the changes, as the view of changes has it. */
  readonly since: string;
  readonly sort: (typeof sorts)[number][0];
  readonly isOverdue: boolean;
  /** A name, `me` or `none`; empty for the entries of everybody. */
  readonly assigned: string;
  /** The earlier time that is shown, as it was given; empty for the present. */
  readonly asOf: string;
  /** Whether it is also said how much came to light later. */
  readonly countsLeftOut: boolean;
  /** From 1. */
  readonly page: number;
}

type NameFilter = keyof WorklistQuery['values'];

const names = [
  ...['panel', 'gene', 'r-code', 'state', 'change', 'since', 'sort', 'overdue', 'assigned'],
  ...['as-of', 'left-out', 'page'],
] as const;
const LONGEST_ASSIGNED = 200;

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readWorklistQuery(parameters: URLSearchParams): WorklistQuery {
  checkAddressBounds(parameters);
  for (const name of parameters.keys()) {
    if (names.some((each) => each === name)) continue;
    throw new AddressError(
      `The address has an unknown part ${JSON.stringify(name.slice(0, 80))}; expected ${names.join(', ')}.`,
    );
  }
  const some = (name: NameFilter): readonly string[] => {
    const given = parameters.getAll(name).flatMap((text) => (name === 'panel' ? [text] : text.split(',')));
    return [...new Set(given.map((text) => text.trim()).filter((text) => text !== ''))];
  };
  const one = <Value extends string>(name: string, choices: readonly Value[], usual: Value): Value => {
    const text = (parameters.get(name) ?? '').trim() || usual;
    const found = choices.find((each) => each === text);
    if (found !== undefined) return found;
    throw new AddressError(
      `“${name}” is ${JSON.stringify(text.slice(0, 80))}; expected ${choices.filter(Boolean).join(', ')}.`,
    );
  };
  const page = (parameters.get('page') ?? '').trim() || '1';
  if (!/^[1-9]\d{0,4}$/.test(page)) {
    throw new AddressError(`“page” is ${JSON.stringify(page.slice(0, 80))}; expected a number from 1.`);
  }
  const assigned = (parameters.get('assigned') ?? '').trim();
  if (assigned.length > LONGEST_ASSIGNED) throw new AddressError('“assigned” is too long to be a name.');
  const values = (choices: Choices<string>) => choices.map(([value]) => value);
  return {
    values: { panel: some('panel'), gene: some('gene'), 'r-code': some('r-code') },
    state: one('state', values(states) as WorklistQuery['state'][], 'pending'),
    change: one('change', values(changes) as WorklistQuery['change'][], 'any'),
    since: one('since', values(sinceChoices), 'all'),
    sort: one('sort', values(sorts) as WorklistQuery['sort'][], 'oldest'),
    isOverdue: one('overdue', ['', 'true'], '') === 'true',
    assigned,
    asOf: (parameters.get('as-of') ?? '').trim(),
    countsLeftOut: one('left-out', ['', 'yes'], '') === 'yes',
    page: Number(page),
  };
}

/** The address that asks this. */
export function worklistAddress(query: Partial<WorklistQuery>, path = '/worklist'): string {
  const { values, state, change, since, sort, isOverdue, assigned, asOf, countsLeftOut, page = 1 } = query;
  const parameters = new URLSearchParams();
  for (const [name, texts] of Object.entries(values ?? {}))
    for (const text of texts) parameters.append(name, text);
  const others: Readonly<Record<string, string | false | undefined>> = {
    state: state !== 'pending' && state,
    change: change !== 'any' && change,
    since: since !== 'all' && since,
    sort: sort !== 'oldest' && sort,
    overdue: isOverdue === true && 'true',
    assigned,
    'as-of': asOf,
    'left-out': countsLeftOut === true && 'yes',
    page: page > 1 && String(page),
  };
  for (const [name, text] of Object.entries(others)) if (text) parameters.set(name, text);
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The address of a list that a form states as the one it was sent from; that of the whole worklist where it states none. */
export function statedList(text: unknown): string {
  const query = typeof text === 'string' && text.startsWith('/worklist?') ? text.slice(10) : '';
  try {
    return worklistAddress(readWorklistQuery(new URLSearchParams(query)));
  } catch (error) {
    if (error instanceof AddressError) return '/worklist';
    throw error;
  }
}

/**
 * What a list asks, as the title of its view and so of a bookmark: `Worklist: mine, now green, since last Monday, R208`.
 */
export function worklistTitle(query: WorklistQuery, pageNames: PageNames): string {
  const wordsOf = (choices: Choices<string>, value: string, usual: string): string =>
    value === usual ? '' : (choices.find(([each]) => each === value)?.[1] ?? '');
  const { assigned, values, isOverdue } = query;
  const named = (['panel', 'gene', 'r-code'] as const).flatMap((name) =>
    values[name].map((value) => pageNames.labelOf(name, value)),
  );
  const whose: Readonly<Record<string, string>> = { '': '', me: 'mine', none: 'not assigned' };
  const parts = [
    whose[assigned] ?? `of ${cleanLine(assigned)}`,
    isOverdue ? 'overdue' : '',
    wordsOf(states, query.state, 'pending'),
    wordsOf(changes, query.change, 'any'),
    wordsOf(sinceChoices, query.since, 'all')
      .toLowerCase()
      .replace('monday', 'Monday')
      .replace('friday', 'Friday'),
    ...named,
  ].filter((text) => text !== '');
  return parts.length === 0 ? 'Worklist' : `Worklist: ${parts.join(', ')}`;
}

/** The names of who asks. */
function namesOf(context: RouteContext): readonly string[] {
  const { person } = context.visitor();
  return person ? [nameInDecisions(person), person.name, person.account] : [];
}

/**
 * Whose entries are asked for; none for those of everybody.
 * @param me the names of who asks
 * @throws {AddressError} when they ask for their own, and have no name
 */
function askedNames(assigned: string, me: readonly string[]): readonly string[] {
  if (assigned === 'me' && me.length === 0) {
    throw new AddressError(
      '“assigned” is "me", and the page knows no name: start it with --as and your name.',
    );
  }
  return assigned === 'me' ? me : [assigned].filter(Boolean);
}

/** What a query asks, for the question about the worklist. */
export function textsOf(
  { values, state, change, since, isOverdue, assigned }: WorklistQuery,
  context: RouteContext,
): Texts {
  const begin = sinceOf(since, context.times, context.clock.now());
  return {
    ...values,
    ...{ status: [state], change: [change], assigned: askedNames(assigned, namesOf(context)) },
    ...(begin !== null && { since: [formatInstant(begin)] }),
    ...(isOverdue && { overdue: ['yes'] }),
  };
}

/** The entries with some ids; null where the place keeps no worklist. */
export async function entriesCalled(
  ids: readonly string[],
  { worklist, place, history, states, clock }: RouteContext,
): Promise<readonly WorklistEntry[] | null> {
  if (worklist === null) return null;
  const { entries } = await readWorklist(
    { ...place, history: yieldingHistory(history), worklist: worklist.store, statesOf: states },
    { settings: worklist.settings, now: instantOf(clock.now()), ids: new Set(ids) },
  );
  return entries;
}

/**
 * The page of the list that an address asks for; null where the place keeps no worklist.
 * @throws {AddressError} when it asks for the entries of who asks, and they have no name
 */
export async function worklistPageOf(
  context: RouteContext,
  query: WorklistQuery,
  size: number,
): Promise<WorklistPage | null> {
  const { worklist, place, history, states, clock, times } = context;
  if (worklist === null) return null;
  const { values, state, change, since, sort, isOverdue, assigned, page } = query;
  const begin = sinceOf(since, times, clock.now());
  const names = askedNames(assigned, namesOf(context));
  return readWorklistPage(
    { ...place, history: yieldingHistory(history), worklist: worklist.store, statesOf: states },
    {
      settings: worklist.settings,
      filter: readAddressFilter(namedValues(values)),
      now: instantOf(clock.now()),
      ...(begin !== null && { since: begin }),
    },
    {
      ...{ states: statesOf(state), change, isOverdue, order: sort, page, size },
      assigned: assigned === 'none' ? null : names.length === 0 ? undefined : names,
    },
  );
}

/** The response where the place keeps no worklist. */
export const noWorklist = (context: RouteContext): Promise<Response> =>
  context.refuse(
    'There is no worklist',
    'This stage keeps none: add worklist to its settings, and deploy it.',
    404,
  );

/** The names that are asked for: an empty list asks for none. */
const namedValues = (values: Partial<WorklistQuery['values']>): Partial<WorklistQuery['values']> =>
  Object.fromEntries(Object.entries(values).filter(([, texts]) => texts.length > 0));
