import { PassThrough, Readable } from 'node:stream';
import { expect } from 'vitest';
import { startLocalNotifier } from '../../../bin/local/notifier.ts';
import { accessOf } from '../../../lambdas/catalogue/identity/access-of.ts';
import { formatInstant, instantOf, minutes } from '../../../lambdas/run/instant.ts';
import { startCatalogue } from '../../../sandbox/catalogue/start.ts';
import { bearerAuthorisation, createApplicationCheck } from '../../../sandbox/interpretation/application.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { CANARY, watchedLog } from './canaries.ts';
import { canaryClient, closeLater, startProvider, tenantId } from './token-harness.ts';

const LIFETIME = 5;

type CatalogueOptions = Parameters<typeof startCatalogue>[0];

interface PollingOptions {
  /** What the catalogue serves, and whom; by default a made-up one that requires a token. */
  readonly serve?: (
    check: ReturnType<typeof bearerAuthorisation>,
    now: number,
  ) => Pick<CatalogueOptions, 'lists' | 'history' | 'authorise'>;
  /** Whether the first poll publishes what is there; it bookmarks the newest row otherwise. */
  readonly fromNow?: boolean;
}

/** Starts a notifier that polls a catalogue by tokens of five seconds. */
export async function startPolling({ serve, fromNow = true }: PollingOptions = {}) {
  const clock = createTestClock();
  const watched = watchedLog();
  const { log } = watched;
  const provider = await startProvider({ clock, lifetime: LIFETIME });
  const check = bearerAuthorisation(createApplicationCheck('catalogue', { provider, clock }));
  const refusals: Response[] = [];
  const catalogue = await startCatalogue({
    clock,
    ...(serve?.(check, clock.now()) ?? {
      history: 250,
      authorise: async (request) => {
        const refusal = await check(request);
        if (refusal) refusals.push(refusal);
        return refusal;
      },
    }),
  });
  closeLater(catalogue.close);
  const store = { text: secretOf(String(canaryClient.secrets[0])), reads: 0 };
  const access = accessOf(
    {
      ACCESS: 'client-credentials',
      SECRET_ID: 'x',
      AUTH_URL: provider.authUrl,
      TENANT_ID: tenantId,
      AUTH_BASIC: 'raw',
    },
    {
      clock,
      log,
      source: (secretId) => ({
        name: `the secret ${secretId}`,
        read: async () => {
          store.reads += 1;
          return store.text;
        },
      }),
    },
  );
  closeLater(access.close);
  const published: string[] = [];
  const notifier = await startLocalNotifier({
    name: 'sandbox',
    url: catalogue.url,
    access,
    overlap: minutes(15),
    ...(fromNow && { from: instantOf(clock.now()) }),
    log,
    io: {
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: {},
      clock,
      signal: new AbortController().signal,
    },
    publisher: {
      publish: async (messages) => {
        for (const { body } of messages) published.push(body);
        return [];
      },
    },
  });
  closeLater(notifier.close);
  return { clock, watched, provider, catalogue, refusals, store, notifier, published };
}

export const secretOf = (client_secret: string): string =>
  JSON.stringify({ client_id: canaryClient.clientId, client_secret });

/** Comments with different texts, spread over the last seconds. */
export function comments(first: number, count: number, now: number) {
  return Array.from({ length: count }, (_, index) => ({
    created: formatInstant(instantOf(now - 1500 + index) + BigInt(index)),
    panel_name: 'Panel of comments',
    panel_id: 900_001,
    panel_version: '1.0',
    user_name: 'Ann Curator',
    item_type: 'entity',
    text: `Added comment: number ${first + index}.`,
    entity_name: 'BRCA1',
    entity_type: 'gene',
  }));
}

/** The numbers of the published comments, in order. */
export function numbersIn(published: readonly string[]): number[] {
  return published.flatMap((body) => {
    const [, number] = /"text":"Added comment: number (\d+)\./.exec(body) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

/** Polls so many times while secrets are rotated and tokens revoked, and checks that each comment is published once. */
export async function pollThroughRotations(rounds: number): Promise<void> {
  const { clock, watched, provider, catalogue, refusals, store, notifier, published } = await startPolling();
  const began = clock.now();
  clock.pass(2000);
  let revocations = 0;
  let rotations = 0;
  let written = 0;
  const revoke = (): void => {
    provider.revokeTokens();
    revocations += 1;
  };
  for (let round = 1; round <= rounds; round += 1) {
    // Now and then there are so many that the log is read page by page.
    const count = round % 25 === 0 ? 320 : round % 4;
    catalogue.addRows(comments(written, count, clock.now()));
    written += count;
    if (round % 10 === 0) catalogue.act();
    if (round % 13 === 0) revoke();
    if (round % 20 === 0) {
      rotations += 1;
      const rotated = `rotated ${rotations} ${CANARY} :+%`;
      provider.directory.rotateSecret(canaryClient.clientId, rotated);
      store.text = secretOf(rotated);
    }
    if (round % 25 === 0) {
      // Between two pages of one poll.
      let seen = 0;
      catalogue.onRequest(() => {
        seen += 1;
        if (seen === 2) revoke();
      });
    } else {
      catalogue.onRequest(undefined);
    }
    await notifier.poll();
    clock.pass(2000);
  }
  clock.pass(60_000);
  await notifier.poll();

  const numbers = numbersIn(published);
  expect(numbers).toHaveLength(written);
  expect(new Set(numbers)).toEqual(new Set(Array.from({ length: written }, (_, index) => index)));

  const issued = provider.calls.filter(({ status }) => status === 200).length;
  const refused = provider.calls.length - issued;
  const lifetimes = Math.ceil((clock.now() - began) / 1000 / LIFETIME);
  expect(revocations).toBe(Math.floor(rounds / 13) + Math.floor(rounds / 25));
  expect(rotations).toBe(Math.floor(rounds / 20));
  expect(issued).toBeLessThanOrEqual(lifetimes + revocations);
  // A revoked token is noticed by one refusal, unless it has expired anyway.
  expect(refusals.length).toBeGreaterThanOrEqual(revocations / 2);
  expect(refusals.length).toBeLessThanOrEqual(revocations);
  // A rotated secret is noticed by the first refusal.
  expect(refused).toBe(rotations);
  expect(store.reads).toBe(1 + rotations);
  watched.expectSilence(...published);
}
