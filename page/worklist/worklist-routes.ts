import type { Hono } from 'hono';
import { formatInstant, instantOf } from '../../lambdas/clock/instant.ts';
import { unreadSentences } from '../../lambdas/history/read-part-words.ts';
import { namesIn } from '../../lambdas/history/unknown-names.ts';
import { filterWords } from '../../lambdas/subscriptions/filter-words.ts';
import { comment } from '../../lambdas/worklist/comment.ts';
import { worklistCsv } from '../../lambdas/worklist/entry-rows.ts';
import { headlineOf } from '../../lambdas/worklist/entry-words.ts';
import { readWorklist, type Worklist } from '../../lambdas/worklist/read-worklist.ts';
import type { WorklistEntry } from '../../lambdas/worklist/worklist-entry.ts';
import { worklistHtml } from '../../lambdas/worklist/worklist-html.ts';
import { askedWords, shownWords, worklistLimits } from '../../lambdas/worklist/worklist-limits.ts';
import { worklistStateForms, worklistStates } from '../../lambdas/worklist/worklist-states.ts';
import { csvResponse } from '../frame/csv-response.ts';
import { html } from '../frame/html.ts';
import { isAllUnknown, unknownNames } from '../names/unknown-names.ts';
import { readAddressFilter } from '../read-address-filter.ts';
import type { RouteContext } from '../route-context.ts';
import { yieldingHistory } from '../yielding-history.ts';
import { decideAudited, nameInDecisions } from './decide-audited.ts';
import { mayDecide } from './decision-form.ts';
import { entryPageView } from './entry-view.ts';
import { outcomeView } from './outcome-view.ts';
import { readWorklistQuery, type WorklistQuery } from './worklist-query.ts';
import { worklistPageView } from './worklist-view.ts';

/** The worklist: its entries, each with its history, and decisions about one or many, and comments. */
export function addWorklistRoutes(app: Hono, context: RouteContext): void {
  const { clock, history, place, states, times } = context;

  /** Null where the place keeps no worklist. */
  async function read(values: Partial<WorklistQuery['values']> = {}): Promise<Worklist | null> {
    if (context.worklist === null) return null;
    return readWorklist(
      { ...place, history: yieldingHistory(history), worklist: context.worklist.store, statesOf: states },
      {
        settings: context.worklist.settings,
        filter: readAddressFilter(namedValues(values)),
        now: instantOf(clock.now()),
      },
    );
  }
  const none = (): Promise<Response> =>
    context.refuse(
      'There is no worklist',
      'This stage keeps none: add worklist to its settings, and deploy it.',
      404,
    );

  app.get('/worklist', async ({ req }) => {
    const query = readWorklistQuery(new URL(req.url).searchParams);
    const worklist = await read(query.values);
    if (!worklist) return none();
    const names = await context.names();
    const unknown = await unknownNames(context, query, names);
    const page = { query, worklist, shown: worklist.entries.filter(shownBy(query)), names, unknown };
    return context.answer(
      {
        title: 'Worklist',
        current: 'worklist',
        main: worklistPageView(page, context.visitor(), context.moment()),
        bodyClass: 'printable',
      },
      isAllUnknown(query, unknown) ? 404 : 200,
    );
  });

  app.get('/worklist.csv', async ({ req }) => {
    const query = readWorklistQuery(new URL(req.url).searchParams);
    const [wrong] = await unknownNames(context, query, await context.names());
    if (wrong) return context.refuse(wrong.sentence, 'So no file can list its entries.', 404);
    const worklist = await read(query.values);
    if (!worklist) return none();
    const unread = unreadSentences(worklist.limits.read, (at) => times.moment(Number(at / 1000n)));
    const csv = worklistCsv(worklist.entries.filter(shownBy(query)), unread);
    return csvResponse([csv], `worklist-${times.day(clock.now())}`);
  });

  app.get('/worklist/report', async ({ req }) => {
    const query = readWorklistQuery(new URL(req.url).searchParams);
    const [wrong] = await unknownNames(context, query, await context.names());
    if (wrong) return context.refuse(wrong.sentence, 'So no report can list its entries.', 404);
    const worklist = await read(query.values);
    if (!worklist || !context.worklist) return none();
    const shown = worklist.entries.filter(shownBy(query));
    const { settings } = context.worklist;
    const filter = { ...settings.filter, ...readAddressFilter(namedValues(query.values)) };
    const report = worklistHtml(shown, {
      at: `${new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      shown: shownWords(worklist, shown),
      limits: worklistLimits(worklist),
      asked: askedWords(settings, filterWords(filter, await namesIn(place))),
    });
    return new Response(report, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-disposition': `attachment; filename="worklist-${times.day(clock.now())}.html"`,
        'cache-control': 'no-store',
      },
    });
  });

  app.get('/worklist/:id', async ({ req }) => {
    const worklist = await read();
    if (!worklist || !context.worklist) return none();
    const entry = worklist.entries.find(({ id }) => id === req.param('id'));
    if (!entry) {
      return context.refuse(
        'No such entry',
        html`The worklist has no entry of this id. <a href="/worklist">Worklist</a>`,
        404,
      );
    }
    const visitor = context.visitor();
    if (visitor.person) {
      const at = formatInstant(instantOf(clock.now()));
      await context.worklist.store.noteReading({ entry: entry.id, by: nameInDecisions(visitor.person), at });
    }
    return context.answer({
      title: headlineOf(entry),
      current: 'worklist',
      main: entryPageView(entry, visitor, context.moment()),
      bodyClass: 'printable',
    });
  });

  app.post('/worklist/comment', async ({ req, redirect }) => {
    const { person } = context.visitor();
    if (person === null || !mayDecide(context.visitor())) {
      return context.refuse(
        'You may not comment',
        'Deciders comment on entries; your role is another one.',
        403,
      );
    }
    const { entry: id, text } = await req.parseBody();
    if (typeof id !== 'string' || typeof text !== 'string') {
      return context.refuse('Nothing was kept', 'Write a comment on an entry.', 400);
    }
    const worklist = await read();
    if (!worklist || !context.worklist) return none();
    const entry = worklist.entries.find((each) => each.id === id);
    if (!entry) return context.refuse('No such entry', 'The worklist has no entry of this id.', 404);
    const audited = { person: person.id, entry: entry.id };
    await context.audit?.write({ action: 'comments', ...audited, name: person.name });
    const said = { by: nameInDecisions(person), text };
    const outcome = await comment(entry, said, { store: context.worklist.store, clock });
    await context.audit?.write({ action: 'commented', ...audited, outcome: outcome.kind });
    if (outcome.kind === 'refused') return context.refuse('Nothing was kept', outcome.sentence, 400);
    return redirect(`/worklist/${entry.id}`, 303);
  });

  app.post('/worklist/decide', async ({ req }) => {
    const { person } = context.visitor();
    if (person === null || !mayDecide(context.visitor())) {
      return context.refuse(
        'You may not decide',
        'Deciders decide about entries; your role is another one.',
        403,
      );
    }
    const { entry: given = [], state: wanted, why } = await req.parseBody({ all: true });
    const state = worklistStates.find((each) => each === wanted);
    const chosen = [given].flat().filter((text) => typeof text === 'string');
    if (state === undefined || typeof why !== 'string' || why.trim() === '' || chosen.length === 0) {
      return context.refuse(
        'Nothing was decided',
        'Choose at least one entry and a state, and give a reason.',
        400,
      );
    }
    const worklist = await read();
    if (!worklist || !context.worklist) return none();
    const outcomes = await decideAudited(
      { person, state, why, chosen },
      { entries: worklist.entries, store: context.worklist.store, audit: context.audit, clock },
    );
    const isDone = outcomes.every(
      ({ outcome }) => outcome?.kind === 'decided' || outcome?.kind === 'decided-before',
    );
    return context.answer(
      {
        title: isDone ? 'Decided' : 'Not everything was decided',
        current: 'worklist',
        main: outcomeView(outcomes, worklistStateForms[state].words),
      },
      isDone ? 200 : 409,
    );
  });
}

/** The names that are asked for: an empty list asks for none. */
const namedValues = (values: Partial<WorklistQuery['values']>): Partial<WorklistQuery['values']> =>
  Object.fromEntries(Object.entries(values).filter(([, texts]) => texts.length > 0));

const shownBy =
  ({ state, isOverdue }: WorklistQuery) =>
  (entry: WorklistEntry): boolean => {
    if (isOverdue && !entry.isOverdue) return false;
    if (state === 'all') return true;
    return state === 'pending' ? worklistStateForms[entry.state].isPending : entry.state === state;
  };
