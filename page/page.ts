import { Hono } from 'hono';
import { createSqlitePanelStates } from '../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteWorklist } from '../lambdas/questions/worklist/kept-changes.ts';
import { defaultWorklist } from '../lambdas/questions/worklist/worklist-settings.ts';
import { instantOf } from '../lambdas/run/instant.ts';
import { HistoryError } from '../lambdas/store/history/history.ts';
import { readPartsOf } from '../lambdas/store/history/read-part.ts';
import { namedPlaceOf } from '../lambdas/store/history/sqlite-named-place.ts';
import { createSqlitePages } from '../lambdas/store/history/sqlite-pages.ts';
import { cataloguesIn } from '../lambdas/store/sqlite-catalogues.ts';
import { StateError } from '../lambdas/store/state-error.ts';
import { cleanLine } from '../lambdas/words/clean-text.ts';
import { isFormToken } from './access/form-token.ts';
import { currentVisitor } from './access/visitor.ts';
import { AddressError } from './address-error.ts';
import { addChangesRoutes } from './changes/changes-routes.ts';
import { createCounter } from './changes/counts.ts';
import { coverageNow } from './coverage-now.ts';
import { addEventRoutes } from './event/event-routes.ts';
import { addAssetRoutes } from './frame/asset-routes.ts';
import { html } from './frame/html.ts';
import { htmlResponse } from './frame/html-response.ts';
import { layout, plainNotice } from './frame/layout.ts';
import { localTimes } from './frame/local-times.ts';
import { addGeneRoutes } from './gene/gene-routes.ts';
import { addImpactRoutes } from './impact/impact-routes.ts';
import { addMyPanelsRoutes } from './my-panels/my-panels-routes.ts';
import { addNamesRoutes } from './names/names-routes.ts';
import { readPageNames } from './names/page-names.ts';
import { newestTime } from './newest-event.ts';
import { addPanelRoutes } from './panel/panel-routes.ts';
import { isForPrograms, problemResponse } from './programs/problem.ts';
import { addProgramRoutes } from './programs/program-routes.ts';
import { addTokenRoutes } from './programs/token-routes.ts';
import { addQuestionRoutes, questionMenu } from './questions.ts';
import type { PageOptions, RouteContext } from './route-context.ts';
import { addWatcherRoutes } from './watcher/watcher-routes.ts';
import { copyWords, statusView, statusWords } from './watcher/watcher-view.ts';
import { addWorklistRoutes } from './worklist/worklist-routes.ts';

/** The page over the history of a state file, as an application that answers requests. */
export function createPage(options: PageOptions): Hono {
  const context = contextOf(options);
  const { refuse } = context;
  const app = new Hono();
  app.use(async (_request, next) => {
    const { person, program } = context.visitor();
    if (person && program === undefined) await context.notes?.meet(person);
    return next();
  });
  app.use(async ({ req }, next) => {
    if (req.method !== 'POST') return next();
    const { token } = await req.parseBody().catch(() => ({ token: null }));
    if (isFormToken(token, context.visitor().formToken)) return next();
    return refuse(
      'This form is too old',
      'Nothing was done: the page was started again, or you signed in again, since you opened it. Open it again, and repeat what you did.',
      403,
    );
  });
  addAssetRoutes(app, context);
  addChangesRoutes(app, context);
  addEventRoutes(app, context);
  addPanelRoutes(app, context);
  addQuestionRoutes(app, context);
  addProgramRoutes(app, context);
  addWatcherRoutes(app, context);
  addNamesRoutes(app, context);
  addGeneRoutes(app, context);
  addWorklistRoutes(app, context);
  addMyPanelsRoutes(app, context);
  addTokenRoutes(app, context);
  addImpactRoutes(app, context);
  const answerError = (url: string, title: string, sentence: string, status: number) =>
    isForPrograms(new URL(url).pathname)
      ? problemResponse({ status, title, detail: sentence })
      : refuse(title, sentence, status);
  app.notFound(({ req: { url } }) =>
    answerError(url, 'No such page', `There is nothing at ${new URL(url).pathname.slice(0, 200)}.`, 404),
  );
  app.onError((error, { req }) => {
    const { url } = req;
    if (error instanceof AddressError)
      return answerError(url, 'This address cannot be shown', error.message, 400);
    if (error instanceof HistoryError)
      return answerError(url, 'The history cannot be read', error.message, 503);
    // Of a deployed stage, what is not in the copy is read when it is asked for.
    if (error instanceof StateError)
      return answerError(
        url,
        req.method === 'POST' ? 'This was not kept' : 'The state cannot be read',
        cleanLine(error.message, 1_000),
        503,
      );
    throw error;
  });
  return app;
}

function contextOf(options: PageOptions): RouteContext {
  const { file, clock, zone, record, deployed } = options;
  const place = namedPlaceOf(file);
  const { history } = place;
  const pages = createSqlitePages(file);
  const times = localTimes(zone);
  const moment = () => ({ times, now: clock.now() });
  const status = () =>
    deployed
      ? copyWords(deployed.copied(), deployed.stage, moment())
      : statusWords(record, newestTime(pages), moment());
  const catalogues = async () => [...new Set((await history.coverage()).map(({ catalogue }) => catalogue))];
  const followed = async () => [
    ...new Set([...(await catalogues()), ...(deployed?.catalogues ?? cataloguesIn(file))]),
  ];
  const counter = createCounter(pages);
  const answer: RouteContext['answer'] = async (content, code = 200) => {
    const frame = {
      catalogues: await catalogues(),
      status: statusView(status(), clock.now()),
      visitor: currentVisitor(),
      keepsPanels: options.notes !== undefined,
      hasTokens: options.tokens !== undefined,
      questions: await questionMenu(await followed()),
    };
    return htmlResponse(await layout(frame, content), code);
  };
  return {
    ...options,
    worklist:
      options.worklist === undefined
        ? {
            store: createSqliteWorklist(file, clock),
            settings: defaultWorklist,
          }
        : options.worklist,
    history,
    pages,
    times,
    moment,
    visitor: currentVisitor,
    status,
    catalogues,
    followed,
    counter,
    states: (catalogue) =>
      deployed?.states(catalogue) ?? createSqlitePanelStates({ file, catalogue, now: clock.now }),
    place,
    names: () => readPageNames({ pages, place }, () => counter.counts({})),
    readParts: async (period) =>
      readPartsOf(coverageNow(await history.coverage(), record), { ...period, now: instantOf(clock.now()) }),
    answer,
    refuse: (title, sentence, code) =>
      answer(
        { title, current: 'none', main: plainNotice(title, sentence, html`<a href="/">All changes</a>`) },
        code,
      ),
  };
}
