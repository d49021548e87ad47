import { isLoopback } from '../lambdas/http/loopback.ts';

/** No other site may read the page, it requests nothing from one, and only its own files hold scripts and styles. */
const headers: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Answers a request of the page, or refuses it with the reason. The page has no passwords, so it answers under the names
 * of this machine only (a web site could otherwise point a name of its own here), and it changes nothing. Another site
 * may link to it, and may not load it as a picture, a frame or a script.
 */
export async function guarded(
  request: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const response = withHeaders(refusal(request) ?? (await answer(request)));
  if (request.method !== 'HEAD') return response;
  await response.body?.cancel();
  return new Response(null, response);
}

function refusal(request: Request): Response | null {
  const host = request.headers.get('host') ?? '';
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (!isLoopback(hostname)) {
    return text(
      421,
      `This page answers to 127.0.0.1 and localhost only; this request is for ${JSON.stringify(host.slice(0, 100))}.`,
    );
  }
  if (isOfAnotherSite(request.headers)) {
    return text(
      403,
      'Another site asked for a part of this page. It can be opened as a page of its own only: follow the link, or type the address.',
    );
  }
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  const response = text(405, `This page can be read only; ${request.method} is not possible.`);
  response.headers.set('allow', 'GET, HEAD');
  return response;
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

const text = (status: number, body: string): Response =>
  new Response(`${body}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });

function withHeaders(response: Response): Response {
  const made = new Response(response.body, response);
  for (const [name, value] of Object.entries(headers)) {
    if (!made.headers.has(name)) made.headers.set(name, value);
  }
  // The mail of an event is shown in a frame of the page.
  if (made.headers.get('content-security-policy')?.includes("frame-ancestors 'self'")) {
    made.headers.set('x-frame-options', 'SAMEORIGIN');
  }
  return made;
}
