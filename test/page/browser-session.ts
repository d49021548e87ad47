/** Answers a request of the page. */
type Answer = (request: Request) => Promise<Response>;

/** The cookies of one browser, by name. */
type CookieJar = Map<string, string>;

/** One person's browser: it keeps cookies, and states where a form comes from as browsers do. */
export interface BrowserSession {
  readonly cookies: CookieJar;
  /** Opens an address of the page as a view; redirects are not followed. */
  open(address: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form of the page. */
  send(
    address: string,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  /** Sends a form of the page with a file. */
  upload(
    address: string,
    fields: Readonly<Record<string, string | File>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
}

/** @param origin of the page */
export function browserSession(answer: Answer, origin: string): BrowserSession {
  const cookies: CookieJar = new Map();
  let policy: string | null = null;
  /** As https://fetch.spec.whatwg.org/#append-a-request-origin-header has it; `forms.long.test.ts` compares it with Chromium. */
  const ofForm = (): Readonly<Record<string, string>> => {
    if (policy === null) throw new Error('a person opens a view before sending its form');
    return { origin: policy === 'no-referrer' ? 'null' : origin, 'sec-fetch-site': 'same-origin' };
  };
  const ask = async (address: string, init: RequestInit): Promise<Response> => {
    const url = new URL(address, origin);
    const headers = new Headers(init.headers);
    if (!headers.has('host')) headers.set('host', url.host);
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    }
    const response = await answer(new Request(url, { ...init, headers }));
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
    policy = response.headers.get('referrer-policy') ?? '';
    // A response takes a place of the page until it was read.
    return new Response(response.body === null ? null : await response.text(), response);
  };
  return {
    cookies,
    open: (address, headers = {}) => ask(address, { headers: { accept: 'text/html', ...headers } }),
    send(address, fields, headers = {}) {
      const body = new URLSearchParams(fields).toString();
      return ask(address, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': String(body.length),
          ...ofForm(),
          ...headers,
        },
      });
    },
    async upload(address, fields, headers = {}) {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const encoded = new Response(form);
      const body = await encoded.arrayBuffer();
      return ask(address, {
        method: 'POST',
        body,
        headers: {
          'content-type': encoded.headers.get('content-type') ?? '',
          'content-length': String(body.byteLength),
          ...ofForm(),
          ...headers,
        },
      });
    },
  };
}

/** The token in the forms of a view. */
export const tokenIn = (html: string): string => / name="token" value="([^"]+)"/.exec(html)?.[1] ?? '';
