import type { AppAuthentication } from './claims.ts';
import { OAuthError } from './oauth-error.ts';
import type { Client } from './tenants.ts';
import { type AssertionContext, readAssertion } from './verify-assertion.ts';

/**
 * How the server reads the Basic header: `raw` takes client id and secret as they are, `form` percent-decodes them,
 * `both` accepts either.
 */
export const basicReadings = ['both', 'raw', 'form'] as const;
export type BasicReading = (typeof basicReadings)[number];

/** Whether client id and secret are accepted as form fields. The interface calls them unreliable. */
export type SecretInBody = 'refused' | 'accepted';

interface AuthenticationContext extends AssertionContext {
  readonly basic: BasicReading;
  readonly secretInBody: SecretInBody;
}

interface Authenticated {
  readonly client: Client;
  readonly authentication: AppAuthentication;
}

/**
 * Authenticates the client of a token request by Basic header or by certificate. Client id and secret as form fields are
 * refused, because they are unreliable, unless the provider is set to accept them. Source: docs/interfaces.md, "Token request" and "Clients".
 *
 * @throws {OAuthError} when the client is unknown, its credential is wrong, or it has not completed onboarding
 */
export async function authenticateClient(
  authorization: string | null,
  form: ReadonlyMap<string, string>,
  context: AuthenticationContext,
): Promise<Authenticated> {
  const inBody = secretOf(form);
  if (inBody !== null && context.secretInBody === 'refused') {
    const message = 'client_id and client_secret as form fields are unreliable; use the Basic header';
    throw new OAuthError('invalid_request', 9000001, message);
  }
  const assertion = form.get('client_assertion');
  if (assertion !== undefined) {
    if (authorization !== null) throw new OAuthError('invalid_request', 9000002, 'Two credentials were sent');
    const client = await readAssertion(assertion, form, context);
    return { client: onboarded(client), authentication: '2' };
  }
  if (inBody !== null && authorization !== null)
    throw new OAuthError('invalid_request', 9000002, 'Two credentials were sent');
  if (authorization === null && inBody === null)
    throw new OAuthError('invalid_client', 7000216, 'No client credential was sent');
  const sent = inBody === null ? readBasic(authorization ?? '', context.basic) : [inBody];
  const candidates = sent.flatMap(({ id, secret }) => {
    const client = context.directory.client(context.tenant.id, id);
    return client ? [{ client, secret }] : [];
  });
  if (candidates.length === 0) {
    throw new OAuthError('unauthorized_client', 700016, 'This tenant has no such application');
  }
  const match = candidates.find(({ client, secret }) => client.secrets.includes(secret));
  if (!match) throw new OAuthError('invalid_client', 7000215, 'The client secret is wrong');
  return { client: onboarded(match.client), authentication: '1' };
}

function onboarded(client: Client): Client {
  if (client.onboarded) return client;
  throw new OAuthError('unauthorized_client', 7000112, 'The application has not completed onboarding');
}

interface BasicPair {
  readonly id: string;
  readonly secret: string;
}

/** Client id and secret as form fields; null where there is no secret. */
function secretOf(form: ReadonlyMap<string, string>): BasicPair | null {
  const secret = form.get('client_secret');
  return secret === undefined ? null : { id: form.get('client_id') ?? '', secret };
}

/** What the header may mean: one pair, or two where both readings are allowed and possible. */
function readBasic(authorization: string, reading: BasicReading): readonly BasicPair[] {
  const [, encoded] = /^Basic +([\w+/-]+={0,2}) *$/i.exec(authorization) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0)
    throw new OAuthError('invalid_client', 7000217, 'The Authorization header is not a Basic credential');
  const raw: BasicPair = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  if (reading === 'raw') return [raw];
  const decoded = formDecode(raw);
  if (reading === 'both') return decoded ? [raw, decoded] : [raw];
  if (decoded) return [decoded];
  throw new OAuthError('invalid_client', 7000218, 'The Basic credential is not percent-encoded');
}

/** Null where the text is not percent-encoded. */
function formDecode({ id, secret }: BasicPair): BasicPair | null {
  const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
  try {
    return { id: decode(id), secret: decode(secret) };
  } catch {
    return null;
  }
}
