import type { ServiceErrors } from './service-error.ts';

/**
 * The address under which a service's resources lie, as a URL whose path ends in a slash. Fails with
 * `…_ADDRESS_WRONG` for anything but http(s) without user name, password, query and fragment; the message
 * shows nothing that may be a secret.
 */
export function serviceUrl(text: string, { service, error }: ServiceErrors): URL {
  const wrong = (seen: string): Error =>
    new error({ condition: 'ADDRESS_WRONG', action: `Reading the address of ${service}`, seen });
  const wanted = 'an address such as https://host.example.org/path was wanted';
  if (/^[^/?#]*[/\\]{2}[^/\\?#]*@/.test(text)) {
    throw wrong('it (not shown) holds a user name or password; credentials have settings of their own');
  }
  if (/[?#]/.test(text)) throw wrong(`it (not shown) has a query or a fragment; ${wanted}`);
  if (!/^https?:\/\/[^/\\]/i.test(text) || !URL.canParse(text)) {
    throw wrong(`${JSON.stringify(text.slice(0, 200))} is not one; ${wanted}`);
  }
  const url = new URL(text);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url;
}

/**
 * The address of a resource below the base, built from the base alone: `path` is relative and its parts are
 * percent-encoded already. Null where it would leave the base.
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
