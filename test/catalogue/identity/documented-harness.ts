import { beforeEach } from 'vitest';
import type { Credential } from '../../../lambdas/catalogue/identity/credential.ts';
import { createTokenExchange } from '../../../lambdas/catalogue/identity/token-exchange.ts';
import {
  createInterpretationApi,
  type InterpretationApi,
} from '../../../lambdas/catalogue/interpretation/application-client.ts';
import { decisionSupport, tenants } from '../../../sandbox/identity/accounts.ts';
import { type FamilyHarness, startHarness } from '../../sandbox/interpretation/family-harness.ts';
import { watchedLog } from './canaries.ts';
import { closeLater } from './token-harness.ts';

/** For the tests of the facts on authentication and authorisation in docs/interfaces.md, by client and sandbox together. */

export const tenantId = tenants['non-production'].id;

/** The credential of a system that is registered in all four applications. */
export const credential: Extract<Credential, { readonly kind: 'secret' }> = {
  kind: 'secret',
  clientId: decisionSupport.clientId,
  clientSecret: String(decisionSupport.secrets[0]),
};

/** A resource to read in each application. */
export const reads = {
  'interpretation-api': 'interpretation-request',
  'variant-store': 'variants/1001',
  'sample-matching': 'samples/LP1001-A',
  're-identification': 'participants/p-1001',
  'interpretation-portal': 'referrals/1001',
  'variant-annotation-store': 'annotations/1001',
} as const;

interface DocumentedHarness extends FamilyHarness {
  /** A token that the project's own client requested. */
  tokenBy(asking?: Credential, tenant?: string): Promise<string>;
  /** The project's own client with this token only. */
  apiWith(token: string): InterpretationApi;
}

/** Starts another one before each test. */
export function eachHarness(): () => DocumentedHarness {
  let harness: DocumentedHarness;
  beforeEach(async () => {
    harness = extended(await startHarness());
  });
  return () => harness;
}

function extended(harness: FamilyHarness): DocumentedHarness {
  const { clock, provider, applications } = harness;
  const { log } = watchedLog();
  return {
    ...harness,
    tokenBy: async (asking = credential, tenant = tenantId) => {
      const settings = { authUrl: provider.authUrl, tenantId: tenant };
      const exchange = createTokenExchange({ settings, clock, log });
      closeLater(exchange.close);
      return (await exchange.ask(asking, false)).value;
    },
    apiWith: (token) => {
      const access = {
        headers: async () => ({ authorization: `Bearer ${token}` }),
        renew: async () => false,
      };
      const baseUrl = applications.urls['interpretation-api'];
      const api = createInterpretationApi({ baseUrl, access, clock, log });
      closeLater(api.close);
      return api;
    },
  };
}
