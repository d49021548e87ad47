import { onTestFinished } from 'vitest';
import { decisionSupport, tenants } from '../../../sandbox/identity/accounts.ts';
import {
  type StartedIdentityProvider,
  type StartOptions,
  startIdentityProvider,
} from '../../../sandbox/identity/identity-provider.ts';
import { signingKey } from '../../catalogue/identity/signing-key.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';

const tenant = tenants['non-production'];
const { clientId, secrets } = decisionSupport;

const key = signingKey();

/** The provider, on a clock that stands still. */
interface ProviderHarness {
  readonly provider: StartedIdentityProvider;
  readonly clock: TestClock;
  /** Sends a token request. */
  readonly ask: (change?: Asked) => Promise<Response>;
}

/** A token request, as far as it differs from a good one. */
export interface Asked {
  readonly tenantId?: string;
  readonly authorization?: string | null;
  readonly contentType?: string;
  readonly body?: string;
  readonly method?: string;
}

const encode = (text: string) => encodeURIComponent(text);
export const basic = (id: string, secret: string) => `Basic ${btoa(`${encode(id)}:${encode(secret)}`)}`;
const ownBasic = basic(clientId, String(secrets[0]));

export async function startHarness(options: Partial<StartOptions> = {}): Promise<ProviderHarness> {
  const clock = createTestClock();
  const provider = await startIdentityProvider({ clock, key, ...options });
  onTestFinished(provider.close);
  const ask = ({
    tenantId = tenant.id,
    authorization = ownBasic,
    contentType,
    body,
    method = 'POST',
  }: Asked = {}) =>
    fetch(`${provider.authUrl}/${tenantId}/oauth2/token`, {
      method,
      headers: {
        'content-type': contentType ?? 'application/x-www-form-urlencoded',
        ...(authorization !== null && { authorization }),
      },
      ...(method === 'POST' && { body: body ?? 'grant_type=client_credentials' }),
    });
  return { provider, clock, ask };
}
