import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createGate } from '../../page/guard.ts';

test('what else the process does has its turn after each response, also where many wait', async () => {
  const gate = createGate({ open: 16, waiting: 100 });
  const order: string[] = [];
  let isAnswering = true;
  const polls = (async () => {
    while (isAnswering) {
      await nextTurn();
      order.push('poll');
    }
  })();
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const response = await gate(() => {
        order.push('view');
        return new Response('a view');
      });
      await response.text();
    }),
  );
  isAnswering = false;
  await polls;
  expect(order.filter((each) => each === 'view')).toHaveLength(40);
  expect(order.join(' ')).not.toContain('view view');
});

test('a request that finds no place is answered 503, and a place is free again once a reader left', async () => {
  const gate = createGate({ open: 1, waiting: 1 });
  const view = () => new Response('a view');
  const first = await gate(view);
  const second = gate(view);
  expect((await gate(view)).status).toBe(503);
  await first.body?.cancel();
  expect(await (await second).text()).toBe('a view');
});
