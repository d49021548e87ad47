import { expect, test } from 'vitest';
import { createMemoryHistory } from '../store/history/memory-history.ts';
import { createHarness } from './poll-harness.ts';

test('transactions that overlap for several chunks make later rows late, and the events of the panel are read once', async () => {
  const { catalogue, poll, newEvents } = createHarness();
  const history = createMemoryHistory();
  const comment = (gene: string, index: number, minor: number): void => {
    catalogue.write(`commented on gene: ${gene}: ${index}`, {
      at: catalogue.now - 600_000_000n + BigInt(index) * 200_000n,
      panel_version: `2.${minor}`,
      entity_name: gene,
    });
  };
  // The second row has the events of the panel read, before what follows is published.
  comment('BRCA1', 0, 900);
  comment('BRCA1', 1, 899);
  comment('TP53', 2, 1000);
  for (let index = 3; index < 400; index += 1) comment(`GENE${index}`, index, 500 + index);
  comment('TP53', 400, 600);
  // After each row of its own chunk, and before one of an earlier chunk.
  comment('TP53', 401, 950);
  let read = 0;
  const findWithoutRows: typeof history.findWithoutRows = (query) => {
    read += 1;
    return history.findWithoutRows(query);
  };
  await poll({ history: { ...history, findWithoutRows }, from: 0n });
  const late = newEvents().filter(({ data }) => data.late);
  expect(late.map(({ data }) => [data.entity?.name, data.panel?.version])).toStrictEqual([
    ['BRCA1', '2.899'],
    ['TP53', '2.600'],
    ['TP53', '2.950'],
  ]);
  expect(read).toBe(1);
});
