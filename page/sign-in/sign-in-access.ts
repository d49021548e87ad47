import { hkdfSync, randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { plainText } from '../guard.ts';
import { html } from '../html.ts';
import {
  type Access,
  createFormTokens,
  fromProxies,
  isByPerson,
  isFormToken,
  type Person,
  plainPage,
  roleOf,
  type Visitor,
  valuesOf,
} from './access.ts';
import type { AccessSettings } from './access-settings.ts';
import type { AuditLog } from './people-file.ts';
import { type Attempt, type Provider, personId } from './provider.ts';
import type { OneTimeUses, Sessions } from './sessions.ts';

interface SignInOptions {
  readonly settings: AccessSettings;
  readonly provider: Provider;
  readonly sessions: Sessions;
  readonly uses: OneTimeUses;
  readonly audit: Pick<AuditLog, 'write'>;
  /** What seals attempts and forms; one of this process where absent, so that it ends what was begun before its start. */
  readonly key?: Uint8Array;
  readonly clock: Pick<Clock, 'now'>;
}

/** The path to which the provider sends the browser back. */
export const SIGNED_IN_PATH = '/signed-in';
const LOGOUT_PATH = '/back-channel-logout';

interface SignIn extends SignInOptions {
  readonly address: URL;
  readonly cookies: Cookies;
  readonly attempts: SealedAttempts;
  /** The token of the forms of a session. */
  readonly tokenOf: (session: string) => string;
}

/** People sign in by an OpenID Connect provider; a session is kept for each. */
export function signInAccess(options: SignInOptions): Access {
  const { sessions, uses, clock, key = randomBytes(32) } = options;
  const address = new URL(options.settings.address);
  const cookies = pageCookies(address.protocol === 'https:');
  const attempts = createSealedAttempts({ key: keyFor('attempts', key), uses, clock });
  const tokenOf = createFormTokens(keyFor('forms', key));
  const signIn: SignIn = { ...options, address, cookies, attempts, tokenOf };
  return {
    site: { kind: 'address', address },
    mayConnect: fromProxies(options.settings.proxies),
    isLimited: true,
    machinePaths: new Set([LOGOUT_PATH]),
    async answer(request) {
      const { pathname } = new URL(request.url);
      const isPost = request.method === 'POST';
      if (pathname === '/sign-in' && !isPost) return begin(request, signIn);
      if (pathname === SIGNED_IN_PATH && !isPost) return finish(request, signIn);
      if (pathname === '/sign-out' && isPost) return signOut(request, signIn);
      if (pathname === LOGOUT_PATH && isPost) return endByProvider(request, signIn);
      return null;
    },
    async admit(request) {
      const cookie = cookies.read(request.headers, 'session');
      const person = cookie === null ? null : await sessions.find(cookie, { isUse: isByPerson(request) });
      if (cookie === null || person === null) return askToSignIn(request);
      return {
        person,
        formToken: tokenOf(cookie),
        canSignOut: true,
        isStillAllowed: async () => (await sessions.find(cookie, { isUse: false })) !== null,
      } satisfies Visitor;
    },
  };
}

async function begin(
  request: Request,
  { provider, settings, attempts, cookies, address }: SignIn,
): Promise<Response> {
  const to = localPath(new URL(request.url).searchParams.get('to') ?? '/', address);
  const begun = await provider.begin().catch((error: unknown) => error);
  if (begun instanceof Error || !isBegun(begun)) {
    return plainPage(
      503,
      'The sign-in does not work now',
      `The identity provider ${settings.provider?.issuer ?? ''} does not answer as it should: ${reasonOf(begun)}.`,
      html`<a href="${signInAddress(to)}">Try again</a>`,
    );
  }
  const sealed = await attempts.seal({ ...begun.attempt, to });
  return redirect(begun.url.href, cookies.set('sign-in', sealed, SIGN_IN_SECONDS));
}

async function finish(
  request: Request,
  { provider, settings, sessions, audit, attempts, cookies, address }: SignIn,
): Promise<Response> {
  const { search } = new URL(request.url);
  const begun = await attempts.open(cookies.read(request.headers, 'sign-in') ?? '');
  const again = (title: string, why: string): Response =>
    withCookie(
      plainPage(403, title, why, html`<a href="${signInAddress(begun?.to ?? '/')}">Sign in again</a>`),
      cookies.clear('sign-in'),
    );
  const refused = (why: string, person?: string): Promise<void> =>
    audit.write({ action: 'sign-in-refused', why, ...(person !== undefined && { person }) });
  if (!begun) {
    return again(
      'This sign-in has ended',
      'It was begun in another browser, more than ten minutes ago, or before the page was started again; or it was used already.',
    );
  }
  const signedIn = await provider
    .finish(new URL(`${SIGNED_IN_PATH}${search}`, address), begun)
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (signedIn instanceof Error) {
    await refused(reasonOf(signedIn));
    return again('You are not signed in', `The sign-in did not succeed: ${reasonOf(signedIn)}.`);
  }
  const person = personOf(signedIn.claims, settings);
  if (person === null) {
    const { iss, sub } = signedIn.claims;
    await refused('no role of the page', personId(String(iss), String(sub)));
    return again(
      'You may not read this page',
      `You are signed in as ${nameOf(signedIn.claims)}, who has no role here. Ask those who look after the page: the claim “${settings.roles.claim}” must hold one of the values that its settings name.`,
    );
  }
  await audit.write({ action: 'signed-in', person: person.id, name: person.name, role: person.role });
  const session = await sessions.begin(person, signedIn.providerSession);
  const response = redirect(begun.to, cookies.clear('sign-in'));
  response.headers.append('set-cookie', cookies.set('session', session));
  return response;
}

function personOf(claims: Readonly<Record<string, unknown>>, { roles }: AccessSettings): Person | null {
  const role = roleOf(valuesOf(claims, roles.claim), roles);
  if (role === null || typeof claims.iss !== 'string' || typeof claims.sub !== 'string') return null;
  return { id: personId(claims.iss, claims.sub), name: nameOf(claims), account: accountOf(claims), role };
}

async function signOut(request: Request, { sessions, audit, cookies, tokenOf }: SignIn): Promise<Response> {
  const cookie = cookies.read(request.headers, 'session');
  const person = cookie === null ? null : await sessions.find(cookie);
  if (cookie !== null && person) {
    const token = new URLSearchParams(await request.text()).get('token');
    if (!isFormToken(token, tokenOf(cookie))) return refuseForm();
    await sessions.end(cookie);
    await audit.write({ action: 'signed-out', person: person.id, name: person.name, role: person.role });
  }
  return withCookie(
    plainPage(
      200,
      'You are signed out of this page',
      'The identity provider may still know you: sign out there too on a machine that others use.',
      html`<a href="/">Sign in again</a>`,
    ),
    cookies.clear('session'),
  );
}

async function endByProvider(
  request: Request,
  { provider, sessions, uses, audit }: SignIn,
): Promise<Response> {
  const token = new URLSearchParams(await request.text()).get('logout_token') ?? '';
  try {
    const { id, ends, ...whose } = await provider.readLogout(token);
    // A token that somebody kept would end the sessions that began since. It is used up last: where the sessions cannot
    // be ended now, the provider may send it again.
    if (await uses.isUsed(`logout ${id}`)) throw new Error('it was used before');
    const ended = await sessions.endAll(whose);
    await uses.use(`logout ${id}`, ends);
    const person = whose.person ?? `session ${whose.providerSession}`;
    await audit.write({ action: 'sessions-ended', by: 'provider', person, sessions: ended });
    return new Response(null, { headers: { 'cache-control': 'no-store' } });
  } catch {
    return Response.json(
      { error: 'invalid_request' },
      { status: 400, headers: { 'cache-control': 'no-store' } },
    );
  }
}

/** A key for one purpose: a text that was sealed for another one opens nothing. */
const keyFor = (purpose: 'attempts' | 'forms', key: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, '', `gene-panel-page ${purpose}`, 32));

const isBegun = (value: unknown): value is Awaited<ReturnType<Provider['begin']>> =>
  typeof value === 'object' && value !== null && 'attempt' in value;

const signInAddress = (to: string): string => `/sign-in?${new URLSearchParams({ to })}`;

/** A browser that opens a view is led to the sign-in and back; everything else is refused. */
function askToSignIn(request: Request): Response {
  const { pathname, search } = new URL(request.url);
  const isView = request.method === 'GET' && (request.headers.get('accept') ?? '').includes('text/html');
  if (isView) return redirect(signInAddress(`${pathname}${search}`.slice(0, 2_000)));
  return plainText(401, 'Sign in first: open the page in a browser.', { 'cache-control': 'no-store' });
}

const refuseForm = (): Response =>
  plainPage(
    403,
    'This form is too old',
    'Open the page again, and repeat what you did.',
    html`<a href="/">All changes</a>`,
  );

/** A path of this page; `/` for an address anywhere else. */
function localPath(text: string, address: URL): string {
  if (!text.startsWith('/') || !URL.canParse(text, address.href)) return '/';
  const url = new URL(text, address);
  const path = `${url.pathname}${url.search}`;
  // "/.//x" is a path of the page that a browser would read as the address of the host x.
  return url.origin === address.origin && !path.startsWith('//') ? path : '/';
}

const redirect = (location: string, cookie?: string): Response =>
  new Response(null, {
    status: 302,
    headers: { location, 'cache-control': 'no-store', ...(cookie !== undefined && { 'set-cookie': cookie }) },
  });

function withCookie(response: Response, cookie: string): Response {
  response.headers.append('set-cookie', cookie);
  return response;
}

/** What the provider or the library says, in one short line without a secret. */
function reasonOf(error: unknown): string {
  const { error: code, code: own, message } = error as { error?: unknown; code?: unknown; message?: unknown };
  return cleanLine(String(code ?? own ?? message ?? error), 200);
}

/** What the provider calls the account; the subject where it states nothing that people know. */
const accountOf = (claims: Readonly<Record<string, unknown>>): string => {
  const [account] = [claims.preferred_username, claims.email, claims.upn, claims.sub].filter(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return cleanLine(String(account), 200);
};

const nameOf = (claims: Readonly<Record<string, unknown>>): string => {
  const [name] = [claims.name, claims.preferred_username, claims.email, claims.sub].filter(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return cleanLine(String(name ?? 'somebody without a name'), 200);
};

/** The cookies of the page. On HTTPS their names tie them to this host, to HTTPS and to the whole page. */
type Cookies = ReturnType<typeof pageCookies>;

type CookieName = 'session' | 'sign-in';

function pageCookies(isSecure: boolean) {
  const nameOf = (name: CookieName): string => (isSecure ? `__Host-${name}` : name);
  // Lax: a link in a chat opens the page without another sign-in. What changes anything is a form with a token.
  const rest = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return {
    /** The value that a request sends; null where it sends none, or two of that name. */
    read(headers: Headers, name: CookieName) {
      const start = `${nameOf(name)}=`;
      const sent = (headers.get('cookie') ?? '').split(/; */).filter((part) => part.startsWith(start));
      return sent.length === 1 ? (sent[0]?.slice(start.length) ?? null) : null;
    },
    /** A `Set-Cookie` header. @param seconds how long the browser keeps it; until it is closed where absent */
    set: (name: CookieName, value: string, seconds?: number) =>
      `${nameOf(name)}=${value}; ${rest}${seconds === undefined ? '' : `; Max-Age=${seconds}`}`,
    /** A `Set-Cookie` header that removes it. */
    clear: (name: CookieName) => `${nameOf(name)}=; ${rest}; Max-Age=0`,
  };
}

interface BegunSignIn extends Attempt {
  /** A path of the page. */
  readonly to: string;
}

/** Seals what has begun into a text for a cookie, which nobody can read or forge, and opens it once. */
type SealedAttempts = ReturnType<typeof createSealedAttempts>;

const SIGN_IN_SECONDS = 600;

const begunSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() });

interface SealingOptions {
  /** 32 bytes: who has them can read and forge attempts. */
  readonly key: Uint8Array;
  readonly uses: OneTimeUses;
  readonly clock: Pick<Clock, 'now'>;
}

function createSealedAttempts({ key, uses, clock }: SealingOptions) {
  const seconds = (): number => Math.floor(clock.now() / 1000);
  return {
    seal: (begun: BegunSignIn) =>
      new EncryptJWT({ ...begun })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(seconds() + SIGN_IN_SECONDS)
        .encrypt(key),
    /** Null where the text was not sealed here, is older than ten minutes, or was opened before. */
    async open(sealed: string) {
      const decrypted = await jwtDecrypt(sealed, key, {
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp'],
      }).catch(() => null);
      const begun = begunSchema.safeParse(decrypted?.payload);
      if (!begun.success) return null;
      const ends = clock.now() + SIGN_IN_SECONDS * 1000;
      return (await uses.use(`sign-in ${begun.data.state}`, ends)) ? begun.data : null;
    },
  };
}
