import type { Access, Role } from '../access/access.ts';

/** Which values of a claim or header give which role. */
interface RoleNames {
  /** The claim, such as `roles`, or a path, such as `realm_access.roles`. */
  readonly claim: string;
  /** `everyone`: each person who can sign in may read. */
  readonly reader: readonly string[] | 'everyone';
  readonly decider: readonly string[];
}

/** The role of a person with these values; null where none of them gives one. */
export function roleOf(values: readonly string[], { reader, decider }: RoleNames): Role | null {
  if (values.some((value) => decider.includes(value))) return 'decider';
  return reader === 'everyone' || values.some((value) => reader.includes(value)) ? 'reader' : null;
}

/** The texts that a claim holds. A claim may have dots in its name, or lie in another one. */
export function valuesOf(claims: Readonly<Record<string, unknown>>, claim: string): readonly string[] {
  const found = Object.hasOwn(claims, claim)
    ? claims[claim]
    : claim.split('.').reduce<unknown>((value, name) => memberOf(value, name), claims);
  return [found].flat().filter((value) => typeof value === 'string');
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

/** Whether a connection comes from one of these addresses; from any where none are stated. */
export function fromProxies(proxies: readonly string[] | undefined): Access['mayConnect'] {
  if (!proxies) return () => true;
  const known = new Set(proxies.map(plainAddress));
  return ({ from }) => known.has(plainAddress(from));
}

/** An IPv4 address that came over a socket of IPv6 is `::ffff:10.0.0.4`. */
const plainAddress = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
