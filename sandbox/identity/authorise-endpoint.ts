import { createHash } from 'node:crypto';
import { chooseUserPage, problemPage } from './choose-user-page.ts';
import { OAuthError } from './oauth-error.ts';
import type { Client, User } from './tenants.ts';
import type { ProviderParts } from './token-endpoint.ts';

/** A user's consent, waiting to be redeemed. */
interface Grant {
  readonly client: Client;
  readonly user: User;
  readonly redirectUri: string;
  readonly challenge: string | null;
  readonly nonce: string | null;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** The browser's part of the code flow. */
export interface Authorisation {
  /** `{auth_url}/<tenant_id>/oauth2/authorize`: GET shows the users, POST with one of them sends the browser back. */
  answer(request: Request, tenantId: string): Promise<Response>;
  /** Whose code this is; it is good once, for the client that asked, within a minute. */
  redeem(form: ReadonlyMap<string, string>, client: Client): Pick<Grant, 'user' | 'nonce'>;
}

const CODE_LIFETIME_MS = 60_000;

export function createAuthorisation({ directory, clock, opaque }: ProviderParts): Authorisation {
  const grants = new Map<string, Grant>();

  const answer = async (request: Request, tenantId: string): Promise<Response> => {
    const tenant = directory.tenant(tenantId);
    const query = new URL(request.url).searchParams;
    const client = directory.client(tenantId, query.get('client_id') ?? '');
    const redirectUri = query.get('redirect_uri') ?? '';
    // Nobody is sent to an address that the client did not register.
    if (!tenant || !client) return problemPage('This tenant has no such application.');
    if (!client.redirectUris.includes(redirectUri)) return problemPage('redirect_uri is not registered.');
    const back = (parameters: Readonly<Record<string, string>>): Response => {
      const url = new URL(redirectUri);
      const state = query.get('state');
      for (const [name, value] of Object.entries({ ...parameters, ...(state !== null && { state }) })) {
        url.searchParams.set(name, value);
      }
      return new Response(null, { status: 302, headers: { location: url.href } });
    };
    if (query.get('response_type') !== 'code') return back({ error: 'unsupported_response_type' });
    const challenge = query.get('code_challenge');
    if (challenge !== null && query.get('code_challenge_method') !== 'S256')
      return back({ error: 'invalid_request' });
    if (request.method === 'GET') return chooseUserPage(client.name, tenant.users);

    const chosen = new URLSearchParams(await request.text()).get('user');
    const user = tenant.users.find(({ objectId }) => objectId === chosen);
    if (!user) return back({ error: 'access_denied' });
    const code = opaque();
    const until = clock.now() + CODE_LIFETIME_MS;
    grants.set(code, { client, user, redirectUri, challenge, nonce: query.get('nonce'), until });
    return back({ code });
  };

  const redeem: Authorisation['redeem'] = (form, client) => {
    const code = form.get('code') ?? '';
    const grant = grants.get(code);
    grants.delete(code);
    const good =
      grant?.client.clientId === client.clientId &&
      grant.redirectUri === form.get('redirect_uri') &&
      clock.now() <= grant.until &&
      answersChallenge(grant.challenge, form.get('code_verifier'));
    if (!good)
      throw new OAuthError(
        'invalid_grant',
        70008,
        'The code is unknown, used, expired or not for this client',
      );
    return grant;
  };

  return { answer, redeem };
}

function answersChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined;
  return (
    createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url') === challenge
  );
}
