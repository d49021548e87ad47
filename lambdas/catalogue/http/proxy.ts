import { isLoopback } from './loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy through which requests to `url` go, from the environment variable `HTTPS_PROXY`. Undefined where there is
 * none, for this machine itself, and for hosts in `NO_PROXY` (`.example.org` means all hosts below it). A value without
 * a scheme, `host:port`, is an HTTP proxy.
 *
 * @throws {TypeError} when `HTTPS_PROXY` is not the address of an HTTP proxy
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
  const proxy = environment.HTTPS_PROXY ?? environment.https_proxy;
  if (!proxy || isLoopback(url.hostname)) return undefined;
  const exceptions = (environment.NO_PROXY ?? environment.no_proxy ?? '').split(/[\s,]+/).filter(Boolean);
  const direct = exceptions.some(
    (name) => name === '*' || url.hostname === name || url.hostname.endsWith(name.replace(/^\*?\.?/, '.')),
  );
  return direct ? undefined : readProxy(proxy);
}

/** The text may hold a password, so the error does not show it. */
function readProxy(text: string): URL {
  const address = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError('HTTPS_PROXY is not the address of an HTTP proxy');
}
