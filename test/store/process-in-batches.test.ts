import { expect, test } from 'vitest';
import { processInBatches } from '../../lambdas/store/dynamodb-table.ts';
import { createTestClock } from '../run/test-clock.ts';

const entries = [1, 2, 3, 4, 5];
const incomplete = (calls: number): Error => new Error(`incomplete after ${calls} calls`);

test('processInBatches() sends what is left unprocessed again before the next batch', async () => {
  const sent: (readonly number[])[] = [];
  await processInBatches({
    entries,
    size: 2,
    send: async (batch) => (sent.push(batch) === 2 ? [4] : []),
    clock: createTestClock(),
    incomplete,
  });
  expect(sent).toStrictEqual([[1, 2], [3, 4], [4], [5]]);
});

test('processInBatches() sends nothing where there are no entries', async () => {
  const send = async () => {
    throw new Error('nothing to send');
  };
  const processed = processInBatches({ entries: [], size: 2, send, clock: createTestClock(), incomplete });
  await expect(processed).resolves.toBeUndefined();
});

test('processInBatches() gives up after six calls for one batch, with waits that double', async () => {
  const clock = createTestClock({ random: () => 0.5 });
  const processed = processInBatches({
    entries,
    size: 5,
    send: async (batch) => batch,
    clock,
    incomplete,
  });
  await expect(processed).rejects.toThrow('incomplete after 6 calls');
  expect(clock.sleeps).toStrictEqual([100, 200, 400, 800, 1600]);
});
