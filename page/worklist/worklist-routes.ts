import type { Hono } from 'hono';
import { asOfLimit } from '../../lambdas/questions/ask.ts';
import { type Answered, csv, documentOf, htmlOf } from '../../lambdas/questions/documents.ts';
import { CasesError } from '../../lambdas/questions/impact/case-of.ts';
import { recogniseCases } from '../../lambdas/questions/impact/read-cases.ts';
import type { Limit } from '../../lambdas/questions/question.ts';
import { keptStatesOf } from '../../lambdas/questions/state.ts';
import { comment } from '../../lambdas/questions/worklist/decide.ts';
import { caseCountsOf, headlineOf } from '../../lambdas/questions/worklist/entry-rows.ts';
import { isAssignedTo, type WorklistEntry } from '../../lambdas/questions/worklist/worklist-of.ts';
import { worklistStateForms, worklistStates } from '../../lambdas/questions/worklist/worklist-record.ts';
import { question } from '../../lambdas/questions/worklist.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type Html, html } from '../html.ts';
import { isAllUnknown, unknownNames } from '../names.ts';
import { addressOf, askOnPage, fileTimes, placeOf } from '../questions.ts';
import { csvResponse, fileResponse } from '../read-address.ts';
import type { RouteContext } from '../route-context.ts';
import { isByPerson, type Person } from '../sign-in/access.ts';
import {
  assignAudited,
  chosenEntries,
  type Decided,
  decideAudited,
  entriesCalled,
  nameInDecisions,
  noWorklist,
  questionTexts,
  readWorklistQuery,
  statedList,
  worklistAddress,
  worklistPageOf,
  worklistTitle,
} from './worklist-query.ts';
import {
  ENTRIES_OF_A_VIEW,
  type EntryFacts,
  entryPageView,
  mayDecide,
  worklistPageView,
} from './worklist-view.ts';

/** The worklist: its entries, each with its history, as a page, a spreadsheet and a report; and the forms of deciders. */
export function addWorklistRoutes(app: Hono, context: RouteContext): void {
  const { times } = context;
  addWorklistForms(app, context);
  app.get('/worklist', ({ req }) =>
    context.inTime(req.url, async (then) => {
      const query = readWorklistQuery(new URL(req.url).searchParams, then);
      const worklist = await worklistPageOf(then, query, ENTRIES_OF_A_VIEW);
      if (!worklist) return noWorklist(then);
      const names = await then.names();
      const unknown = await unknownNames(then, query.texts, names);
      const facts = { ...(await factsOf(then, worklist.entries)), people: await peopleOf(then) };
      const page = { asOf: limitOf(then), at: then.asOf, query, worklist, names, unknown, ...facts };
      return then.answer(
        {
          title: worklistTitle(query, names),
          current: 'worklist',
          main: worklistPageView(page, then.visitor(), then.moment()),
          bodyClass: 'printable',
        },
        isAllUnknown(query.texts, unknown) ? 404 : 200,
      );
    }),
  );

  /** A file with what a list asks, as the question answers it. */
  const file = (address: string, of: (found: Answered, name: string) => Response): Promise<Response> =>
    context.inTime(address, async (then) => {
      const query = readWorklistQuery(new URL(address).searchParams, then);
      if (!then.worklist) return noWorklist(then);
      const asked = new URL(addressOf(question, questionTexts(query, then)), address).href;
      const found = await askOnPage(question, { address: asked, times: fileTimes(times) }, then);
      const unknown = found.answer.limits.find(({ kind }) => kind === 'name');
      if (!found.isWithheld) return of(found, `worklist-${times.iso(then.clock.now())}`);
      return then.refuse(unknown?.sentence ?? '', 'So no file can list its entries.', 404);
    });

  app.get('/worklist.csv', ({ req }) =>
    file(req.url, (found, name) => csvResponse([documentOf(csv, found)], name)),
  );

  app.get('/worklist/report', ({ req }) =>
    file(req.url, (found, name) =>
      fileResponse([htmlOf(found)], { name: `${name}.html`, type: 'text/html' }),
    ),
  );

  app.get('/worklist/:id', ({ req }) =>
    context.inTime(req.url, async (then) => {
      const entries = await entriesCalled([req.param('id')], then);
      if (!entries || !then.worklist) return noWorklist(then);
      const [entry] = entries;
      if (!entry) {
        return then.refuse(
          'No such entry',
          html`The worklist has no entry of this id. <a href="/worklist">Worklist</a>`,
          404,
        );
      }
      const visitor = then.visitor();
      if (visitor.person && then.asOf === undefined && isByPerson(req.raw)) {
        const at = formatInstant(instantOf(then.clock.now()));
        await then.worklist.store.noteReading({ entry: entry.id, by: nameInDecisions(visitor.person), at });
      }
      const asOf = limitOf(then);
      const list = worklistAddress({ texts: { 'as-of': [req.query('as-of') ?? ''] } });
      const past = asOf && { asOf, list };
      return then.answer({
        title: headlineOf(entry),
        current: 'worklist',
        main: entryPageView(
          entry,
          { ...(await factsOf(then, [entry])), people: await peopleOf(then), visitor, past },
          then.moment(),
        ),
        bodyClass: 'printable',
      });
    }),
  );
}

const limitOf = ({ asOf, times }: RouteContext): Limit | undefined => asOf && asOfLimit(asOf, times);

async function countsOf(then: RouteContext, entries: readonly WorklistEntry[]): Promise<EntryFacts['cases']> {
  const { cases: input, worklist } = then;
  if (!input || !worklist) return undefined;
  const [catalogue, ...others] = await then.followed();
  if (catalogue === undefined || others.length > 0)
    return 'the page has several catalogues, and the cases state none; worklist --cases counts them by catalogue';
  try {
    const cases = { ...(await recogniseCases(input)), counts: worklist.settings.counts };
    return (await caseCountsOf(entries, cases, keptStatesOf(catalogue, await placeOf(then)))).counts;
  } catch (error) {
    if (error instanceof CasesError) return error.message;
    throw error;
  }
}

const factsOf = async (then: RouteContext, entries: readonly WorklistEntry[]): Promise<EntryFacts> => ({
  events: await (await import('../event/event-view.ts')).readOpenEvents(
    then,
    entries.map(({ event }) => event.id),
  ),
  cases: await countsOf(then, entries),
});

/** More are chosen by no person. */
const MOST_AT_ONCE = 500;

interface Sent {
  readonly form: Readonly<Record<string, unknown>>;
  readonly chosen: ReturnType<typeof chosenEntries>;
  placeOfEntries(): Promise<Parameters<typeof decideAudited>[1]>;
}

function addWorklistForms(app: Hono, context: RouteContext): void {
  const { clock, audit } = context;

  /** Answers a form of deciders; other people, and a place without a worklist, are refused. */
  const answer = (
    verb: string,
    { does, by }: { readonly does: string; by(person: Person, sent: Sent): Promise<Response> },
  ): void => {
    app.post(`/worklist/${verb}`, async ({ req }) => {
      const { person } = context.visitor();
      if (person === null || !mayDecide(context.visitor()))
        return context.refuse(`You may not ${verb}`, `Deciders ${does}; your role is another one.`, 403);
      if (!context.worklist) return noWorklist(context);
      const { store } = context.worklist;
      const form = await req.parseBody({ all: true });
      const texts = [form.entry ?? []].flat().filter((text) => typeof text === 'string');
      const chosen = chosenEntries(texts);
      const ids = chosen.map(({ id }) => id);
      const placeOfEntries = async () => ({
        entries: (await entriesCalled(ids, context)) ?? [],
        ...{ store, audit, clock },
      });
      return by(person, { form, chosen, placeOfEntries });
    });
  };

  answer('comment', {
    does: 'comment on entries',
    async by(person, { form: { text }, chosen, placeOfEntries }) {
      if (chosen.length !== 1 || typeof text !== 'string')
        return context.refuse('Nothing was kept', 'Write a comment on an entry.', 400);
      const place = await placeOfEntries();
      const [entry] = place.entries;
      if (!entry) return context.refuse('No such entry', 'The worklist has no entry of this id.', 404);
      const audited = { person: person.id, entry: entry.id };
      await audit?.write({ action: 'comments', ...audited, name: person.name });
      const outcome = await comment(entry, { by: nameInDecisions(person), text }, place);
      await audit?.write({ action: 'commented', ...audited, outcome: outcome.kind });
      if (outcome.kind === 'refused') return context.refuse('Nothing was kept', outcome.sentence, 400);
      return new Response(null, { status: 303, headers: { location: `/worklist/${entry.id}` } });
    },
  });

  answer('decide', {
    does: 'decide about entries',
    async by(person, { form: { state: wanted, why, list }, chosen, placeOfEntries }) {
      const refused = (sentence: string) => context.refuse('Nothing was decided', sentence, 400);
      const state = worklistStates.find((each) => each === wanted);
      if (state === undefined || typeof why !== 'string' || why.trim() === '' || chosen.length === 0)
        return refused('Choose at least one entry and a state, and give a reason.');
      if (chosen.length > MOST_AT_ONCE)
        return refused(
          `You chose ${chosen.length} entries; at most ${MOST_AT_ONCE} are decided about at once. Choose fewer.`,
        );
      const decided = await decideAudited({ person, state, why, chosen }, await placeOfEntries());
      return answered(decided, { heading: 'Decided', now: `“${worklistStateForms[state].words}”`, list });
    },
  });

  answer('assign', {
    does: 'assign entries',
    async by(person, { form: { to, me, list }, chosen, placeOfEntries }) {
      const refused = (sentence: string, code: number) =>
        context.refuse('Nothing was assigned', sentence, code);
      if (chosen.length === 0 || chosen.length > MOST_AT_ONCE || typeof to !== 'string')
        return refused(`Choose at least one entry, and at most ${MOST_AT_ONCE}.`, 400);
      const named = me === undefined ? await personCalled(to.trim(), context) : nameInDecisions(person);
      if (named === undefined) {
        const known = (await peopleOf(context)).join(', ');
        return refused(
          `No decider who signed in here is called “${cleanLine(to)}”. ${known === '' ? '' : `These are known: ${known}.`}`,
          404,
        );
      }
      const decided = await assignAudited({ person, to: named, chosen }, await placeOfEntries());
      const now = named === null ? 'assigned to nobody' : `assigned to ${cleanLine(named)}`;
      return answered(decided, { heading: 'Assigned', now, list });
    },
  });

  /** @param now what the entries are now: `“done”`. @param list as the form states the list that it was sent from */
  function answered(
    decided: readonly Decided[],
    {
      heading,
      now,
      list,
    }: { readonly heading: 'Decided' | 'Assigned'; readonly now: string; readonly list: unknown },
  ): Promise<Response> {
    const made = decided.filter(({ refusal }) => refusal === null);
    const others = decided.filter(({ refusal }) => refusal !== null);
    const isDone = others.length === 0;
    const title = isDone ? heading : `Not everything was ${heading.toLowerCase()}`;
    const main = html`<div class="page">
<h1>${title}</h1>
${isDone ? '' : html`<ul class="warning">${others.map((each) => html`<li>${nameView(each)}: ${cleanLine(each.refusal ?? '', 5_000)}</li>`)}</ul>`}
${made.length === 0 ? '' : html`<p>${made.length === 1 ? 'This is' : `These ${made.length} are`} now ${now}:</p><ul class="decisions">${made.map((each) => html`<li>${nameView(each)}</li>`)}</ul>`}
<p><a class="button" href="${statedList(list, context)}">Back to the list</a></p>
</div>`;
    return context.answer({ title, current: 'worklist', main }, isDone ? 200 : 409);
  }
}

const peopleOf = async ({ notes }: RouteContext): Promise<readonly string[]> =>
  ((await notes?.people()) ?? []).filter(({ role }) => role === 'decider').map(nameInDecisions);

/** A person as decisions name them; null for an empty name, undefined where no decider, or more than one, is called so. */
async function personCalled(name: string, context: RouteContext): Promise<string | null | undefined> {
  if (name === '') return null;
  if (!context.notes) return name;
  const found = (await peopleOf(context)).filter((each) => isAssignedTo(each, [name]));
  return found.length === 1 ? found[0] : undefined;
}

const nameView = ({ entry }: Decided): Html =>
  entry
    ? html`<a href="/worklist/${entry.id}">${cleanLine(headlineOf(entry))}</a> <span class="fine">${cleanLine(entry.panel.name)}</span>`
    : html`An entry`;
