import type { Hono } from 'hono';
import { asOfLimit } from '../../lambdas/questions/as-of.ts';
import { type Answered, csv, documentOf, htmlOf } from '../../lambdas/questions/documents.ts';
import { CasesError } from '../../lambdas/questions/impact/cases-error.ts';
import { recogniseCases } from '../../lambdas/questions/impact/read-cases.ts';
import type { Limit } from '../../lambdas/questions/question.ts';
import { keptStatesOf } from '../../lambdas/questions/state.ts';
import { caseCountsOf } from '../../lambdas/questions/worklist/entry-rows.ts';
import { headlineOf } from '../../lambdas/questions/worklist/entry-words.ts';
import type { WorklistEntry } from '../../lambdas/questions/worklist/worklist-entry.ts';
import { question } from '../../lambdas/questions/worklist.ts';
import { formatInstant, instantOf } from '../../lambdas/run/instant.ts';
import { isByPerson } from '../access/by-person.ts';
import { csvResponse, fileResponse } from '../frame/csv-response.ts';
import { html } from '../frame/html.ts';
import { isAllUnknown, unknownNames } from '../names/unknown-names.ts';
import { addressOf, askOnPage, fileTimes, placeOf, readerTimes } from '../questions.ts';
import type { RouteContext } from '../route-context.ts';
import { nameInDecisions } from './decide-audited.ts';
import { type EntryFacts, entryPageView } from './entry-view.ts';
import { addWorklistForms, peopleOf } from './worklist-forms.ts';
import {
  entriesCalled,
  noWorklist,
  questionTexts,
  readWorklistQuery,
  worklistAddress,
  worklistPageOf,
  worklistTitle,
} from './worklist-query.ts';
import { ENTRIES_OF_A_VIEW, worklistPageView } from './worklist-view.ts';

/** The worklist: its entries, each with its history, as a page, a spreadsheet and a report; and the forms of deciders. */
export function addWorklistRoutes(app: Hono, context: RouteContext): void {
  const { times } = context;
  addWorklistForms(app, context);
  const inTime = (address: string, answer: (then: RouteContext) => Promise<Response>): Promise<Response> =>
    context.inTime({ address, times: readerTimes(times) }, answer);
  /** That the answer is as of an earlier time, where it is. */
  const asOfLimits = ({ asOf }: RouteContext): readonly Limit[] =>
    asOf ? [asOfLimit(asOf, readerTimes(times))] : [];

  const countsOf = async (
    then: RouteContext,
    entries: readonly WorklistEntry[],
  ): Promise<EntryFacts['cases']> => {
    const { cases: input, worklist } = then;
    if (!input || !worklist) return undefined;
    const [catalogue, ...others] = await then.followed();
    if (catalogue === undefined || others.length > 0)
      return 'the page has several catalogues, and the cases state none; worklist --cases counts them by catalogue';
    try {
      const cases = { ...(await recogniseCases(input)), counts: worklist.settings.counts };
      const place = { ...(await placeOf(then)), times: readerTimes(times) };
      return (await caseCountsOf(entries, cases, keptStatesOf(catalogue, place))).counts;
    } catch (error) {
      if (error instanceof CasesError) return error.message;
      throw error;
    }
  };
  const factsOf = async (then: RouteContext, entries: readonly WorklistEntry[]): Promise<EntryFacts> => ({
    events: await (await import('../event/event-routes.ts')).readOpenEvents(
      then,
      entries.map(({ event }) => event.id),
    ),
    cases: await countsOf(then, entries),
  });

  app.get('/worklist', ({ req }) =>
    inTime(req.url, async (then) => {
      const query = readWorklistQuery(new URL(req.url).searchParams, then);
      const worklist = await worklistPageOf(then, query, ENTRIES_OF_A_VIEW);
      if (!worklist) return noWorklist(then);
      const names = await then.names();
      const unknown = await unknownNames(then, { values: query.texts }, names);
      const facts = { ...(await factsOf(then, worklist.entries)), people: await peopleOf(then) };
      const [asOf] = asOfLimits(then);
      const page = { asOf, at: then.asOf, query, worklist, names, unknown, ...facts };
      return then.answer(
        {
          title: worklistTitle(query, names),
          current: 'worklist',
          main: worklistPageView(page, then.visitor(), then.moment()),
          bodyClass: 'printable',
        },
        isAllUnknown({ values: query.texts }, unknown) ? 404 : 200,
      );
    }),
  );

  /** A file with what a list asks, as the question answers it. */
  const file = (address: string, of: (found: Answered, name: string) => Response): Promise<Response> =>
    inTime(address, async (then) => {
      const query = readWorklistQuery(new URL(address).searchParams, then);
      if (!then.worklist) return noWorklist(then);
      const asked = new URL(addressOf(question, questionTexts(query, then)), address).href;
      const found = await askOnPage(question, { address: asked, times: fileTimes(times) }, then);
      const unknown = found.answer.limits.find(({ kind }) => kind === 'name');
      if (!found.isWithheld) return of(found, `worklist-${times.day(then.clock.now())}`);
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
    inTime(req.url, async (then) => {
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
      const [asOf] = asOfLimits(then);
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
