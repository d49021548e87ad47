import type { Clock } from '../../run/clock.ts';
import { type BasicStyle, basicHeader } from './basic-header.ts';
import { clientAssertion } from './client-assertion.ts';
import type { Credential } from './credential.ts';

/** The configurable parts of a token request. */
export interface GrantSettings {
  readonly basic: BasicStyle;
  /** The resource that the token is for, where the tenant requires one. */
  readonly resource?: string | undefined;
  readonly scope?: string | undefined;
}

interface TokenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface TokenRequestOptions {
  readonly settings: GrantSettings;
  /** The address of the token endpoint. */
  readonly endpoint: string;
  readonly clock: Clock;
}

/**
 * Builds a token request of the client credentials grant: a Basic header and the form field `grant_type`, with resource
 * and scope where they are set. With a certificate, form fields with a signed assertion replace the header. A request
 * may be sent once. Source: docs/interfaces.md, "Token request".
 */
export function tokenRequest(
  credential: Credential,
  { settings, endpoint, clock }: TokenRequestOptions,
): TokenRequest {
  const { basic, resource, scope } = settings;
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  });
  const headers: Record<string, string> = {
    accept: 'application/json',
    'cache-control': 'no-cache',
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { clientId } = credential;
  if (credential.kind === 'secret') {
    headers.authorization = basicHeader(clientId, credential.clientSecret, basic);
  } else {
    form.set('client_id', clientId);
    form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
    form.set(
      'client_assertion',
      clientAssertion({ clientId, key: credential.key, audience: endpoint, clock }),
    );
  }
  return { headers, body: form.toString() };
}
