import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';

/** The headers of a request, by name in lower case. */
type HeaderReader = (name: string) => string | null | undefined;

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Why a request may come from a web page that the user has open elsewhere, or null. The sandbox has no passwords, so it
 * answers only under its own host name (a page could otherwise point a name of its own here), and accepts no writing
 * request that a browser marks as cross-origin.
 */
export function foreignRequest(
  method: string,
  header: HeaderReader,
  scheme: 'http' | 'https' = 'http',
): string | null {
  const host = header('host') ?? '';
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (!isLoopback(hostname)) {
    return `The sandbox answers to localhost only; this request is for the host ${JSON.stringify(host.slice(0, 100))}.`;
  }
  if (!writing.has(method)) return null;
  const origin = header('origin');
  const crossOrigin = origin !== null && origin !== undefined && origin !== `${scheme}://${host}`;
  const crossSite = header('sec-fetch-site') === 'cross-site';
  return crossOrigin || crossSite ? 'The sandbox accepts no cross-origin requests that write.' : null;
}
