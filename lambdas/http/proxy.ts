import { isLoopback } from './loopback.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy through which requests to `url` go, from the environment variable `HTTPS_PROXY`. Undefined where there is
 * none, for this machine itself, and for hosts in `NO_PROXY` (`.example.org` means all hosts below it).
 *
 * @throws {TypeError} when `HTTPS_PROXY` is not a URL
 */
export function proxyFor(url: URL, environment: Environment = process.env): URL | undefined {
  const proxy = environment.HTTPS_PROXY ?? environment.https_proxy;
  if (!proxy || isLoopback(url.hostname)) return undefined;
  const exceptions = (environment.NO_PROXY ?? environment.no_proxy ?? '').split(/[\s,]+/).filter(Boolean);
  const direct = exceptions.some(
    (name) => name === '*' || url.hostname === name || url.hostname.endsWith(name.replace(/^\*?\.?/, '.')),
  );
  return direct ? undefined : new URL(proxy);
}
