import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientAuthMethod, type Configuration } from 'oidc-provider';
import type { Page } from 'playwright-core';

/** Who can sign in, by the login; the provider takes any password. */
type Accounts = Readonly<Record<string, { readonly name: string; readonly roles: readonly string[] }>>;

interface ProviderOptions {
  readonly origin: string;
  readonly accounts: Accounts;
  readonly authMethod?: ClientAuthMethod;
  /** Whether a logout token states the session; it then ends that one alone. */
  readonly statesSessions?: boolean;
  /** Sends logout tokens to the page; over the network where absent. */
  readonly fetch?: Configuration['fetch'];
}

/** The provider while it runs. */
export interface IndependentProvider {
  readonly issuer: string;
  /** Ends a session of a person, and informs the page. */
  endSession(subject: string, session: string): Promise<void>;
  close(): void;
}

/** What the provider's types leave out: it sends a logout token to the client. */
interface LogoutClient {
  backchannelLogout(subject: string, session: string): Promise<void>;
}

/** The page as it is registered at the provider. The secret has the characters that make form fields unreliable. */
export const registeredClient = { id: 'gene-panel-page', secret: 'a:secret+/%?&=' } as const;

/**
 * Starts an OpenID Connect provider that others wrote (https://github.com/panva/node-oidc-provider), at which the page is registered as
 * docs/guides/team.md says. It requires PKCE.
 */
export async function startIndependentProvider({
  origin,
  accounts,
  authMethod = 'client_secret_basic',
  statesSessions = true,
  fetch,
}: ProviderOptions): Promise<IndependentProvider> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: registeredClient.id,
        client_secret: registeredClient.secret,
        redirect_uris: [`${origin}/signed-in`],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: authMethod,
        backchannel_logout_uri: `${origin}/back-channel-logout`,
        backchannel_logout_session_required: statesSessions,
      },
    ],
    clientAuthMethods: [authMethod],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'roles'] },
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } },
    findAccount: (_context, login) => ({
      accountId: login,
      claims: () => ({
        ...{ sub: login, preferred_username: login, name: accounts[login]?.name ?? login },
        roles: accounts[login]?.roles ?? [],
      }),
    }),
    ...(fetch && { fetch }),
  });
  server.on('request', provider.callback());
  return {
    issuer,
    async endSession(subject, session) {
      const client = (await provider.Client.find(registeredClient.id)) as unknown as LogoutClient;
      await client.backchannelLogout(subject, session);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Signs in on the provider's own pages, to which the page has led the browser. */
export async function signInThere(page: Page, login: string): Promise<void> {
  // Its pages ask another host for a font.
  await page.route('https://fonts.googleapis.com/**', (route) => route.abort());
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForLoadState();
}
