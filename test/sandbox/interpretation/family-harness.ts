import { SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import {
  type Client,
  decisionSupport,
  familyResource,
  type TenantName,
  tenants,
  type User,
} from '../../../sandbox/identity/accounts.ts';
import {
  type StartedIdentityProvider,
  type StartOptions,
  startIdentityProvider,
} from '../../../sandbox/identity/identity-provider.ts';
import type { ApplicationName } from '../../../sandbox/interpretation/application.ts';
import { type StartedApplications, startApplications } from '../../../sandbox/interpretation/start.ts';
import { signingKey } from '../../catalogue/identity/signing-key.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';

const key = signingKey();

export interface FamilyHarness {
  readonly clock: TestClock;
  readonly provider: StartedIdentityProvider;
  readonly applications: StartedApplications;
  /** A token that the token endpoint issues to a client. */
  systemToken(
    client: Client,
    options?: { readonly tenant?: TenantName; readonly form?: string },
  ): Promise<string>;
  /** A token that a client obtains for a user by the browser flow. */
  userToken(user: User): Promise<string>;
  /** A token with changed claims, signed with the provider's key. */
  forge(change: Readonly<Record<string, unknown>>): Promise<string>;
  ask(
    application: ApplicationName,
    path: string,
    init?: RequestInit & { readonly token?: string },
  ): Promise<Response>;
}

/** Starts the identity provider and the applications, on a clock that stands still. */
export async function startHarness(options: Partial<StartOptions> = {}): Promise<FamilyHarness> {
  const clock = createTestClock();
  const provider = await startIdentityProvider({ clock, key, ...options });
  const applications = await startApplications({ provider, clock });
  onTestFinished(provider.close);
  onTestFinished(applications.close);
  const { id: tenantId } = tenants['non-production'];

  const requestToken = async (id: string, client: Client, body: string): Promise<string> => {
    const [user, password] = [client.clientId, client.secrets[0]].map((part) =>
      encodeURIComponent(String(part)),
    );
    const response = await fetch(`${provider.authUrl}/${id}/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${user}:${password}`)}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    });
    const { access_token: token } = (await response.json()) as { readonly access_token?: string };
    if (token === undefined)
      throw new Error(`no token was issued to ${client.name}: HTTP ${response.status}`);
    return token;
  };

  return {
    clock,
    provider,
    applications,
    systemToken: (client, { tenant = 'non-production', form = '' } = {}) =>
      requestToken(tenants[tenant].id, client, `grant_type=client_credentials${form}`),
    userToken: async (user) => {
      const redirectUri = String(decisionSupport.redirectUris[0]);
      const query = { client_id: decisionSupport.clientId, redirect_uri: redirectUri, response_type: 'code' };
      const chosen = await fetch(
        `${provider.authUrl}/${tenantId}/oauth2/authorize?${new URLSearchParams(query)}`,
        {
          method: 'POST',
          body: new URLSearchParams({ user: user.objectId }),
          redirect: 'manual',
        },
      );
      const code = String(new URL(String(chosen.headers.get('location'))).searchParams.get('code'));
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
      return requestToken(tenantId, decisionSupport, new URLSearchParams(form).toString());
    },
    forge: (change) => {
      const now = clock.now() / 1000;
      const { clientId, objectId } = decisionSupport;
      const claims = {
        aud: familyResource,
        iss: provider.issuer(tenantId),
        iat: now,
        nbf: now,
        exp: now + 3600,
        appid: clientId,
        oid: objectId,
        sub: objectId,
        tid: tenantId,
        uti: 'forged',
        ver: '1.0',
      };
      return provider.keys.sign({ ...claims, ...change });
    },
    ask: (application, path, { token, ...init } = {}) =>
      fetch(`${applications.urls[application]}/${path}`, {
        ...init,
        headers: { ...init.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      }),
  };
}

/** A token that was signed with another key. */
export async function signedByAnother(
  claims: Readonly<Record<string, unknown>>,
  kid: string,
): Promise<string> {
  const { privateKey } = await signingKey(kid, 2);
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
}
