import type { Access, Connection, Visitor } from './access/access.ts';
import { loopbackAccess } from './access/loopback-access.ts';
import { createRateLimit } from './access/rate-limit.ts';
import { answerFor } from './access/visitor.ts';
import { createGate } from './gate.ts';
import { guarded } from './guard.ts';
import { IMPACT_PATH, LARGEST_UPLOAD } from './impact/upload-bounds.ts';
import { createPage } from './page.ts';
import { asProblem, isForPrograms } from './programs/problem.ts';
import { withTokens } from './programs/with-tokens.ts';
import { createReceiver } from './receive-body.ts';
import type { PageOptions } from './route-context.ts';

/** With the longest view, 16 open responses hold 64 MB. A browser asks for six things of one site at a time. */
const VIEWS = { open: 16, waiting: 100 };
/** Each open tab of the changes holds one. */
const LIVE_STREAMS = { open: 64, waiting: 0 };
const STREAMS_OF_A_TEAM = { open: 256, waiting: 0 };
const STREAMS_OF_A_PERSON = { open: 12, waiting: 0 };
/** A file of cases is held in memory: one at a time. */
const UPLOADS = { open: 1, waiting: 8 };
/** No other form of the page is larger, in bytes. */
const LARGEST_FORM = 64_000;
/** A quick reader opens two views a second, of which each asks for a few things more. */
const OF_A_PERSON = { burst: 120, perSecond: 10 };
/** Of a token: its person reads the page meanwhile. */
const OF_A_PROGRAM = { burst: 60, perSecond: 1 };
/** Of an address without a session. Behind a proxy, all people share one. */
const OF_AN_ADDRESS = { burst: 300, perSecond: 10 };
/** Sign-ins of addresses that ask for more. */
const HURRIED_SIGN_INS = { open: 2, waiting: 100 };

const anybody: Visitor = { person: null, formToken: '', canSignOut: false, isStillAllowed: async () => true };

/**
 * Answers the requests of browsers: refuses those of other sites and of people who may not read the page, and bounds what
 * one person and all of them together ask for.
 * @param own who may read; every user of this machine where absent
 */
export function answerRequests(
  options: PageOptions,
  own: Access = loopbackAccess(),
): (request: Request, connection?: Connection) => Promise<Response> {
  const access = options.tokens ? withTokens(own, options.tokens) : own;
  const app = createPage(options);
  const [views, streams] = [
    createGate(VIEWS),
    createGate(access.isLimited ? STREAMS_OF_A_TEAM : LIVE_STREAMS),
  ];
  const uploads = createGate(UPLOADS);
  const receive = createReceiver(options.clock);
  const signIns = createGate(HURRIED_SIGN_INS);
  const streamsOf = new Map<string, ReturnType<typeof createGate>>();
  const people = createRateLimit(options.clock, OF_A_PERSON);
  const programs = createRateLimit(options.clock, OF_A_PROGRAM);
  const addresses = createRateLimit(options.clock, OF_AN_ADDRESS);
  // What is the same for everybody: the sign-in looks like the page.
  const assets = new Set(
    app.routes.map(({ path }) => path).filter((path) => /^\/(?:page\.css|icon\.svg|browser\/.*)$/.test(path)),
  );
  const forms = [
    ...app.routes.filter(({ method }) => method === 'POST').map(({ path }) => pathPattern(path)),
    /^\/sign-out$/,
  ];
  const site = {
    site: access.site,
    machinePaths: access.machinePaths,
    largestForm: (path: string): number | null => {
      if (!forms.some((pattern) => pattern.test(path))) return null;
      return path === IMPACT_PATH ? LARGEST_UPLOAD : LARGEST_FORM;
    },
  };
  const limited = (limit: typeof people, who: string): Response | null => {
    const seconds = access.isLimited ? limit(who) : null;
    return seconds === null ? null : tooMany(seconds);
  };

  return async (request, connection = { from: '' }) => {
    if (!access.mayConnect(connection)) return notTheProxy();
    const response = await answer(request, connection);
    return isForPrograms(new URL(request.url).pathname) ? asProblem(response) : response;
  };

  function answer(request: Request, connection: Connection): Promise<Response> {
    return guarded(request, site, async (allowed) => {
      const { pathname } = new URL(allowed.url);
      const isForm = allowed.method === 'POST';
      if (assets.has(pathname)) return views(() => answerFor(anybody, () => app.fetch(allowed)));
      const visitor = await access.admit(allowed);
      const isVisitor = !(visitor instanceof Response);
      const { person = null, program } = isVisitor ? visitor : {};
      const who = isVisitor ? (program ?? person?.id ?? '') : connection.from;
      const limit = program === undefined ? people : programs;
      const tooMuch = limited(isVisitor ? limit : addresses, who);
      if (tooMuch && (isVisitor || isForm)) return tooMuch;
      const arrived = isForm ? await receive(allowed, who) : allowed;
      if (arrived instanceof Response) return arrived;
      if (!isVisitor) {
        if (!tooMuch) return (await access.answer(arrived)) ?? visitor;
        // People who share the address with a client that asks too much must still be able to sign in.
        const fallback = visitor.status === 302 ? visitor : tooMuch;
        return signIns(async () => (await access.answer(arrived)) ?? fallback);
      }
      const own = (await access.answer(arrived)) ?? (await options.prepare?.(pathname));
      if (own) return own;
      const read = () => answerFor(visitor, () => app.fetch(arrived));
      if (pathname === IMPACT_PATH && isForm) return uploads(read);
      if (pathname !== '/live') return views(read);
      if (!access.isLimited) return streams(read);
      const gate = streamsOf.get(who) ?? createGate(STREAMS_OF_A_PERSON);
      streamsOf.set(who, gate);
      return gate(() => streams(read));
    });
  }
}

/** The paths of a route such as `/worklist/:id`. */
const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`);

const notTheProxy = (): Response =>
  new Response('This page is reached by its proxy only.\n', {
    status: 403,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  });

const tooMany = (seconds: number): Response =>
  new Response(`Too many requests. Try again in ${seconds} s.\n`, {
    status: 429,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': String(seconds) },
  });
