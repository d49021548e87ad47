import type { Clock } from '../clock/clock.ts';
import { type BasicStyle, basicHeader } from './basic-header.ts';
import { clientAssertion } from './client-assertion.ts';
import type { Credential } from './credential.ts';

/** What of the token request is a matter of settings. */
export interface GrantSettings {
  /** How the Basic header is written; `form` where absent. */
  readonly basic?: BasicStyle | undefined;
  /** The resource that the token is for, where the tenant asks for one. */
  readonly resource?: string | undefined;
  readonly scope?: string | undefined;
}

export interface TokenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface TokenRequestOptions {
  readonly settings: GrantSettings;
  /** The address of the token endpoint. */
  readonly endpoint: string;
  readonly clock: Clock;
}

/**
 * The token request of the client credentials grant (interface specification, "Identity provider"): a Basic
 * header and one form field; resource and scope only where they are set. With a certificate, a signed
 * assertion takes the header's place. Each request is good for one sending.
 */
export function tokenRequest(
  credential: Credential,
  { settings, endpoint, clock }: TokenRequestOptions,
): TokenRequest {
  const { basic = 'form', resource, scope } = settings;
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
