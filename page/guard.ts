import { setImmediate as nextTurn } from 'node:timers/promises';
import { namesOf, originOf, type Site } from './sign-in/access.ts';

/** No other site may read the page, it requests nothing from one, and only its own files hold scripts and styles. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  // With no-referrer, browsers would state the origin of the page's own forms as "null" (https://fetch.spec.whatwg.org/#append-a-request-origin-header).
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

interface GuardedSite {
  readonly site: Site;
  /** The most bytes of a form at a path; null where it takes none. */
  largestForm(path: string): number | null;
  /** Paths to which another system posts, which proves itself in what it posts. */
  readonly machinePaths: ReadonlySet<string>;
}

const LARGEST_MESSAGE = 64_000;

/**
 * Answers a request of the page, or refuses it with the reason. The page answers under its own address only (a web site
 * could otherwise point a name of its own here). Another site may link to it, and may neither load it as a picture, a frame or
 * a script, nor send it a form.
 */
export async function guarded(
  request: Request,
  site: GuardedSite,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const response = withHeaders(refusal(request, site) ?? (await answer(request)), site.site);
  if (request.method !== 'HEAD') return response;
  await response.body?.cancel();
  return new Response(null, response);
}

function refusal({ method, headers, url }: Request, guarded: GuardedSite): Response | null {
  const origin = originOf(guarded.site, headers);
  if (origin === null) {
    const host = JSON.stringify((headers.get('host') ?? '').slice(0, 100));
    return plainText(421, `This page answers to ${namesOf(guarded.site)} only; this request is for ${host}.`);
  }
  const { pathname } = new URL(url);
  if (method === 'POST' && guarded.machinePaths.has(pathname)) return refusedBody(headers, LARGEST_MESSAGE);
  if (isOfAnotherSite(headers)) {
    return plainText(
      403,
      'Another site asked for a part of this page. It can be opened as a page of its own only: follow the link, or type the address.',
    );
  }
  if (method === 'GET' || method === 'HEAD') return null;
  const largest = guarded.largestForm(pathname);
  if (method !== 'POST' || largest === null) {
    return plainText(405, `This address can only be read; ${method} is not possible.`, {
      allow: 'GET, HEAD',
    });
  }
  if (!isOwnForm(headers, origin)) {
    return plainText(
      403,
      'Another site sent this form. Nothing was done: open the page, and use its own form.',
    );
  }
  return refusedBody(headers, largest);
}

function refusedBody(headers: Headers, largest: number): Response | null {
  const length = headers.get('content-length') ?? '';
  if (!/^\d+$/.test(length)) return plainText(411, 'A form must state its length.');
  return Number(length) > largest
    ? plainText(413, `This form has at most ${largest.toLocaleString('en-GB')} bytes.`)
    : null;
}

/**
 * Whether another site loads something of the page, by the headers that browsers send
 * (https://www.w3.org/TR/fetch-metadata/). Another port of this machine is another site too. Programs send no such header.
 */
function isOfAnotherSite(given: Headers): boolean {
  const site = given.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return false;
  return given.get('sec-fetch-mode') !== 'navigate' || given.get('sec-fetch-dest') !== 'document';
}

/**
 * Whether the page itself sent a form. Browsers state the origin of a form; over HTTPS, and on this machine, also whether it is
 * that of the page. Where they do, it holds for a form whose origin they keep to themselves too: a proxy in front of the page may
 * set another `Referrer-Policy`. No script of another site can write either header.
 */
function isOwnForm(given: Headers, own: string): boolean {
  const [site, origin] = [given.get('sec-fetch-site'), given.get('origin')];
  if (site === 'same-origin' && origin === 'null') return true;
  return origin === own && (site === null || site === 'same-origin' || site === 'none');
}

/** A sentence in place of a view. */
export const plainText = (
  status: number,
  sentence: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(`${sentence}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
  });

function withHeaders(response: Response, site: Site): Response {
  const made = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers)) {
    if (!made.headers.has(name)) made.headers.set(name, value);
  }
  if (site.kind === 'address' && site.address.protocol === 'https:') {
    made.headers.set('strict-transport-security', 'max-age=31536000');
  }
  // The mail of an event is shown in a frame of the page.
  if (made.headers.get('content-security-policy')?.includes("frame-ancestors 'self'")) {
    made.headers.set('x-frame-options', 'SAMEORIGIN');
  }
  return made;
}

interface GateBounds {
  readonly open: number;
  readonly waiting: number;
}

/** Lets so many requests through at a time that what they hold together stays small. */
type Gate = (answer: () => Response | Promise<Response>) => Promise<Response>;

/**
 * Returns a gate. One response is made in each turn of the event loop, so that polls of this process wait for one view at a
 * time and not for those of all readers. A response counts as open until its body was sent or the reader left. A request that finds no place
 * is answered 503.
 */
export function createGate({ open, waiting }: GateBounds): Gate {
  const queue: (() => void)[] = [];
  let free = open;
  let lastTurn: Promise<void> = Promise.resolve();
  const ownTurn = (): Promise<void> => {
    lastTurn = lastTurn.then(() => nextTurn());
    return lastTurn;
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  return async (answer) => {
    if (free > 0) free--;
    else if (queue.length >= waiting) return busy();
    else await new Promise<void>((resolve) => queue.push(resolve));
    await ownTurn();
    try {
      return untilSent(await answer(), leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

const busy = (): Response =>
  plainText(503, 'The page is answering too many requests at once. Try again in a few seconds.', {
    'retry-after': '5',
  });

/** The response, with one call once its body was read to the end, failed, or is wanted no longer. */
function untilSent(response: Response, leave: () => void): Response {
  let isOpen = true;
  const ended = (): void => {
    if (isOpen) leave();
    isOpen = false;
  };
  if (response.body === null) {
    ended();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await reader.read();
          if (!done) return controller.enqueue(value);
          ended();
          controller.close();
        } catch (error) {
          ended();
          controller.error(error);
        }
      },
      cancel(reason) {
        ended();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
