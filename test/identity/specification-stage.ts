import { beforeEach } from 'vitest';
import type { Credential } from '../../lambdas/identity/credential.ts';
import { createTokenExchange } from '../../lambdas/identity/token-exchange.ts';
import {
  createInterpretationApi,
  type InterpretationApi,
} from '../../lambdas/interpretation/interpretation-api.ts';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import { type Stage, startStage } from '../sandbox/interpretation/stage.ts';
import { watchedLog } from './canaries.ts';
import { closeLater } from './token-stage.ts';

/**
 * For the tests of what the interface specification says of authentication and authorisation, sentence by
 * sentence, of client and sandbox together. docs/identity.md lists the sentences.
 */

export const tenantId = tenants['non-production'].id;

/** Of a system that all four applications know. */
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
} as const;

export interface SpecificationStage extends Stage {
  /** A token asked for by the project's own client. */
  tokenBy(asking?: Credential, tenant?: string): Promise<string>;
  /** The project's own client with that token and no other. */
  apiWith(token: string): InterpretationApi;
}

/** A fresh one before each test. */
export function eachStage(): () => SpecificationStage {
  let stage: SpecificationStage;
  beforeEach(async () => {
    stage = extended(await startStage());
  });
  return () => stage;
}

function extended(stage: Stage): SpecificationStage {
  const { clock, provider, applications } = stage;
  const { log } = watchedLog();
  return {
    ...stage,
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
