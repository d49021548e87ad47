import type { Hono } from 'hono';
import { formatInstant, instantOf } from '../../lambdas/clock/instant.ts';
import { unreadSentences } from '../../lambdas/history/read-part-words.ts';
import { namesIn } from '../../lambdas/history/unknown-names.ts';
import { filterWords } from '../../lambdas/subscriptions/filter-words.ts';
import { worklistCsv } from '../../lambdas/worklist/entry-rows.ts';
import { headlineOf } from '../../lambdas/worklist/entry-words.ts';
import type { WorklistEntry } from '../../lambdas/worklist/worklist-entry.ts';
import { worklistHtml } from '../../lambdas/worklist/worklist-html.ts';
import { askedWords, shownWords, worklistLimits } from '../../lambdas/worklist/worklist-limits.ts';
import { worklistStateForms } from '../../lambdas/worklist/worklist-states.ts';
import { csvResponse } from '../frame/csv-response.ts';
import { html } from '../frame/html.ts';
import { isAllUnknown, unknownNames } from '../names/unknown-names.ts';
import { readAddressFilter } from '../read-address-filter.ts';
import type { RouteContext } from '../route-context.ts';
import { nameInDecisions } from './decide-audited.ts';
import { entryPageView } from './entry-view.ts';
import { addWorklistForms } from './worklist-forms.ts';
import { namedValues, noWorklist, worklistOf } from './worklist-of.ts';
import { readWorklistQuery, type WorklistQuery } from './worklist-query.ts';
import { worklistPageView } from './worklist-view.ts';

/** The worklist: its entries, each with its history, as a page, a spreadsheet and a report; and the forms of deciders. */
export function addWorklistRoutes(app: Hono, context: RouteContext): void {
  const { clock, place, times } = context;
  addWorklistForms(app, context);

  app.get('/worklist', async ({ req }) => {
    const query = readWorklistQuery(new URL(req.url).searchParams);
    const worklist = await worklistOf(context, query.values);
    if (!worklist) return noWorklist(context);
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
    const worklist = await worklistOf(context, query.values);
    if (!worklist) return noWorklist(context);
    const unread = unreadSentences(worklist.limits.read, (at) => times.moment(Number(at / 1000n)));
    const csv = worklistCsv(worklist.entries.filter(shownBy(query)), unread);
    return csvResponse([csv], `worklist-${times.day(clock.now())}`);
  });

  app.get('/worklist/report', async ({ req }) => {
    const query = readWorklistQuery(new URL(req.url).searchParams);
    const [wrong] = await unknownNames(context, query, await context.names());
    if (wrong) return context.refuse(wrong.sentence, 'So no report can list its entries.', 404);
    const worklist = await worklistOf(context, query.values);
    if (!worklist || !context.worklist) return noWorklist(context);
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
}

const shownBy =
  ({ state, isOverdue }: WorklistQuery) =>
  (entry: WorklistEntry): boolean => {
    if (isOverdue && !entry.isOverdue) return false;
    if (state === 'all') return true;
    return state === 'pending' ? worklistStateForms[entry.state].isPending : entry.state === state;
  };
