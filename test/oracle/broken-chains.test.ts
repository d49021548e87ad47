import { expect, test } from 'vitest';
import { brokenChains } from './broken-chains.ts';

interface Said {
  readonly id: string;
  readonly second: number;
  readonly from?: string | null;
  readonly to?: string;
  readonly direction?: string;
  readonly late?: boolean;
  readonly corrects?: string;
}

const messages = (said: readonly Said[]) =>
  said.map(({ id, second, from = null, to = 'red', direction = 'upgraded', late = false, corrects }) => ({
    id,
    body: JSON.stringify({
      id,
      source: 'https://catalogue.example/api/v1/',
      type: 'gene-panel.entity.classified.v1',
      time: `2026-11-02T09:00:0${second}.000000Z`,
      data: {
        panel: { id: 7, version: `0.${second}` },
        entity: { type: 'gene', name: 'HACD1' },
        summary: `${from} to ${to}`,
        activities: [{}],
        late,
        ...(corrects !== undefined && { corrects }),
        change: { from, to, direction },
      },
    }),
  }));

const red: Said = { id: 'red', second: 1, to: 'red', direction: 'new' };
const green: Said = { id: 'green', second: 3, from: 'red', to: 'green' };
const downgraded: Said = { id: 'down', second: 2, from: 'red', to: 'none', late: true };

const ways = (said: readonly Said[], lateRowsBetween = false): readonly string[] =>
  brokenChains(messages(said), { lateRowsBetween }).map((line) => line.split(' | ')[0] ?? '');

test.each<[string, readonly Said[], readonly string[]]>([
  ['each event states what the one before led to', [red, green], []],
  ['an unknown rating before contradicts nothing', [red, { ...green, from: null }], []],
  ['another rating before', [red, { ...green, from: 'amber' }], ['verify', 'in order', 'by arrival']],
  [
    'an entity that is new twice',
    [red, { ...green, direction: 'new', from: null }],
    ['verify', 'in order', 'by arrival'],
  ],
  ['a late event that the next one denies', [red, green, downgraded], ['verify', 'in order']],
  [
    'an earlier event that is not marked as late',
    [red, green, { ...downgraded, late: false, to: 'red' }],
    ['not marked as late'],
  ],
  [
    'a correction takes the place of what it corrects',
    [red, { ...green, from: 'amber' }, { ...green, id: 'corrected', corrects: 'green' }],
    ['by arrival'],
  ],
])('%s', (_what, said, wanted) => {
  expect(ways(said)).toEqual(wanted);
});

test('a late row between two events is left out where nothing could correct the later one', () => {
  expect(ways([red, green, downgraded], true)).toEqual([]);
});
