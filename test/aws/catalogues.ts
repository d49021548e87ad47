import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { tenants } from '../../sandbox/identity/accounts.ts';
import {
  type StartedIdentityProvider,
  startIdentityProvider,
} from '../../sandbox/identity/identity-provider.ts';
import { createApplicationCheck } from '../../sandbox/interpretation/application.ts';
import { type IndependentProvider, startIndependentProvider } from '../../scripts/independent-provider.ts';
import { pageOrigin } from './page-settings.ts';

/** The sandbox's catalogues, one for each kind of access. */
export interface Catalogues {
  readonly open: RunningCatalogue;
  /** Wants a fixed header. */
  readonly header: RunningCatalogue;
  /** Wants a token of the identity provider's non-production tenant. */
  readonly token: RunningCatalogue;
  /** Serves the saved pages of `test/fixtures/catalogue`. */
  readonly saved: RunningCatalogue;
  /** Made up, with people who act where they are asked to. */
  readonly madeUp: RunningCatalogue;
  /** Made up, three hours ago: every row of what happens there has long been visible. */
  readonly archived: RunningCatalogue;
  readonly identity: StartedIdentityProvider;
  /** Where the people of a team sign in to the page. */
  readonly people: IndependentProvider;
  /** The only value that `header` lets in from now on. */
  admit(authorization: string): void;
  stop(): Promise<void>;
}

const tenant = tenants['non-production'];

export async function startCatalogues(): Promise<Catalogues> {
  let admitted: string | undefined;
  const identity = await startIdentityProvider({ clock });
  const check = createApplicationCheck('catalogue', { provider: identity, clock });
  const people = await startIndependentProvider({
    origin: pageOrigin,
    accounts: {
      morag: { name: 'Morag Manager', roles: ['panels-decide'] },
      olu: { name: 'Olu Operator', roles: ['panels-decide'] },
      sofia: { name: 'Sofia Scientist', roles: ['panels-read'] },
    },
  });
  const empty = { clock, lists: { activities: [] } };
  const open = await startCatalogue(empty);
  const header = await startCatalogue({
    ...empty,
    authorise: ({ headers }) =>
      headers.get('authorization') === admitted
        ? undefined
        : Response.json({ detail: 'Refused' }, { status: 401 }),
  });
  const token = await startCatalogue({
    ...empty,
    authorise: async (request) => {
      const checked = await check(request);
      return checked instanceof Response ? checked : undefined;
    },
  });
  const saved = await startCatalogue({ clock, from: 'test/fixtures/catalogue' });
  const madeUp = await startCatalogue({ clock, history: 100 });
  const archived = await startCatalogue({
    clock: { ...clock, now: () => clock.now() - 3 * 3_600_000 },
    history: 60,
    seed: 2,
  });
  return {
    open,
    header,
    token,
    saved,
    madeUp,
    archived,
    identity,
    people,
    admit: (authorization) => {
      admitted = authorization;
    },
    stop: async () => {
      people.close();
      await Promise.all(
        [open, header, token, saved, madeUp, archived, identity].map((server) => server.close()),
      );
    },
  };
}

/** What the settings say of them. */
export function catalogueSettings({ open, header, token, saved, madeUp, archived, identity }: Catalogues) {
  const common = { pollEveryMinutes: 5, from: '2026-01-01T00:00:00Z' };
  const { authUrl } = identity;
  return {
    open: { ...common, base: open.url },
    header: { ...common, base: header.url, access: { kind: 'header', credentialExpires: '2099-12-31' } },
    token: {
      ...common,
      base: token.url,
      access: { kind: 'client-credentials', authUrl, tenantId: tenant.id },
    },
    saved: { ...common, base: saved.url, from: '2020-01-01T00:00:00Z', states: { secondsBetween: 0 } },
    'made-up': { base: madeUp.url },
    archived: { base: archived.url, states: { secondsBetween: 0 }, comparedWith: { open: {} } },
  } as const;
}
