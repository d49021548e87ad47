import { expect, test } from 'vitest';
import { createPreparedCopy } from '../../../page/stage-copy.ts';
import { createTestClock } from '../../run/test-clock.ts';

/** A copy whose readings end when the test says so. */
function opened() {
  const clock = createTestClock({ wokenByHand: true });
  const newest: PromiseWithResolvers<void>[] = [];
  const older: PromiseWithResolvers<boolean>[] = [];
  const wholes: number[] = [];
  const begun = <Value>(all: PromiseWithResolvers<Value>[]): Promise<Value> => {
    const reading = Promise.withResolvers<Value>();
    all.push(reading);
    return reading.promise;
  };
  const prepare = createPreparedCopy({
    clock,
    explain: (error) => `Reading the table: ${(error as Error).message}.`,
    copy: { readNew: () => begun(newest), readOlder: () => begun(older) },
    onWhole: () => wholes.push(clock.now()),
  });
  const turn = () => new Promise(setImmediate);
  return { clock, newest, older, wholes, prepare, turn };
}

/** A copy that has read everything there was. */
async function read() {
  const parts = opened();
  const first = parts.prepare('/');
  parts.newest[0]?.resolve();
  await first;
  parts.older[0]?.resolve(false);
  await parts.turn();
  return parts;
}

test('the stream of changes waits for the newest events alone, while older ones are read', async () => {
  const { newest, older, wholes, prepare, turn } = opened();
  const [one, other] = [prepare('/'), prepare('/')];
  newest[0]?.resolve();
  expect([await one, await other, newest.length]).toStrictEqual([null, null, 1]);
  older[0]?.resolve(true);
  await turn();
  expect([await prepare('/'), older.length, wholes.length]).toStrictEqual([null, 2, 0]);
  older[1]?.resolve(false);
  await turn();
  expect([await prepare('/'), newest.length, wholes.length]).toStrictEqual([null, 1, 1]);
});

test('other views wait a little for older events, and are then shown without them', async () => {
  const { clock, newest, older, prepare, turn } = opened();
  const [list, slow] = [prepare('/worklist'), prepare('/worklist')];
  let isShown = false;
  void list.then(() => {
    isShown = true;
  });
  newest[0]?.resolve();
  await turn();
  expect(isShown).toBe(false);
  for (let sleeps = 0; sleeps < 4; sleeps++) (await clock.nextSleep()).wake();
  expect([await list, await slow]).toStrictEqual([null, null]);
  older[0]?.resolve(false);
  await turn();
  expect(await prepare('/worklist')).toBeNull();
});

test('a live stream waits while older events are read: between requests the process stands still', async () => {
  const { newest, older, prepare, turn } = opened();
  const stream = prepare('/live');
  newest[0]?.resolve();
  await turn();
  older[0]?.resolve(true);
  await turn();
  older[1]?.resolve(false);
  expect([await stream, older.length]).toStrictEqual([null, 2]);
});

test('a first copy that takes too long is said, never shown as an empty history, and goes on with the next request', async () => {
  const { clock, newest, prepare } = opened();
  const asked = prepare('/');
  (await clock.nextSleep()).wake();
  const response = await asked;
  expect([response?.status, response?.headers.get('refresh')]).toStrictEqual([503, '2']);
  expect(await response?.text()).toContain('The history is being copied');
  const again = prepare('/');
  newest[0]?.resolve();
  expect([await again, newest.length]).toStrictEqual([null, 1]);
});

test('a first copy that failed is said with its reason, and the next request tries again', async () => {
  const { newest, prepare } = opened();
  const asked = prepare('/');
  newest[0]?.reject(new Error('access denied'));
  const response = await asked;
  expect(response?.status).toBe(503);
  expect(await response?.text()).toContain('Reading the table: access denied.');
  const again = prepare('/');
  newest[1]?.resolve();
  expect(await again).toBeNull();
});

test('an older copy is brought up to date, and shown meanwhile where that takes long or fails', async () => {
  const { clock, newest, prepare, turn } = await read();
  await clock.nextSleep();
  clock.pass(61_000);
  const slow = prepare('/');
  (await clock.nextSleep()).wake();
  expect([await slow, newest.length]).toStrictEqual([null, 2]);
  newest[1]?.reject(new Error('throttled'));
  await turn();
  expect([await prepare('/'), newest.length]).toStrictEqual([null, 2]);
  clock.pass(61_000);
  const next = prepare('/');
  newest[2]?.resolve();
  expect([await next, newest.length]).toStrictEqual([null, 3]);
});
