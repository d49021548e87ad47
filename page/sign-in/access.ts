import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { isLoopback } from '../../lambdas/catalogue/http/loopback.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type Html, headOf, html } from '../html.ts';
import type { AccessSettings } from './access-settings.ts';

/** What a person may do: a reader reads; a decider also decides about entries of the worklist. */
const roles = ['reader', 'decider'] as const;
type Role = (typeof roles)[number];

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

/**
 * Whether a person asked: no prefetch, no `HEAD` of a link checker, no stream of changes that a tab keeps open, and no view that a script
 * of another site opened. Browsers state what a person did (https://www.w3.org/TR/fetch-metadata/#sec-fetch-user-header).
 */
export function isByPerson({ method, headers, url }: Pick<Request, 'method' | 'headers' | 'url'>): boolean {
  if (method === 'HEAD' || new URL(url).pathname === '/live') return false;
  const purposes = ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'].map((name) => headers.get(name) ?? '');
  if (purposes.some((purpose) => /prefetch|prerender|preview/i.test(purpose))) return false;
  const site = headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none' || headers.get('sec-fetch-user') === '?1';
}

/**
 * Makes the tokens of forms: each holds for one visitor.
 * @param key one of this process where absent: then tokens hold until the page is started again
 */
export function createFormTokens(key: Uint8Array = randomBytes(32)): (visitor: string) => string {
  return (visitor) => createHmac('sha256', key).update(visitor).digest('base64url');
}

/** Whether a form sent the token of its visitor; compared in a time that does not depend on the text. */
export function isFormToken(sent: unknown, expected: string): boolean {
  if (typeof sent !== 'string') return false;
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

type RoleNames = AccessSettings['roles'];

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

/** A page of the sign-in itself, with nothing of the history: the reader may be anybody. */
export function plainPage(
  status: number,
  title: string,
  ...paragraphs: readonly (string | Html)[]
): Response {
  const text = html`${headOf(title)}</head>
<body>
<main id="main" tabindex="-1"><div class="notice"><h1>${title}</h1>${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}</div></main>
</body>
</html>
`;
  return new Response(String(text), {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}

/** A proxy in front of the page signs people in, and states who they are in headers of each request. */
export function proxyAccess({ address, proxyHeaders, proxies, roles }: AccessSettings): Access {
  if (!proxyHeaders || !proxies) throw new TypeError('the settings name no headers of a proxy');
  const tokenOf = createFormTokens();
  return {
    site: { kind: 'address', address: new URL(address) },
    mayConnect: fromProxies(proxies),
    isLimited: true,
    machinePaths: new Set(),
    answer: async () => null,
    async admit({ headers }) {
      const stated = textOf(headers, proxyHeaders.person);
      if (stated === '') {
        return plainPage(
          403,
          'You are not signed in',
          `The proxy stated no person in “${proxyHeaders.person}”.`,
        );
      }
      const values = textOf(headers, roles.claim)
        .split(/[,;]/)
        .map((value) => value.trim());
      const role = roleOf(values.filter(Boolean), roles);
      const name = cleanLine(textOf(headers, proxyHeaders.name ?? proxyHeaders.person) || stated, 200);
      if (role === null) {
        return plainPage(
          403,
          'You may not read this page',
          `You are signed in as ${name}, who has no role here. Ask those who look after the page: “${roles.claim}” must hold one of the values that its settings name.`,
        );
      }
      return {
        person: { id: `proxy|${stated}`, name, account: cleanLine(stated, 200), role },
        formToken: tokenOf(stated),
        canSignOut: false,
        isStillAllowed: async () => true,
      } satisfies Visitor;
    },
  };
}

/** Headers hold Latin-1; proxies write UTF-8. */
const textOf = (headers: Headers, name: string): string =>
  Buffer.from(headers.get(name) ?? '', 'latin1')
    .toString('utf8')
    .trim();
