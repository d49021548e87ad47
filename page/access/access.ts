import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import { createFormTokens } from './by-person.ts';

/** What a person may do: a reader reads; a decider also decides about entries of the worklist. */
const roles = ['reader', 'decider'] as const;
export type Role = (typeof roles)[number];

/** A person as the identity provider or the proxy names them. */
export const personSchema = z.object({
  /** Stable and unique: the issuer with its subject, or the name that the proxy states. */
  id: z.string().min(1),
  name: z.string().min(1),
  /** What distinguishes people of one name: a user name, an address, or the subject. */
  account: z.string().min(1),
  role: z.enum(roles),
});
export type Person = z.infer<typeof personSchema>;

/** The network connection over which a request came. */
export interface Connection {
  /** The IP address of the other end; empty where unknown. */
  readonly from: string;
}

/** Who makes a request that is answered. */
export interface Visitor {
  /** Null where the page has no sign-in: a user of this machine. */
  readonly person: Person | null;
  /** What each form sends back, so that another site cannot send one. */
  readonly formToken: string;
  /** The id of the token by which a program reads in the name of the person; absent for a person. */
  readonly program?: string;
  /** Whether the page can end the session. */
  readonly canSignOut: boolean;
  /** Whether the visitor may still read: a stream ends with the session. */
  isStillAllowed(): Promise<boolean>;
}

/** Decides who may read the page. */
export interface Access {
  readonly site: Site;
  /** Whether a connection may be answered at all: behind a proxy, that of the proxy alone. */
  mayConnect(connection: Connection): boolean;
  /** Whether requests are limited by person, and before the sign-in by address. */
  readonly isLimited: boolean;
  /** Paths to which another system, no browser, posts: it proves itself in what it posts. */
  readonly machinePaths: ReadonlySet<string>;
  /** Answers the addresses of the sign-in itself; null for every other one. */
  answer(request: Request): Promise<Response | null>;
  /** The visitor of a request, or the response that refuses it. */
  admit(request: Request): Promise<Visitor | Response>;
}

/**
 * Every user of this machine may read.
 * @param as the name under which each of them decides; without it, the worklist can be read only
 */
export function loopbackAccess(as?: string): Access {
  const formToken = createFormTokens()('this machine');
  const person = as === undefined ? null : ({ id: as, name: as, account: as, role: 'decider' } as const);
  const visitor = { person, formToken, canSignOut: false, isStillAllowed: async () => true };
  return {
    site: { kind: 'loopback' },
    mayConnect: () => true,
    isLimited: false,
    machinePaths: new Set(),
    answer: async () => null,
    admit: async () => visitor,
  };
}

const visitors = new AsyncLocalStorage<Visitor>();

/** Answers a request for a visitor; `currentVisitor` returns them meanwhile. */
export const answerFor = <Value>(visitor: Visitor, answer: () => Value): Value =>
  visitors.run(visitor, answer);

/**
 * The visitor whose request is answered now. Every view shows them in its frame.
 * @throws {Error} outside of `answerFor`
 */
export function currentVisitor(): Visitor {
  const visitor = visitors.getStore();
  if (!visitor) throw new Error('no request is answered now');
  return visitor;
}

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
