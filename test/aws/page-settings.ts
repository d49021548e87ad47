import type { SettingsInput } from '../../lib/settings.ts';
import { registeredClient } from '../../scripts/independent-provider.ts';
import type { Catalogues } from './catalogues.ts';
import { freePort } from './emulator.ts';

/** The address of the deployed page, at which the identity provider knows it. */
export const pageOrigin = `http://127.0.0.1:${await freePort()}`;

/** The page for a team, who sign in by an independent provider, and a worklist to decide about. */
export const pageSettings = ({ people }: Pick<Catalogues, 'people'>) =>
  ({
    worklist: {},
    page: {
      address: pageOrigin,
      signIn: {
        provider: { issuer: people.issuer, clientId: registeredClient.id },
        roles: { claim: 'roles', reader: ['panels-read'], decider: ['panels-decide'] },
      },
    },
  }) satisfies Partial<SettingsInput['stages'][string]>;
