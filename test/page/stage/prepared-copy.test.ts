import { expect, test } from 'vitest';
import { createPreparedCopy } from '../../../page/stage/prepared-copy.ts';
import { createTestClock } from '../../run/test-clock.ts';

/** Copying that ends when the test says so. */
function opened() {
  const clock = createTestClock({ wokenByHand: true });
  const copies: PromiseWithResolvers<void>[] = [];
  const prepare = createPreparedCopy({
    clock,
    explain: (error) => `Reading the table: ${(error as Error).message}.`,
    copy: () => {
      const copying = Promise.withResolvers<void>();
      copies.push(copying);
      return copying.promise;
    },
  });
  return { clock, copies, prepare };
}

test('views wait for the first copy, and are shown once it ended', async () => {
  const { copies, prepare } = opened();
  const [one, other] = [prepare(), prepare()];
  copies[0]?.resolve();
  expect([await one, await other, copies.length]).toStrictEqual([null, null, 1]);
  expect(await prepare()).toBeNull();
  expect(copies.length).toBe(1);
});

test('a first copy that takes too long is said, never shown as an empty history, and goes on with the next request', async () => {
  const { clock, copies, prepare } = opened();
  const asked = prepare();
  (await clock.nextSleep()).wake();
  const response = await asked;
  expect([response?.status, response?.headers.get('refresh')]).toStrictEqual([503, '2']);
  expect(await response?.text()).toContain('The history is being copied');
  const again = prepare();
  copies[0]?.resolve();
  expect([await again, copies.length]).toStrictEqual([null, 1]);
});

test('a first copy that failed is said with its reason, and the next request tries again', async () => {
  const { copies, prepare } = opened();
  const asked = prepare();
  copies[0]?.reject(new Error('access denied'));
  const response = await asked;
  expect(response?.status).toBe(503);
  expect(await response?.text()).toContain('Reading the table: access denied.');
  const again = prepare();
  copies[1]?.resolve();
  expect(await again).toBeNull();
});

test('an older copy is brought up to date, and shown meanwhile where that takes long or fails', async () => {
  const { clock, copies, prepare } = opened();
  const first = prepare();
  copies[0]?.resolve();
  await first;
  await clock.nextSleep();
  clock.pass(61_000);
  const slow = prepare();
  (await clock.nextSleep()).wake();
  expect([await slow, copies.length]).toStrictEqual([null, 2]);
  copies[1]?.reject(new Error('throttled'));
  await new Promise(setImmediate);
  expect([await prepare(), copies.length]).toStrictEqual([null, 2]);
  clock.pass(61_000);
  const next = prepare();
  copies[2]?.resolve();
  expect([await next, copies.length]).toStrictEqual([null, 3]);
});
