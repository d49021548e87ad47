import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Clock } from '../../lambdas/run/clock.ts';
import {
  type Client,
  type Directory,
  familyResource,
  otherResource,
  type Tenant,
  type User,
} from './accounts.ts';
import {
  type AppAuthentication,
  authenticateClient,
  type BasicReading,
  OAuthError,
  type SecretInBody,
} from './client-authentication.ts';

/** A code that was issued and not yet redeemed. */
interface Grant {
  readonly client: Client;
  readonly user: User;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly nonce: string | null;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The authorisation code flow. */
interface Authorisation {
  /** Serves `{auth_url}/<tenant_id>/oauth2/authorize`: GET shows the users, POST with one of them redirects with a code. */
  respond(request: Request, tenantId: string): Promise<Response>;
  /**
   * Returns the user of a code. A code is valid once, for the client that requested it, for a minute.
   *
   * @throws {OAuthError} `invalid_grant`
   */
  redeem(form: ReadonlyMap<string, string>, client: Client): Pick<Grant, 'user' | 'nonce'>;
}

/** What the endpoints of the identity provider share. */
interface SharedParts {
  readonly directory: Directory;
  readonly clock: Clock;
  /** Returns another opaque value at each call. */
  readonly opaque: () => string;
}

const CODE_LIFETIME_MS = 60_000;

/** Creates the browser part of the authorisation code flow. */
export function createAuthorisation({ directory, clock, opaque }: SharedParts): Authorisation {
  const grants = new Map<string, Grant>();

  const respond = async (request: Request, tenantId: string): Promise<Response> => {
    const tenant = directory.tenant(tenantId);
    const query = new URL(request.url).searchParams;
    const client = directory.client(tenantId, query.get('client_id') ?? '');
    const redirectUri = query.get('redirect_uri') ?? '';
    // The browser is never redirected to an address that the client has not registered.
    if (!tenant || !client) return problemPage('This tenant has no such application.');
    if (!client.redirectUris.some((registered) => mayRedirect(registered, redirectUri)))
      return problemPage('redirect_uri is not registered.');
    const redirect = (parameters: Readonly<Record<string, string>>): Response => {
      const url = new URL(redirectUri);
      const state = query.get('state');
      for (const [name, value] of Object.entries({ ...parameters, ...(state !== null && { state }) })) {
        url.searchParams.set(name, value);
      }
      return new Response(null, { status: 302, headers: { location: url.href } });
    };
    if (query.get('response_type') !== 'code') return redirect({ error: 'unsupported_response_type' });
    const challenge = query.get('code_challenge');
    if (challenge !== null && query.get('code_challenge_method') !== 'S256')
      return redirect({ error: 'invalid_request' });
    if (request.method !== 'POST') return chooseUserPage(client.name, tenant.users);

    const chosen = new URLSearchParams(await request.text()).get('user');
    const user = tenant.users.find(({ objectId }) => objectId === chosen);
    if (!user) return redirect({ error: 'access_denied' });
    const code = opaque();
    const until = clock.now() + CODE_LIFETIME_MS;
    grants.set(code, { client, user, redirectUri, challenge, nonce: query.get('nonce'), until });
    return redirect({ code });
  };

  const redeem: Authorisation['redeem'] = (form, client) => {
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const valid =
      grant?.client.clientId === client.clientId &&
      grant.redirectUri === form.get('redirect_uri') &&
      clock.now() <= grant.until &&
      meetsChallenge(grant.challenge, form.get('code_verifier'));
    if (!valid) {
      const message = 'The code is unknown, used, expired or not for this client';
      throw new OAuthError('invalid_grant', 70008, message);
    }
    return grant;
  };

  return { respond, redeem };
}

/**
 * Whether a redirect address is the registered one. A program that is started on 127.0.0.1 may choose its port (RFC 8252,
 * section 7.3).
 */
function mayRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [one, other] = [registered, asked].map((text) => (URL.canParse(text) ? new URL(text) : null));
  if (!one || !other || one.hostname !== '127.0.0.1') return false;
  other.port = one.port;
  return one.href === other.href;
}

/** PKCE (RFC 7636). */
function meetsChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  const hash = createHash('sha256').update(verifier ?? '');
  return hash.digest('base64url') === challenge;
}

/** The page on which a person chooses a user to sign in as. The sandbox has no passwords. */
function chooseUserPage(application: string, users: readonly User[]): Response {
  const choices = users.map(({ name, objectId, attributes }) => {
    const facts = Object.entries(attributes).map(
      ([key, value]) => `${key}: ${[value].flat().join(', ') || 'none'}`,
    );
    return html`<li><button name="user" value="${objectId}">${name}</button> ${facts.join(' · ')}</li>`;
  });
  return page(
    200,
    html`<h1>Sign in to ${application}</h1>
      <p>This is the sandbox's identity provider. Choose one of its made-up users.</p>
      <form method="post"><ul>${choices}</ul><button name="user" value="">Cancel</button></form>`,
  );
}

/** The page that is shown where the browser cannot be redirected to the application. */
function problemPage(problem: string): Response {
  return page(400, html`<h1>The sign-in cannot continue</h1><p>${problem}</p>`);
}

function page(status: number, body: ReturnType<typeof html>): Response {
  const whole = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox sign-in</title><main>${body}</main></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  };
  return new Response(String(whole), { status, headers });
}

interface TokenEndpointParts extends SharedParts {
  readonly keys: SigningKeys;
  readonly basic: BasicReading;
  readonly secretInBody: SecretInBody;
  readonly issuer: (tenantId: string) => string;
  /** Seconds. */
  readonly lifetime: () => number;
  readonly authorisation: Pick<Authorisation, 'redeem'>;
  /** Called with the claim `uti` of each access token. */
  readonly issued: (id: string) => void;
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * Serves `POST {auth_url}/<tenant_id>/oauth2/token`.
 *
 * @throws {OAuthError} when the request is refused
 */
export function createTokenEndpoint(parts: TokenEndpointParts) {
  const { directory, keys, clock, basic, secretInBody, opaque, issuer, authorisation } = parts;
  const usedAssertions = new Set<string>();

  return async (request: Request, tenantId: string): Promise<Response> => {
    const tenant = directory.tenant(tenantId);
    if (!tenant) throw new OAuthError('invalid_request', 90002, 'The tenant is unknown');
    const form = await readForm(request);
    const now = clock.now();
    const audiences = [issuer(tenantId), `${issuer(tenantId)}/oauth2/token`];
    const context = { directory, tenant, basic, secretInBody, audiences, now, usedAssertions };
    const authenticated = await authenticateClient(request.headers.get('authorization'), form, context);
    const issue: Issue = {
      ...authenticated,
      tenant,
      issuer: issuer(tenantId),
      audience: audienceOf(form),
      now: Math.floor(now / 1000),
      lifetime: parts.lifetime(),
      opaque,
    };
    const grant = form.get('grant_type');
    if (grant === 'client_credentials') return tokenResponse(issue, systemClaims(issue));
    if (grant !== 'authorization_code')
      throw new OAuthError('unsupported_grant_type', 70003, 'The grant type is unknown');
    const { user, nonce } = authorisation.redeem(form, issue.client);
    const { clientId } = issue.client;
    const idToken = await keys.sign({ ...userClaims(issue, user), aud: clientId, ...(nonce && { nonce }) });
    return tokenResponse(issue, userClaims(issue, user), { id_token: idToken });
  };

  /** All numbers are text. Source: docs/interfaces.md, "Token response". */
  async function tokenResponse(issue: Issue, claims: Readonly<Record<string, unknown>>, more: object = {}) {
    parts.issued(String(claims.uti));
    const seconds = String(issue.lifetime);
    const body = {
      token_type: 'Bearer',
      expires_in: seconds,
      ext_expires_in: seconds,
      expires_on: String(issue.now + issue.lifetime),
      not_before: String(issue.now),
      resource: issue.audience,
      access_token: await keys.sign(claims),
      ...more,
    };
    return Response.json(body, { headers: { 'cache-control': 'no-store', pragma: 'no-cache' } });
  }
}

async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== FORM) throw new OAuthError('invalid_request', 900144, `The body is not ${FORM}`);
  const fields = new URLSearchParams(await request.text());
  const form = new Map(fields);
  if (form.size < fields.size) throw new OAuthError('invalid_request', 900145, 'A form field was sent twice');
  if (!form.has('grant_type')) throw new OAuthError('invalid_request', 900144, 'grant_type is missing');
  return form;
}

const knownResources: ReadonlySet<string> = new Set([familyResource, otherResource]);

/** The resource that is requested by `resource`, or by a scope `<resource>/.default`. */
function audienceOf(form: ReadonlyMap<string, string>): string {
  const resource = form.get('resource');
  if (resource !== undefined && !knownResources.has(resource)) {
    throw new OAuthError('invalid_resource', 500011, 'The tenant has no such resource');
  }
  const [, named] = /^(\S+)\/\.default$/.exec(form.get('scope') ?? '') ?? [];
  if (named !== undefined && !knownResources.has(named)) {
    throw new OAuthError('invalid_scope', 70011, 'The tenant has no such resource in its scopes');
  }
  return resource ?? named ?? familyResource;
}

/** The issuer of a token, its client or user, and how that one proved its identity. */
interface Issue {
  readonly issuer: string;
  readonly tenant: Tenant;
  readonly client: Client;
  readonly authentication: AppAuthentication;
  readonly audience: string;
  /** Epoch seconds. */
  readonly now: number;
  /** Seconds. */
  readonly lifetime: number;
  /** Returns another opaque value at each call. */
  readonly opaque: () => string;
}

/** The claims of a client-credentials token, and no others. Source: docs/interfaces.md, "Token claims". */
function systemClaims(issue: Issue): Readonly<Record<string, string | number>> {
  const { client, opaque } = issue;
  return {
    ...commonClaims(issue),
    oid: client.objectId,
    sub: client.objectId,
    tenant_region_scope: issue.tenant.region,
    tid: issue.tenant.id,
    uti: opaque(),
    ver: '1.0',
  };
}

/**
 * The claims of a token that a client obtained for a user. The interface does not document them. `scp` marks the token
 * as a user's, so that no application takes the user for the system.
 */
function userClaims(issue: Issue, user: User): Readonly<Record<string, unknown>> {
  return {
    ...commonClaims(issue),
    ...user.attributes,
    name: user.name,
    oid: user.objectId,
    scp: 'user_impersonation',
    sub: `${user.objectId}:${issue.client.clientId}`,
    tenant_region_scope: issue.tenant.region,
    tid: issue.tenant.id,
    uti: issue.opaque(),
    ver: '1.0',
  };
}

function commonClaims({ issuer, client, authentication, audience, now, lifetime, opaque }: Issue) {
  return {
    aud: audience,
    iss: issuer,
    iat: now,
    nbf: now,
    exp: now + lifetime,
    aio: opaque(),
    appid: client.clientId,
    appidacr: authentication,
    idp: issuer,
  };
}

/** The signing keys of the identity provider. */
export interface SigningKeys {
  /** Signs claims with the current key and returns the token. */
  sign(claims: Readonly<Record<string, unknown>>): Promise<string>;
  /** The public keys, the current one first. */
  published(): Promise<{ readonly keys: readonly JWK[] }>;
  /** Signs with a new key from now on. Tokens signed by earlier keys stay valid. */
  rotate(): void;
}

/** A key pair with the id under which it is published. */
export interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** Starts with the key given, or creates one when it is first needed. */
export function createSigningKeys(first?: Promise<SigningKey>): SigningKeys {
  const keys = first ? [first] : [];
  const rotate = (): void => {
    keys.unshift(makeKey(`sandbox-${keys.length + 1}`));
  };
  const current = (): Promise<SigningKey> => {
    const [first] = keys;
    if (first) return first;
    rotate();
    return current();
  };
  return {
    rotate,
    sign: async (claims) => {
      const { id, privateKey } = await current();
      return new SignJWT({ ...claims })
        .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid: id })
        .sign(privateKey);
    },
    published: async () => {
      await current();
      const all = await Promise.all(keys);
      return {
        keys: await Promise.all(
          all.map(async ({ id, publicKey }) => ({
            ...(await exportJWK(publicKey)),
            kid: id,
            use: 'sig',
            alg: 'RS256',
          })),
        ),
      };
    },
  };
}

/** Creates a key, which takes a fraction of a second of CPU time. */
async function makeKey(id: string): Promise<SigningKey> {
  return { id, ...(await generateKeyPair('RS256')) };
}
