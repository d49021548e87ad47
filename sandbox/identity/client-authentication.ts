import type { AppAuthentication } from './claims.ts';
import type { Directory } from './directory.ts';
import { OAuthError } from './oauth-error.ts';
import type { Client, Tenant } from './tenants.ts';
import { readAssertion } from './verify-assertion.ts';

/** How the server reads the Basic header: `form` decodes id and secret, `raw` takes them as they are. */
export type BasicReading = 'form' | 'raw';

export interface AuthenticationContext {
  readonly directory: Directory;
  readonly tenant: Tenant;
  readonly basic: BasicReading;
  /** Audiences that an assertion may name. */
  readonly audiences: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Identifiers of assertions that were used. */
  readonly usedAssertions: Set<string>;
}

export interface Authenticated {
  readonly client: Client;
  readonly authentication: AppAuthentication;
}

/**
 * Which client asks, by Basic header or by certificate (interface specification, "Identity provider" and
 * "Authentication", 4). Id and secret as form fields are refused: they are unreliable.
 */
export async function authenticateClient(
  authorization: string | null,
  form: ReadonlyMap<string, string>,
  context: AuthenticationContext,
): Promise<Authenticated> {
  if (form.has('client_secret')) {
    const message = 'client_id and client_secret as form fields are unreliable; use the Basic header';
    throw new OAuthError('invalid_request', 9000001, message);
  }
  const assertion = form.get('client_assertion');
  if (assertion !== undefined) {
    if (authorization !== null) throw new OAuthError('invalid_request', 9000002, 'Two credentials were sent');
    const client = await readAssertion(assertion, form, context);
    return { client: onboarded(client), authentication: '2' };
  }
  if (authorization === null)
    throw new OAuthError('invalid_client', 7000216, 'No client credential was sent');
  const { id, secret } = readBasic(authorization, context.basic);
  const client = context.directory.client(context.tenant.id, id);
  if (!client) throw new OAuthError('unauthorized_client', 700016, 'This tenant has no such application');
  if (!client.secrets.includes(secret))
    throw new OAuthError('invalid_client', 7000215, 'The client secret is wrong');
  return { client: onboarded(client), authentication: '1' };
}

/** Interface specification, "Authentication", 3. */
function onboarded(client: Client): Client {
  if (client.onboarded) return client;
  throw new OAuthError('unauthorized_client', 7000112, 'The application has not completed onboarding');
}

function readBasic(
  authorization: string,
  reading: BasicReading,
): { readonly id: string; readonly secret: string } {
  const [, encoded] = /^Basic +([\w+/-]+={0,2}) *$/i.exec(authorization) ?? [];
  const pair = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = pair.indexOf(':');
  if (colon < 0)
    throw new OAuthError('invalid_client', 7000217, 'The Authorization header is no Basic credential');
  const [id, secret] = [pair.slice(0, colon), pair.slice(colon + 1)];
  return reading === 'raw' ? { id, secret } : { id: formDecode(id), secret: formDecode(secret) };
}

function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new OAuthError('invalid_client', 7000218, 'The Basic credential is not form-encoded');
  }
}
