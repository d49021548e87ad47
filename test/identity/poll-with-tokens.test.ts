import { PassThrough, Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { startLocalNotifier } from '../../bin/local/notifier.ts';
import { formatInstant, instantOf, minutes } from '../../lambdas/clock/instant.ts';
import { accessOf } from '../../lambdas/identity/access-of.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { bearerAuthorisation, createApplicationCheck } from '../../sandbox/interpretation/start.ts';
import { CANARY, watchedLog } from './canaries.ts';
import { manualClock } from './manual-clock.ts';
import { canaryClient, closeLater, failureOf, startProvider, tenantId } from './token-stage.ts';

/** The poller against the sandbox's catalogue that lets nobody in without a token. */

const LIFETIME = 5;

async function start() {
  const clock = manualClock();
  const watched = watchedLog();
  const { log } = watched;
  const provider = await startProvider({ clock, lifetime: LIFETIME });
  const check = bearerAuthorisation(createApplicationCheck('catalogue', { provider, clock }));
  const refusals: Response[] = [];
  const catalogue = await startCatalogue({
    clock,
    history: 250,
    authorise: async (request) => {
      const refusal = await check(request);
      if (refusal) refusals.push(refusal);
      return refusal;
    },
  });
  closeLater(catalogue.close);
  const keeper = { text: secretOf(String(canaryClient.secrets[0])), reads: 0 };
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
          keeper.reads += 1;
          return keeper.text;
        },
      }),
    },
  );
  closeLater(access.close);
  const told: string[] = [];
  const notifier = await startLocalNotifier({
    name: 'sandbox',
    url: catalogue.url,
    access,
    overlap: minutes(15),
    from: instantOf(clock.now()),
    log,
    io: {
      stdin: Readable.from([]),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
      env: {},
      clock,
      signal: new AbortController().signal,
    },
    onPublished: (messages) => {
      for (const { body } of messages) told.push(body);
    },
  });
  closeLater(notifier.close);
  return { clock, watched, provider, catalogue, refusals, keeper, notifier, told };
}

const secretOf = (client_secret: string): string =>
  JSON.stringify({ client_id: canaryClient.clientId, client_secret });

/** Comments, each with a text of its own, spread over the last seconds. */
function comments(first: number, count: number, now: number) {
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

/** The numbers of the comments that were told, in order. */
function numbersIn(told: readonly string[]): number[] {
  return told.flatMap((body) => {
    const [, number] = /"text":"Added comment: number (\d+)\./.exec(body) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

describe('polls with tokens of five seconds', () => {
  test('lose and repeat nothing while secrets are rotated and tokens withdrawn', async () => {
    const { clock, watched, provider, catalogue, refusals, keeper, notifier, told } = await start();
    const began = clock.now();
    clock.advance(2000);
    let revocations = 0;
    let rotations = 0;
    let written = 0;
    const revoke = (): void => {
      provider.revokeTokens();
      revocations += 1;
    };
    for (let round = 1; round <= 150; round += 1) {
      // Now and then so many that the log has to be read page by page.
      const count = round % 25 === 0 ? 320 : round % 4;
      catalogue.addRows(comments(written, count, clock.now()));
      written += count;
      if (round % 10 === 0) catalogue.act();
      if (round % 13 === 0) revoke();
      if (round % 20 === 0) {
        rotations += 1;
        const rotated = `rotated ${rotations} ${CANARY} :+%`;
        provider.directory.rotateSecret(canaryClient.clientId, rotated);
        keeper.text = secretOf(rotated);
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
      clock.advance(2000);
    }
    clock.advance(60_000);
    await notifier.poll();

    const numbers = numbersIn(told);
    expect(numbers).toHaveLength(written);
    expect(new Set(numbers)).toEqual(new Set(Array.from({ length: written }, (_, index) => index)));

    const issued = provider.calls.filter(({ status }) => status === 200).length;
    const refused = provider.calls.length - issued;
    const lifetimes = Math.ceil((clock.now() - began) / 1000 / LIFETIME);
    expect([revocations, rotations]).toEqual([17, 7]);
    expect(issued).toBeLessThanOrEqual(lifetimes + revocations);
    // A token that was withdrawn is found out by one refusal, if it was not at its end anyway.
    expect(refusals.length).toBeGreaterThan(revocations / 2);
    expect(refusals.length).toBeLessThanOrEqual(revocations);
    // A secret that was rotated is found out by the first refusal.
    expect(refused).toBe(rotations);
    expect(keeper.reads).toBe(1 + rotations);
    watched.expectSilence(...told);
  });

  test('stop with the mark kept while no token is had, and then tell what was missed', async () => {
    const { clock, watched, provider, catalogue, keeper, notifier, told } = await start();
    await notifier.poll();
    clock.advance(2000);
    catalogue.addRows(comments(0, 5, clock.now()));
    provider.directory.rotateSecret(canaryClient.clientId, `new ${CANARY}`);
    clock.advance(6000);
    const errors = [];
    for (let round = 0; round < 10; round += 1) {
      errors.push(await failureOf(notifier.poll()));
      clock.advance(2000);
    }
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['CREDENTIAL_REFUSED']));
    // Nobody knocks with a refused credential more often than every half minute.
    expect(provider.calls).toHaveLength(2);
    keeper.text = secretOf(`new ${CANARY}`);
    clock.advance(30_000);
    await notifier.poll();
    expect(numbersIn(told)).toEqual([0, 1, 2, 3, 4]);
    watched.expectSilence(...errors, ...told);
  });
});

test('a catalogue that begins to ignore the token, and answers as to anybody, is noticed and said', async () => {
  const clock = manualClock();
  const watched = watchedLog();
  const { log } = watched;
  const provider = await startProvider({ clock });
  const check = bearerAuthorisation(createApplicationCheck('catalogue', { provider, clock }));
  let ignores = false;
  const hidden = 900_002;
  const catalogue = await startCatalogue({
    clock,
    lists: {
      activities: [
        ...comments(0, 50, clock.now()),
        ...comments(50, 150, clock.now()).map((row) => ({ ...row, panel_id: hidden })),
      ],
    },
    authorise: async (request) => {
      // What the token opens is there for those alone who show one that is looked at.
      const known = !ignores && (await check(request)) === undefined;
      if (known) catalogue.revealPanel(hidden);
      else catalogue.hidePanel(hidden);
      return undefined;
    },
  });
  closeLater(catalogue.close);
  const text = secretOf(String(canaryClient.secrets[0]));
  const access = accessOf(
    {
      ACCESS: 'client-credentials',
      SECRET_ID: 'x',
      AUTH_URL: provider.authUrl,
      TENANT_ID: tenantId,
      AUTH_BASIC: 'raw',
    },
    { clock, log, source: (name) => ({ name, read: async () => text }) },
  );
  closeLater(access.close);
  const io = {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    clock,
    signal: new AbortController().signal,
  };
  const told: string[] = [];
  const notifier = await startLocalNotifier({
    name: 'sandbox',
    url: catalogue.url,
    access,
    overlap: minutes(15),
    log,
    io,
    onPublished: (messages) => {
      for (const { body } of messages) told.push(body);
    },
  });
  closeLater(notifier.close);
  expect((await notifier.poll()).outcome).toBe('begun');
  clock.advance(60_000);
  expect((await notifier.poll()).anomalies).toEqual([]);
  ignores = true;
  expect((await notifier.poll()).anomalies).toContain('log-shrunken');
  expect(watched.lines.join()).toContain('is the access still the same?');
  ignores = false;
  expect((await notifier.poll()).anomalies).toEqual([]);
  expect(told).toEqual([]);
});
