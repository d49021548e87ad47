import { type ServiceErrors, serviceError } from './service-error.ts';

/** The credentials for a service: none, a fixed header, or a token that is renewed. */
export interface Access {
  /** The headers to add to every request. They go to the origin of the base address only. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * Called after a 401. True when there may be other credentials now, so that the request is worth one retry.
   * `refused` are the headers that were sent: of several requests refused together, only one then renews.
   */
  renew(refused?: Readonly<Record<string, string>>): Promise<boolean>;
}

/** No credentials: for a service with open access. */
export const anonymous: Access = { headers: async () => ({}), renew: async () => false };

/** A header that HTTP cannot carry. Names the header, never its value. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly code = 'ACCESS_HEADER_WRONG';
}

const headerName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Visible ASCII characters with blanks between them: every server takes these. */
const headerValue = /^[!-~]+(?:[ \t]+[!-~]+)*$/;

/**
 * Sends one header with every request, such as `Authorization: Token …`.
 *
 * @throws {AccessError} when HTTP cannot carry the name or the value
 */
export function fixedHeader(name: string, value: string): Access {
  if (!headerName.test(name)) {
    throw new AccessError(
      `Setting the access header: ${JSON.stringify(name)} is not a header name. Give a name such as Authorization.`,
    );
  }
  if (!headerValue.test(value)) {
    throw new AccessError(
      `Setting the access header ${name}: its value (not shown) is empty, or has a line break, a non-ASCII character, or a blank at one end. Copy it again from the service that issued it.`,
    );
  }
  const headers = { [name.toLowerCase()]: value };
  return { headers: async () => headers, renew: async () => false };
}

/**
 * Parses the base address of a service. The path of the result ends in a slash.
 *
 * @throws {ServiceError} `…_ADDRESS_WRONG` when it is not http(s), or has a user name, password, query or fragment.
 * The message shows nothing that may be a secret.
 */
export function serviceUrl(text: string, { service, error }: ServiceErrors): URL {
  const wrong = (seen: string): Error =>
    new error({ condition: 'ADDRESS_WRONG', action: `Reading the address of ${service}`, seen });
  const expected = 'expected an address such as https://host.example.org/path';
  // Any @ may end a password: one that holds a slash makes the rest look like a path.
  if (text.includes('@')) {
    throw wrong(
      'it (not shown) has an @, as after a user name or password; credentials have their own settings',
    );
  }
  if (/[?#]/.test(text)) throw wrong(`it (not shown) has a query or a fragment; ${expected}`);
  if (!/^https?:\/\/[^/\\]/i.test(text) || !URL.canParse(text)) {
    const hint = hostAndPath.test(text) ? `try https://${text}` : expected;
    throw wrong(`${JSON.stringify(text.slice(0, 200))} is not a URL; ${hint}`);
  }
  const url = new URL(text);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url;
}

/** An address that only lacks its scheme: `panelapp-aus.org`. */
const hostAndPath = /^(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,63}(?::\d{1,5})?(?:\/[\w./-]{0,100})?$/i;

/**
 * The address of a resource below the base, built from the base alone, or null where it would lie outside it.
 * `path` is relative, with its parts percent-encoded; a `query` given as text is sent unchanged.
 */
export function below(
  base: URL,
  path: string,
  query: Readonly<Record<string, string>> | string = {},
): URL | null {
  if (/[?#]/.test(path) || !URL.canParse(`./${path}`, base.href)) return null;
  const url = new URL(`./${path}`, base);
  if (!url.href.startsWith(base.href)) return null;
  url.search = typeof query === 'string' ? query : new URLSearchParams(query).toString();
  return url;
}

/**
 * The catalogue's `/api/v1/` URL. The base address may be given with or without `/api/v1`, and with or without a slash
 * at its end: `https://panels.example.org`, `https://panels.example.org/api/v1/` and, behind a proxy,
 * `https://proxy.example.org/panels`. Source: docs/interfaces.md, "The catalogue".
 *
 * @throws {ServiceError} `…_ADDRESS_WRONG` as `serviceUrl`, and for an address below `/api/v1/`
 */
export function catalogueUrl(baseUrl: string, errors: ServiceErrors): URL {
  const url = serviceUrl(baseUrl, errors);
  if (/\/api\/v1\/./.test(url.pathname)) {
    throw new errors.error({
      condition: 'ADDRESS_WRONG',
      action: `Reading the address of ${errors.service}`,
      seen: `${url.href} leads to something below /api/v1/; expected the address up to there`,
    });
  }
  if (!url.pathname.endsWith('/api/v1/')) url.pathname += 'api/v1/';
  return url;
}

/**
 * The catalogue could not be read. No part of a failed response was passed on. `CATALOGUE_NOT_BEFORE` carries `notBefore`, which the
 * next run must keep.
 */
export class CatalogueError extends serviceError('CatalogueError', 'CATALOGUE') {}

export const catalogueErrors: ServiceErrors = { service: 'the catalogue', error: CatalogueError };

/** Limits of time and size. Times in milliseconds, sizes in bytes. */
export interface Limits {
  /** To connect, TLS included. */
  readonly connectMs: number;
  /** From the request to the last header of the response. */
  readonly headersMs: number;
  /** Between two pieces of a body. */
  readonly bodyMs: number;
  /** For one request and its whole response. */
  readonly exchangeMs: number;
  /** The largest body, both as sent and decompressed. */
  readonly bodyBytes: number;
  readonly retries: number;
  /** Retries of all requests together; each success gives one back. */
  readonly retryBudget: number;
  /** The longest wait before the first retry where the service names none; doubled for each further retry. */
  readonly backoffMs: number;
  /** The longest wait before a retry where the service names none. */
  readonly longestBackoffMs: number;
  /** A `Retry-After` beyond this is not waited for: the run ends with `NOT_BEFORE`. */
  readonly longestWaitMs: number;
  /** The wait that `NOT_BEFORE` states after a 429 without `Retry-After`. */
  readonly throttledMs: number;
  /** The longest wait between two requests, even where `Retry-After` asks for more. */
  readonly longestNotBeforeMs: number;
  readonly pages: number;
}

export const defaultLimits: Limits = {
  connectMs: 5_000,
  headersMs: 20_000,
  bodyMs: 10_000,
  exchangeMs: 60_000,
  bodyBytes: 32 * 1024 * 1024,
  retries: 3,
  retryBudget: 10,
  backoffMs: 1_000,
  longestBackoffMs: 8_000,
  longestWaitMs: 20_000,
  throttledMs: 60_000,
  longestNotBeforeMs: 24 * 60 * 60 * 1000,
  pages: 500,
};
