import { expect, onTestFinished, test } from 'vitest';
import { type Lock, openLock } from '../../bin/local/open-state.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';

/** Two processes that prove with one state. */
function opened() {
  const directory = newFolder();
  const clock = createTestClock({ wokenByHand: true });
  const locks = [0, 1].map(() => openLock(directory, 'proving', { clock })) as [Lock, Lock];
  onTestFinished(() => {
    for (const lock of locks) lock.close();
  });
  return { clock, locks };
}

test('who holds a lock sees that another process waits for it, until that one has it', async () => {
  const { clock, locks } = opened();
  const [watch, verify] = locks;
  expect([watch.take(), watch.isAwaited()]).toEqual([true, false]);
  const held = verify.hold(async () => watch.isAwaited());
  expect(watch.isAwaited()).toBe(true);
  watch.release();
  clock.pass(250);
  (await clock.nextSleep()).wake();
  expect(await held).toBe(false);
});

test('a process that was killed while it waited holds nobody up', () => {
  const { clock, locks } = opened();
  const [watch, verify] = locks;
  watch.take();
  void verify.hold(async () => {});
  expect(watch.isAwaited()).toBe(true);
  clock.pass(5_000);
  expect(watch.isAwaited()).toBe(false);
});
