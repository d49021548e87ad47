import type { SettingsInput } from '../../lib/settings.ts';
import { decisionSupport, tenants } from '../../sandbox/identity/accounts.ts';
import type { Catalogues } from './catalogues.ts';

/** The address of the deployed page, at which the identity provider knows it. */
export const pageOrigin = 'http://127.0.0.1:7208';

/** The page for a team, who sign in by the sandbox's identity provider, and a worklist to decide about. */
export const pageSettings = ({ identity }: Pick<Catalogues, 'identity'>) =>
  ({
    worklist: {},
    page: {
      address: pageOrigin,
      signIn: {
        provider: {
          issuer: identity.issuer(tenants['non-production'].id),
          clientId: decisionSupport.clientId,
          scope: 'openid',
        },
        roles: { claim: 'roles', reader: ['NCR003'], decider: ['NCR004'] },
      },
    },
  }) satisfies Partial<SettingsInput['stages'][string]>;
