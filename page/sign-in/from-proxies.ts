import type { Access } from '../access/access.ts';

/** Whether a connection comes from one of these addresses; from any where none are stated. */
export function fromProxies(proxies: readonly string[] | undefined): Access['mayConnect'] {
  if (!proxies) return () => true;
  const known = new Set(proxies.map(plainAddress));
  return ({ from }) => known.has(plainAddress(from));
}

/** An IPv4 address that came over a socket of IPv6 is `::ffff:10.0.0.4`. */
const plainAddress = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
