import { setImmediate as nextTurn } from 'node:timers/promises';
import { asOfOptions } from '../../lambdas/questions/ask.ts';
import { filterOf, filterOptions } from '../../lambdas/questions/filter-options.ts';
import { choice, OptionError, panelOptions } from '../../lambdas/questions/options.ts';
import type { Asked, Option, Options, Texts } from '../../lambdas/questions/question.ts';
import { assign, decide } from '../../lambdas/questions/worklist/decide.ts';
import {
  readWorklist,
  readWorklistPage,
  type WorklistPage,
} from '../../lambdas/questions/worklist/read-worklist.ts';
import {
  askedChanges,
  askedStates,
  statesOf,
  type WorklistEntry,
} from '../../lambdas/questions/worklist/worklist-of.ts';
import type { WorklistState, WorklistStore } from '../../lambdas/questions/worklist/worklist-record.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import type { PageNames } from '../names.ts';
import { addressOf } from '../questions.ts';
import { AddressError, readAddressOptions } from '../read-address.ts';
import type { RouteContext } from '../route-context.ts';
import type { Person } from '../sign-in/access.ts';
import type { AuditEntry, AuditLog } from '../sign-in/people-file.ts';
import { periods, sinceOf } from '../view.ts';

/** What the list of the page can be asked. The question has the states as `status`, and any period. */
const listOptions = {
  state: choice('entries in which state', 'State', askedStates),
  change: choice('what changed', 'Change', askedChanges),
  since: choice('changed in which period', 'Changed', {
    all: 'All time',
    ...Object.fromEntries(periods.filter(([value]) => value !== 'all')),
  }),
  sort: choice('in which order', 'Order', {
    oldest: 'oldest first',
    newest: 'newest first',
    panel: 'by panel',
  }),
  panel: panelOptions.panel,
  gene: filterOptions.gene,
  'r-code': panelOptions['r-code'],
  overdue: {
    help: 'only what is overdue',
    field: { kind: 'flag', label: 'overdue only', value: 'true' },
    read([text]) {
      if (text === undefined || text === 'true') return text !== undefined;
      throw new OptionError(text, 'true, or nothing');
    },
  } satisfies Option<boolean>,
  assigned: {
    help: 'a name, me or none',
    takes: 'NAME',
    read([text = '']) {
      if (text.length <= LONGEST_ASSIGNED) return text;
      throw new OptionError(text, 'a name');
    },
  } satisfies Option<string>,
  page: {
    help: 'the page of a long list, from 1',
    takes: 'N',
    read([text = '1']) {
      if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
      throw new OptionError(text, 'a number from 1');
    },
  } satisfies Option<number>,
};
const LONGEST_ASSIGNED = 200;

/** The list of the page as a question, for its form and its addresses. */
export const worklistList = { name: 'worklist', options: listOptions as Options };

/** What of the worklist is shown: as an address states it, and what that means. */
export interface WorklistQuery extends Asked<typeof listOptions> {
  readonly texts: Texts;
}

/**
 * Reads the parameters of an address. Empty ones count as absent.
 * @throws {AddressError} when one is unknown, or has a value that it does not take
 */
export function readWorklistQuery(
  parameters: URLSearchParams,
  { clock, times }: Pick<RouteContext, 'clock' | 'times'>,
): WorklistQuery {
  const options = { ...listOptions, ...asOfOptions };
  const moment = { now: instantOf(clock.now()), times };
  const { texts, asked } = readAddressOptions(options, parameters, moment);
  return { ...asked, texts };
}

/** The address of a list with other values of some options, from its first page on. */
export function worklistAddress(
  { texts }: Pick<WorklistQuery, 'texts'>,
  change: Texts = {},
  path = '',
): string {
  const kept = Object.entries({ ...texts, page: [], ...change }).map(([name, values]) => {
    const { field } = worklistList.options[name] ?? {};
    const usual = field?.kind === 'choice' ? Object.keys(field.choices)[0] : '';
    return [name, values.filter((value) => value !== usual)] as const;
  });
  return addressOf(worklistList, Object.fromEntries(kept), path);
}

/** The address of a list that a form states as the one it was sent from; that of the whole worklist where it states none. */
export function statedList(text: unknown, context: RouteContext): string {
  const query = typeof text === 'string' && text.startsWith('/worklist?') ? text.slice(10) : '';
  try {
    return worklistAddress(readWorklistQuery(new URLSearchParams(query), context));
  } catch (error) {
    if (error instanceof AddressError) return '/worklist';
    throw error;
  }
}

/**
 * What a list asks, as the title of its view and so of a bookmark: `Worklist: mine, now green, since last Monday, R208`.
 */
export function worklistTitle(query: WorklistQuery, pageNames: PageNames): string {
  const { assigned, overdue } = query;
  const wordsOf = (name: 'state' | 'change' | 'since'): string => {
    const { field } = listOptions[name];
    const [usual, ...others] = field?.kind === 'choice' ? Object.entries(field.choices) : [];
    return others.find(([value]) => value === query[name] && value !== usual?.[0])?.[1] ?? '';
  };
  const named = (['panel', 'gene', 'r-code'] as const).flatMap((name) =>
    query[name].map((value) => pageNames.labelOf(name, value)),
  );
  const whose: Readonly<Record<string, string>> = { '': '', me: 'mine', none: 'not assigned' };
  const parts = [
    whose[assigned] ?? `of ${cleanLine(assigned)}`,
    overdue ? 'overdue' : '',
    wordsOf('state'),
    wordsOf('change'),
    wordsOf('since').toLowerCase().replace('monday', 'Monday').replace('friday', 'Friday'),
    ...named,
  ].filter((text) => text !== '');
  return parts.length === 0 ? 'Worklist' : `Worklist: ${parts.join(', ')}`;
}

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
export function questionTexts(
  { texts, state, assigned, since, overdue }: WorklistQuery,
  context: RouteContext,
): Texts {
  const { state: _state, sort: _sort, page: _page, ...others } = texts;
  const begin = sinceOf(since, context.times, context.clock.now());
  return {
    ...others,
    ...{ status: [state], assigned: askedNames(assigned, namesOf(context)) },
    since: begin === null ? [] : [formatInstant(begin)],
    overdue: overdue ? ['yes'] : [],
  };
}

/** The entries with some ids; null where the place keeps no worklist. */
export async function entriesCalled(
  ids: readonly string[],
  { worklist, place, history, states, clock }: RouteContext,
): Promise<readonly WorklistEntry[] | null> {
  if (worklist === null) return null;
  const { entries } = await readWorklist(
    { ...place, history, worklist: worklist.store, statesOf: states },
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
  const { state, change, since, sort, overdue, assigned, page } = query;
  const begin = sinceOf(since, times, clock.now());
  const names = askedNames(assigned, namesOf(context));
  return readWorklistPage(
    { ...place, history, worklist: worklist.store, statesOf: states },
    {
      settings: worklist.settings,
      filter: filterOf({ ...query }),
      now: instantOf(clock.now()),
      ...(begin !== null && { since: begin }),
    },
    {
      ...{ states: statesOf(state), change, isOverdue: overdue, order: sort, page, size },
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

interface DecidingPlace {
  readonly entries: readonly WorklistEntry[];
  readonly store: WorklistStore;
  readonly audit: Pick<AuditLog, 'write'> | undefined;
  readonly clock: Clock;
}

/** What became of a decision about one entry, or of its assignment. */
export interface Decided {
  /** Absent where the worklist has no such entry. */
  readonly entry: WorklistEntry | undefined;
  /** The kind of the outcome. */
  readonly kind: string;
  /** Why nothing was changed; null where it is as the person wanted it. */
  readonly refusal: string | null;
}

/** What a form states of an entry: its id, and how many decisions and assignments the person saw. */
interface Chosen {
  readonly id: string;
  readonly revision: number;
  readonly assignments: number;
}

/** An entry as a form states it. Several of them, with blanks between, are one value. */
export const chosenText = ({ id, revision, assignments }: WorklistEntry): string =>
  `${id}:${revision}:${assignments.length}`;

/** The entries that a form states; one may come twice. */
export function chosenEntries(values: readonly string[]): readonly Chosen[] {
  return values
    .flatMap((text) => text.split(/\s+/))
    .filter(Boolean)
    .map((text) => {
      const [id = '', revision, assignments] = text.split(':');
      return { id, revision: Number(revision), assignments: Number(assignments) };
    });
}

interface Given {
  readonly person: Person;
  readonly chosen: readonly Chosen[];
}

/**
 * Decides about the chosen entries, with two lines in the audit log for each. Other requests are answered meanwhile.
 * @returns what became of each
 */
export function decideAudited(
  { person, state, why, chosen }: Given & { readonly state: WorklistState; readonly why: string },
  place: DecidingPlace,
): Promise<readonly Decided[]> {
  const by = nameInDecisions(person);
  return audited({ person, chosen }, place, {
    before: ({ id, revision }) => ({
      ...{ action: 'decides', person: person.id, entry: id, name: person.name, state },
      revision: String(revision),
    }),
    work: (entry, { revision }) => decide(entry, { state, by, why, revision }, place),
    after: 'decided',
  });
}

/** Assigns the chosen entries to a person, or to none, as `decideAudited` decides about them. */
export function assignAudited(
  { person, to, chosen }: Given & { readonly to: string | null },
  place: DecidingPlace,
): Promise<readonly Decided[]> {
  const by = nameInDecisions(person);
  return audited({ person, chosen }, place, {
    before: ({ id }) => ({ action: 'assigns', person: person.id, entry: id, name: person.name, to }),
    work: (entry, { assignments }) => assign(entry, { to, by, seen: assignments }, place),
    after: 'assigned',
  });
}

/** Entries that are written at a time: a table answers them side by side, a file one after the other. */
const AT_ONCE = 16;

interface Work {
  /** The line before it counts: without its line in the audit log, nothing can be done. */
  before(chosen: Chosen): AuditEntry;
  work(entry: WorklistEntry, chosen: Chosen): Promise<{ readonly kind: string; readonly sentence?: string }>;
  readonly after: 'decided' | 'assigned';
}

async function audited(
  { person, chosen: stated }: Given,
  { entries, audit }: DecidingPlace,
  { before, work, after }: Work,
): Promise<readonly Decided[]> {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const chosen = [...new Map(stated.map((each) => [each.id, each])).values()];
  await audit?.write(...chosen.map(before));
  const done: Decided[] = [];
  const one = async (each: Chosen): Promise<Decided> => {
    const entry = byId.get(each.id);
    const { kind, sentence = null } = entry
      ? await work(entry, each)
      : { kind: 'no such entry', sentence: 'The worklist has no such entry.' };
    return { entry, kind, refusal: sentence };
  };
  try {
    for (let at = 0; at < chosen.length; at += AT_ONCE) {
      done.push(...(await Promise.all(chosen.slice(at, at + AT_ONCE).map(one))));
      await nextTurn();
    }
  } finally {
    const outcomes = done.map(({ kind }, index) => {
      const entry = chosen[index]?.id ?? '';
      return { action: after, person: person.id, entry, outcome: kind } as const;
    });
    await audit?.write(...outcomes);
  }
  return done;
}

/** The name that decisions, readings and comments keep. Two people may have one name: the account distinguishes them. */
export const nameInDecisions = ({ name, account }: Person): string =>
  (name === account ? name : `${name} (${account})`).slice(0, 200);
