import type { Clock } from '../lambdas/run/clock.ts';
import { createGate, guarded, plainText } from './guard.ts';
import { IMPACT_PATH, LARGEST_UPLOAD } from './impact.ts';
import { createPage } from './page.ts';
import { asProblem, isForPrograms, problemResponse } from './programs.ts';
import type { PageOptions } from './route-context.ts';
import { type Access, answerFor, type Connection, loopbackAccess, type Visitor } from './sign-in/access.ts';
import type { ProgramTokens } from './sign-in/sessions.ts';

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
      return path === IMPACT_PATH ? (options.largestUpload ?? LARGEST_UPLOAD) : LARGEST_FORM;
    },
  };
  const limited = (limit: typeof people, who: string): Response | null => {
    const seconds = access.isLimited ? limit(who) : null;
    return seconds === null ? null : refused(429, `Too many requests. Try again in ${seconds} s.`, seconds);
  };

  return async (request, connection = { from: '' }) => {
    if (!access.mayConnect(connection)) return refused(403, 'This page is reached by its proxy only.');
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

const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+')}$`);

interface RateBounds {
  /** Requests that may come at once. */
  readonly burst: number;
  /** Requests a second that are added again, up to the burst. */
  readonly perSecond: number;
}

/** Counts a request of somebody: null where it is within the bounds, else the seconds until the next one is. */
type RateLimit = (who: string) => number | null;

/** Beyond so many known ones, those whose requests are all added again are forgotten. */
const MOST_KNOWN = 10_000;

function createRateLimit(clock: Pick<Clock, 'now'>, { burst, perSecond }: RateBounds): RateLimit {
  const known = new Map<string, { left: number; at: number }>();
  const leftOf = ({ left, at }: { left: number; at: number }, now: number): number =>
    Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
  return (who) => {
    const now = clock.now();
    const before = known.get(who);
    const left = before ? leftOf(before, now) : burst;
    if (left < 1) return Math.ceil((1 - left) / perSecond);
    known.delete(who);
    known.set(who, { left: left - 1, at: now });
    if (known.size > MOST_KNOWN) {
      for (const [each, state] of known) if (leftOf(state, now) >= burst) known.delete(each);
      // A limit that is reached stays, unless an attack has so many addresses that memory would end.
      for (const each of known.keys()) if (known.size > 2 * MOST_KNOWN) known.delete(each);
    }
    return null;
  };
}

/** Bodies that may arrive at a time: of everybody, and of one person. The largest ones hold 128 MB together. */
const MOST_ARRIVING = 8;
const MOST_OF_A_PERSON = 2;
/** Each body has so long, and the longer ones the time that they take at the least pace. */
const SHORTEST_MS = 20_000;
const BYTES_PER_SECOND = 50_000;
/** After so long, another form may have arrived. */
const AGAIN_SECONDS = 5;

type ReceiveBody = (form: Request, who: string) => Promise<Request | Response>;

/**
 * Returns what receives forms whole before they take a place of the page, so that a slow one holds up no other.
 * The length of each was stated, and is one that the page takes.
 */
function createReceiver(clock: Pick<Clock, 'sleep'>): ReceiveBody {
  const arriving = new Map<string, number>();
  let all = 0;
  const count = (who: string, change: 1 | -1): void => {
    all += change;
    const left = (arriving.get(who) ?? 0) + change;
    if (left === 0) arriving.delete(who);
    else arriving.set(who, left);
  };
  return async (form, who) => {
    if ((arriving.get(who) ?? 0) >= MOST_OF_A_PERSON)
      return refused(
        503,
        'You are already sending other forms or files. Wait until they have arrived, then send this one again.',
        AGAIN_SECONDS,
      );
    if (all >= MOST_ARRIVING)
      return refused(
        503,
        'Other people are sending forms or files right now. Send yours again in a few seconds.',
        AGAIN_SECONDS,
      );
    count(who, 1);
    const late = new AbortController();
    const length = Number(form.headers.get('content-length'));
    const longest = SHORTEST_MS + (length / BYTES_PER_SECOND) * 1_000;
    try {
      const body = await Promise.race([
        bytesOf(form, late.signal),
        clock.sleep(longest, late.signal).then(
          () => null,
          () => null,
        ),
      ]);
      if (body !== null) return new Request(form.url, { method: form.method, headers: form.headers, body });
      const seconds = Math.round(longest / 1_000);
      return refused(
        408,
        `This form did not arrive within ${seconds} s. Nothing was done. Send it over a faster connection, or a smaller file.`,
      );
    } finally {
      late.abort(new Error('the form has arrived, or came too slowly'));
      count(who, -1);
    }
  };
}

/** The whole body; null where it is wanted no longer. */
async function bytesOf({ body }: Request, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  signal.addEventListener('abort', () => void reader.cancel(signal.reason).catch(() => {}), { once: true });
  const parts: Uint8Array[] = [];
  for (;;) {
    const { value, done } = await reader.read();
    if (signal.aborted) return null;
    if (done) return new Uint8Array(Buffer.concat(parts));
    parts.push(value);
  }
}

const refused = (status: number, sentence: string, seconds?: number): Response =>
  plainText(status, sentence, {
    'cache-control': 'no-store',
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
  });

/** Lets programs read what is for programs, with a token of a person; everything else is as before. */
function withTokens(access: Access, tokens: ProgramTokens): Access {
  return {
    ...access,
    async admit(request) {
      if (!isForPrograms(new URL(request.url).pathname)) return access.admit(request);
      const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
      if (token === undefined) {
        const visitor = await access.admit(request);
        return visitor instanceof Response && visitor.status === 401
          ? unauthorized('This address needs a token')
          : visitor;
      }
      const found = await tokens.find(token);
      if (!found) return unauthorized('This token has ended, or there was never one like it');
      return {
        person: found.person,
        formToken: '',
        canSignOut: false,
        program: found.id,
        isStillAllowed: async () => (await tokens.find(token)) !== null,
      } satisfies Visitor;
    },
  };
}

const unauthorized = (seen: string): Response =>
  problemResponse(
    {
      status: 401,
      title: 'Not signed in',
      detail: `${seen}. Make one on the page, under Programs, and send it as the header “Authorization: Bearer …”.`,
    },
    { 'www-authenticate': 'Bearer' },
  );
