import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Client, Directory, User } from './accounts.ts';
import { OAuthError } from './client-authentication.ts';

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
export interface Authorisation {
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
export interface SharedParts {
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
