import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import { leftOutSince, showAsOf, unknownAsOf } from '../lambdas/panels/sqlite-as-of.ts';
import { createSqlitePanelStates } from '../lambdas/panels/sqlite-panel-states.ts';
import { readsToEnd } from '../lambdas/poll/report.ts';
import { asOfOptions } from '../lambdas/questions/ask.ts';
import { OptionError, readAsked, valuesOf } from '../lambdas/questions/options.ts';
import type { Times } from '../lambdas/questions/question.ts';
import { createSqliteWorklist } from '../lambdas/questions/worklist/kept-changes.ts';
import { worklistUntil } from '../lambdas/questions/worklist/worklist-record.ts';
import { defaultWorklist } from '../lambdas/questions/worklist/worklist-settings.ts';
import { type Instant, instantOf, millisecondsOf } from '../lambdas/run/instant.ts';
import { type History, HistoryError } from '../lambdas/store/history/history.ts';
import { readPartsOf, readUpTo } from '../lambdas/store/history/read-part.ts';
import { namedPlaceOf } from '../lambdas/store/history/sqlite.ts';
import { createSqlitePages } from '../lambdas/store/history/sqlite-pages.ts';
import { cataloguesIn, openReadableStateFile } from '../lambdas/store/sqlite-file.ts';
import { StateError } from '../lambdas/store/state-error.ts';
import { cleanLine } from '../lambdas/words/clean-text.ts';
import { ratingColours } from '../lambdas/words/html-page.ts';
import { addChangesRoutes } from './changes/changes-routes.ts';
import { createCounter } from './changes/counts.ts';
import { addGeneRoutes } from './gene.ts';
import { plainText } from './guard.ts';
import { html, localTimes, ratingVariables } from './html.ts';
import { addImpactRoutes } from './impact.ts';
import { copyWords, layout, plainNotice, readScripts, readStyle, statusView, statusWords } from './layout.ts';
import { addMyPanelsRoutes } from './my-panels.ts';
import { isNamedFilter, namedFilters, readPageNames } from './names.ts';
import { addPanelRoutes } from './panel.ts';
import { addProgramRoutes, addTokenRoutes, isForPrograms, problemResponse } from './programs.ts';
import { addQuestionRoutes, questionMenu } from './questions.ts';
import { AddressError, orAddressError } from './read-address.ts';
import { newestTime, type PageOptions, type RouteContext, type WatchRecord } from './route-context.ts';
import { currentVisitor, isFormToken } from './sign-in/access.ts';
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
  // The code for mail and chat is loaded where an event is open.
  app.get('/event/:id/:form', async ({ req, notFound }) => {
    const { answerEvent } = await import('./event/event-view.ts');
    return (await answerEvent(context, req.param('id'), req.param('form'))) ?? notFound();
  });
  addPanelRoutes(app, context);
  addQuestionRoutes(app, context);
  addProgramRoutes(app, context);
  // What shows the watcher reads much that no other view needs.
  app.get('/watcher', async () => (await import('./watcher.ts')).answerWatcher(context));
  app.post('/watcher/ask-again', async ({ req }) => {
    const { catalogue } = await req.parseBody();
    return (await import('./watcher.ts')).answerAskAgain(context, catalogue);
  });
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
  const history = readNow(place.history, record);
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
  const present: RouteContext = {
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
    async inTime(address, work, writtenIn = times) {
      const time = askedTimeOf(address, { now: instantOf(clock.now()), times: writtenIn });
      if (time === null) return work(present);
      const { options: then, asOf } = openAsOf(options, time);
      try {
        // The frame says what is read now.
        return await work({ ...contextOf(then), asOf, answer, refuse: present.refuse });
      } finally {
        then.file.close();
      }
    },
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
      readPartsOf(await history.coverage(), { ...period, now: instantOf(clock.now()) }),
    answer,
    refuse: (title, sentence, code) =>
      answer(
        { title, current: 'none', main: plainNotice(title, sentence, html`<a href="/">All changes</a>`) },
        code,
      ),
  };
  return present;
}

const EVENTS_PER_TURN = 250;

/**
 * The history up to the last poll of this process, read so that polls and other requests of the process go on meanwhile. A poll that finds
 * no new row writes nothing, so in the history alone a night without changes looks like one in which no poll ran. Of several
 * catalogues the record does not say which one it polled.
 */
function readNow(history: History, record: WatchRecord | undefined): History {
  return {
    ...history,
    async coverage() {
      const coverage = await history.coverage();
      const [catalogue, ...others] = new Set(coverage.map((period) => period.catalogue));
      if (catalogue === undefined || others.length > 0) return coverage;
      return readUpTo(coverage, { catalogue, until: lastReading(record) });
    },
    async *findWithoutRows(query) {
      let count = 0;
      for await (const event of history.findWithoutRows(query)) {
        if (++count % EVENTS_PER_TURN === 0) await nextTurn();
        yield event;
      }
    },
  };
}

function lastReading(record: WatchRecord | undefined): Instant | null {
  for (const run of record?.runs() ?? []) {
    if (run.kind === 'poll' && readsToEnd(run.report.outcome)) return instantOf(run.at - run.milliseconds);
  }
  return null;
}

interface AskedTime {
  readonly at: Instant;
  /** Whether it also asks how much came to light later. */
  readonly countsLeftOut: boolean;
}

/**
 * Reads `as-of` and `left-out` of an address; null where it asks for the present.
 * @throws {AddressError} when one has a value that it does not take
 */
function askedTimeOf(
  address: string,
  moment: { readonly now: Instant; readonly times: Times },
): AskedTime | null {
  const parameters = new URL(address).searchParams;
  const texts = Object.fromEntries(
    Object.keys(asOfOptions).map((name) => [name, valuesOf({}, parameters.getAll(name))]),
  );
  return orAddressError(() => {
    const asked = readAsked(asOfOptions, texts, moment);
    const { 'as-of': at, 'left-out': countsLeftOut } = asked;
    if (at !== undefined) return { at, countsLeftOut };
    if (countsLeftOut) throw new OptionError('yes', 'as-of beside it', 'left-out');
    return null;
  });
}

/**
 * Opens what a page shows as it was at an earlier time. The caller closes its file.
 * @throws {AddressError} when what was kept then is unknown
 * @throws {StateError} when the file cannot be read
 */
function openAsOf(options: PageOptions, { at, countsLeftOut }: AskedTime) {
  const { file: present, deployed, record: _polls, clock, worklist, ...others } = options;
  if (deployed)
    throw new AddressError(
      '“as-of” does not go with a deployed stage: its tables keep each state as it is now. Ask a folder that watch fills; of events alone, the commands report and history answer with --stage and --as-of.',
    );
  if (present.path === ':memory:')
    throw new AddressError('“as-of” asks what was kept earlier, and this page keeps nothing in a folder.');
  const file = openReadableStateFile(dirname(present.path));
  try {
    const why = unknownAsOf(file, at);
    if (why !== null) throw new AddressError(`“as-of” asks for a time of which nothing is known. ${why}`);
    const asOf = { at, leftOut: countsLeftOut ? leftOutSince(file, at) : undefined };
    showAsOf(file, at);
    const { store, settings } = worklist ?? {
      store: createSqliteWorklist(file, clock),
      settings: defaultWorklist,
    };
    return {
      asOf,
      options: {
        ...others,
        file,
        clock: { ...clock, now: () => millisecondsOf(at) },
        worklist: worklist === null ? null : { store: worklistUntil(store, at), settings },
      },
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

/** Longer views would hold too much memory, here and in the browser. No view of everyday use comes near. */
const LONGEST_HTML = 4_000_000;

function htmlResponse(view: { toString(): string }, status: number): Response {
  const body = String(view);
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  if (body.length <= LONGEST_HTML) return new Response(body, { status, headers });
  const sentence = `This view has ${body.length.toLocaleString('en-GB')} characters; the page shows at most ${LONGEST_HTML.toLocaleString('en-GB')}. Choose a shorter period or fewer panels, or save the CSV.`;
  return plainText(413, sentence, { 'cache-control': 'no-store' });
}

function addAssetRoutes(app: Hono, { browserFiles }: Pick<RouteContext, 'browserFiles'>): void {
  const assets = [
    ['/page.css', ratingVariables() + readStyle(browserFiles), 'text/css; charset=utf-8'],
    ...[...readScripts(browserFiles)].map(
      ([name, text]) => [`/browser/${name}`, text, 'text/javascript; charset=utf-8'] as const,
    ),
    ['/icon.svg', pageIcon, 'image/svg+xml'],
  ] as const;
  for (const [path, body, type] of assets) {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    app.get(path, ({ req }) =>
      req.header('if-none-match') === etag
        ? new Response(null, { status: 304, headers: { etag } })
        : new Response(body, { headers: { 'content-type': type, etag, 'cache-control': 'no-cache' } }),
    );
  }
}

const { text, ground } = ratingColours.light.green;

const pageIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Gene panel changes</title><rect width="32" height="32" rx="7" fill="${text}"/><path d="M8 9h9M8 16h16M8 23h12" stroke="${ground}" stroke-width="4" stroke-linecap="round"/></svg>`;

const MOST_CHOICES = 12;
const LONGEST_PART = 200;

function addNamesRoutes(app: Hono, { names }: RouteContext): void {
  app.get('/names', async ({ req, json }) => {
    const [of = '', part = ''] = [req.query('of'), req.query('part')];
    if (!isNamedFilter(of)) {
      throw new AddressError(
        `“of” is ${JSON.stringify(of.slice(0, 80))}; expected ${namedFilters.join(', ')}.`,
      );
    }
    if (part.trim() === '' || part.length > LONGEST_PART) return json([]);
    return json((await names()).containing(of, part.trim(), MOST_CHOICES), 200, {
      'cache-control': 'no-store',
    });
  });
}
