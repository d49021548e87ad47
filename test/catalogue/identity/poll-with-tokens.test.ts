import { describe, expect, test } from 'vitest';
import { CANARY } from './canaries.ts';
import { comments, numbersIn, pollThroughRotations, secretOf, startPolling } from './polling-harness.ts';
import { canaryClient, failureOf } from './token-harness.ts';

describe('polls with tokens of five seconds', () => {
  test('lose and repeat nothing while secrets are rotated and tokens revoked', () =>
    pollThroughRotations(26));

  test('keep the mark while no token is issued, then publish what was missed', async () => {
    const { clock, watched, provider, catalogue, store, notifier, published } = await startPolling();
    await notifier.poll();
    clock.pass(2000);
    catalogue.addRows(comments(0, 5, clock.now()));
    provider.directory.rotateSecret(canaryClient.clientId, `new ${CANARY}`);
    clock.pass(6000);
    const errors = [];
    for (let round = 0; round < 10; round += 1) {
      errors.push(await failureOf(notifier.poll()));
      clock.pass(2000);
    }
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['CREDENTIAL_REFUSED']));
    // A refused credential is sent at most every half minute.
    expect(provider.calls).toHaveLength(2);
    store.text = secretOf(`new ${CANARY}`);
    clock.pass(30_000);
    await notifier.poll();
    expect(numbersIn(published)).toEqual([0, 1, 2, 3, 4]);
    watched.expectSilence(...errors, ...published);
  });
});

test('a catalogue that starts to ignore the token and serves the public rows is noticed and logged', async () => {
  let ignores = false;
  const hidden = 900_002;
  const { clock, watched, catalogue, notifier, published } = await startPolling({
    fromNow: false,
    serve: (check, now) => ({
      lists: {
        activities: [
          ...comments(0, 50, now),
          ...comments(50, 150, now).map((row) => ({ ...row, panel_id: hidden })),
        ],
      },
      authorise: async (request) => {
        // The rows of the hidden panel are served with a token only, while the catalogue checks it.
        const known = !ignores && (await check(request)) === undefined;
        if (known) catalogue.revealPanel(hidden);
        else catalogue.hidePanel(hidden);
        return undefined;
      },
    }),
  });
  expect((await notifier.poll()).outcome).toBe('begun');
  clock.pass(60_000);
  expect((await notifier.poll()).anomalies).toEqual([]);
  ignores = true;
  expect((await notifier.poll()).anomalies).toContain('log-shrunken');
  expect(watched.lines.join()).toContain('is the access still the same?');
  ignores = false;
  expect((await notifier.poll()).anomalies).toEqual([]);
  expect(published).toEqual([]);
});
