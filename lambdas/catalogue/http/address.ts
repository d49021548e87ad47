import { type ServiceErrors, serviceError } from './service-error.ts';

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
