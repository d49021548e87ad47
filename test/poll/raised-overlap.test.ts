import { expect, test } from 'vitest';
import { minutes } from '../../lambdas/run/instant.ts';
import { createHarness, textsOf } from './poll-harness.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

test('a raised overlap publishes nothing again, and still finds a row that appears late', async () => {
  const { catalogue, poll, newEvents } = createHarness();
  catalogue.write(comment('old'));
  await poll({ overlap: minutes(1) });
  for (let index = 0; index < 60; index++) {
    catalogue.clock.pass(30_000);
    catalogue.write(comment(`new ${index}`));
    await poll({ overlap: minutes(1) });
  }
  expect(newEvents()).toHaveLength(60);
  for (const overlap of [15, 60, 1440]) {
    catalogue.write(comment(`late ${overlap}`), { at: catalogue.now - minutes(10) });
    await poll({ overlap: minutes(overlap) });
    expect(textsOf(newEvents())).toStrictEqual([comment(`late ${overlap}`)]);
  }
});

test('a raised overlap reads no row before what the ledger covers', async () => {
  const { catalogue, poll, newEvents, table } = createHarness();
  for (let index = 40; index > 0; index--) {
    catalogue.write(comment(`old ${index}`), { at: catalogue.now - minutes(index) });
  }
  await poll({ from: catalogue.now - minutes(40) });
  expect(newEvents()).toHaveLength(40);
  const { position } = table;
  // As a state of an early version, which kept the rows of a short overlap only.
  const ledgerSince = catalogue.now - minutes(3);
  table.ledger = new Map([...table.ledger].filter(([, { at }]) => at === null || at >= ledgerSince));
  if (position) table.position = { ...position, ledgerSince };
  catalogue.write(comment('late'), { at: catalogue.now - minutes(2) + 1n });
  catalogue.write(comment('too late'), { at: catalogue.now - minutes(20) });
  await poll({ overlap: minutes(30) });
  expect(textsOf(newEvents())).toStrictEqual([comment('late')]);
});
