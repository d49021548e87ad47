import type { Access, Connection, Visitor } from './access/access.ts';
import { loopbackAccess } from './access/loopback-access.ts';
import { createRateLimit } from './access/rate-limit.ts';
import { answerFor } from './access/visitor.ts';
import { createGate } from './gate.ts';
import { guarded } from './guard.ts';
import { IMPACT_PATH, LARGEST_UPLOAD } from './impact/upload-bounds.ts';
import { createPage } from './page.ts';
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
/** Of an address without a session. Behind a proxy, all people share one. */
const OF_AN_ADDRESS = { burst: 300, perSecond: 10 };

/** What is the same for everybody: the sign-in looks like the page. */
const isAsset = (path: string): boolean =>
  path === '/page.css' || path === '/icon.svg' || path.startsWith('/browser/');

const anybody: Visitor = { person: null, formToken: '', canSignOut: false, isStillAllowed: async () => true };

/**
 * Answers the requests of browsers: refuses those of other sites and of people who may not read the page, and bounds what
 * one person and all of them together ask for.
 * @param access who may read; every user of this machine where absent
 */
export function answerRequests(
  options: PageOptions,
  access: Access = loopbackAccess(),
): (request: Request, connection?: Connection) => Promise<Response> {
  const app = createPage(options);
  const [views, streams] = [
    createGate(VIEWS),
    createGate(access.isLimited ? STREAMS_OF_A_TEAM : LIVE_STREAMS),
  ];
  const uploads = createGate(UPLOADS);
  const streamsOf = new Map<string, ReturnType<typeof createGate>>();
  const people = createRateLimit(options.clock, OF_A_PERSON);
  const addresses = createRateLimit(options.clock, OF_AN_ADDRESS);
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
    return guarded(request, site, async (allowed) => {
      const { pathname } = new URL(allowed.url);
      const read = (visitor: Visitor) => () => answerFor(visitor, () => app.fetch(allowed));
      if (isAsset(pathname)) return views(read(anybody));
      const visitor = await access.admit(allowed);
      if (visitor instanceof Response) {
        return limited(addresses, connection.from) ?? (await access.answer(allowed)) ?? visitor;
      }
      const who = visitor.person?.id ?? '';
      const refused = limited(people, who);
      if (refused) return refused;
      const own = (await access.answer(allowed)) ?? (await options.prepare?.());
      if (own) return own;
      if (pathname === IMPACT_PATH && allowed.method === 'POST') return uploads(read(visitor));
      if (pathname !== '/live') return views(read(visitor));
      if (!access.isLimited) return streams(read(visitor));
      const gate = streamsOf.get(who) ?? createGate(STREAMS_OF_A_PERSON);
      streamsOf.set(who, gate);
      return gate(() => streams(read(visitor)));
    });
  };
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
