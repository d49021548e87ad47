import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';

/** Under which addresses the page answers: the names of this machine, or the one address that a team uses. */
export type Site =
  | { readonly kind: 'loopback' }
  | {
      readonly kind: 'address';
      /** As browsers see it, also where a proxy is in between. */
      readonly address: URL;
    };

/**
 * The origin of the page for a request, such as `http://127.0.0.1:7208`; null where the request is for another host. A
 * web site could otherwise point a name of its own here.
 */
export function originOf(site: Site, headers: Headers): string | null {
  const host = headers.get('host') ?? '';
  if (!URL.canParse(`http://${host}`)) return null;
  switch (site.kind) {
    case 'loopback': {
      const url = new URL(`http://${host}`);
      return isLoopback(url.hostname) ? url.origin : null;
    }
    case 'address': {
      const { protocol, origin } = site.address;
      return new URL(`${protocol}//${host}`).origin === origin ? origin : null;
    }
    default:
      return site satisfies never;
  }
}

/** The names that a refusal gives. */
export const namesOf = (site: Site): string =>
  site.kind === 'loopback' ? '127.0.0.1 and localhost' : site.address.host;
