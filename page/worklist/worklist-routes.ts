import type { Hono } from 'hono';
import { filterWords } from '../../lambdas/filters/filter-words.ts';
import { CasesError } from '../../lambdas/questions/impact/cases-error.ts';
import { recogniseCases } from '../../lambdas/questions/impact/read-cases.ts';
import { caseCountsOf, worklistCsv } from '../../lambdas/questions/worklist/entry-rows.ts';
import { headlineOf } from '../../lambdas/questions/worklist/entry-words.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import {
  askedWords,
  shownWords,
  worklistHtml,
  worklistLimits,
} from '../../lambdas/questions/worklist/worklist-limits.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { unreadSentences } from '../../lambdas/store/history/read-part-words.ts';
import { namesIn } from '../../lambdas/store/history/unknown-names.ts';
import { isByPerson } from '../access/by-person.ts';
import { readOpenEvents } from '../event/event-routes.ts';
import { csvResponse } from '../frame/csv-response.ts';
import { html } from '../frame/html.ts';
import { isAllUnknown, unknownNames } from '../names/unknown-names.ts';
import { readAddressFilter } from '../read-address.ts';
import type { RouteContext } from '../route-context.ts';
import { keptStates } from '../route-context.ts';
import { nameInDecisions } from './decide-audited.ts';
import { type EntryFacts, entryPageView } from './entry-view.ts';
import { addWorklistForms, peopleOf } from './worklist-forms.ts';
import {
  entriesOf,
  namedValues,
  noWorklist,
  readWorklistQuery,
  type WorklistQuery,
  worklistOf,
  worklistTitle,
} from './worklist-query.ts';
import { ENTRIES_OF_A_VIEW, worklistPageView } from './worklist-view.ts';

/** The worklist: its entries, each with its history, as a page, a spreadsheet and a report; and the forms of deciders. */
export function addWorklistRoutes(app: Hono, context: RouteContext): void {
  const { clock, place, times } = context;
  addWorklistForms(app, context);

  const askedOf = (entries: readonly WorklistEntry[], query: WorklistQuery): readonly WorklistEntry[] => {
    const { person } = context.visitor();
    return entriesOf(entries, query, person ? [nameInDecisions(person), person.name, person.account] : []);
  };
  const countsOf = async (entries: readonly WorklistEntry[]): Promise<EntryFacts['cases']> => {
    const { cases: input, worklist } = context;
    if (!input || !worklist) return undefined;
    const [catalogue, ...others] = await context.followed();
    if (catalogue === undefined || others.length > 0)
      return 'the page has several catalogues, and the cases state none; worklist list --cases counts them by catalogue';
    try {
      const cases = { ...(await recogniseCases(input)), counts: worklist.settings.counts };
      return (await caseCountsOf(entries, cases, keptStates(context, catalogue))).counts;
    } catch (error) {
      if (error instanceof CasesError) return error.message;
      throw error;
    }
  };
  const factsOf = async (entries: readonly WorklistEntry[]): Promise<EntryFacts> => ({
    events: await readOpenEvents(
      context,
      entries.map(({ event }) => event.id),
    ),
    cases: await countsOf(entries),
  });

  app.get('/worklist', async ({ req }) => {
    const query = readWorklistQuery(new URL(req.url).searchParams);
    const worklist = await worklistOf(context, query);
    if (!worklist) return noWorklist(context);
    const names = await context.names();
    const unknown = await unknownNames(context, query, names);
    const asked = askedOf(worklist.entries, query);
    const begin =
      (Math.min(query.page, Math.max(1, Math.ceil(asked.length / ENTRIES_OF_A_VIEW))) - 1) *
      ENTRIES_OF_A_VIEW;
    const shown = asked.slice(begin, begin + ENTRIES_OF_A_VIEW);
    const overdue = asked.filter(({ isOverdue }) => isOverdue).length;
    const facts = { ...(await factsOf(shown)), people: await peopleOf(context) };
    const page = { query, worklist, asked: asked.length, shown, overdue, names, unknown, ...facts };
    return context.answer(
      {
        title: worklistTitle(query, names),
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
    const worklist = await worklistOf(context, query);
    if (!worklist) return noWorklist(context);
    const unread = unreadSentences(worklist.limits.read, (at) => times.moment(Number(at / 1000n)));
    const csv = worklistCsv(askedOf(worklist.entries, query), unread);
    return csvResponse([csv], `worklist-${times.day(clock.now())}`);
  });

  app.get('/worklist/report', async ({ req }) => {
    const query = readWorklistQuery(new URL(req.url).searchParams);
    const [wrong] = await unknownNames(context, query, await context.names());
    if (wrong) return context.refuse(wrong.sentence, 'So no report can list its entries.', 404);
    const worklist = await worklistOf(context, query);
    if (!worklist || !context.worklist) return noWorklist(context);
    const shown = askedOf(worklist.entries, query);
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
    const worklist = await worklistOf(context);
    if (!worklist || !context.worklist) return noWorklist(context);
    const entry = worklist.entries.find(({ id }) => id === req.param('id'));
    if (!entry) {
      return context.refuse(
        'No such entry',
        html`The worklist has no entry of this id. <a href="/worklist">Worklist</a>`,
        404,
      );
    }
    const visitor = context.visitor();
    if (visitor.person && isByPerson(req.raw)) {
      const at = formatInstant(instantOf(clock.now()));
      await context.worklist.store.noteReading({ entry: entry.id, by: nameInDecisions(visitor.person), at });
    }
    return context.answer({
      title: headlineOf(entry),
      current: 'worklist',
      main: entryPageView(
        entry,
        { ...(await factsOf([entry])), people: await peopleOf(context), visitor },
        context.moment(),
      ),
      bodyClass: 'printable',
    });
  });
}
