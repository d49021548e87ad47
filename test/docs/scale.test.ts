import { expect, test } from 'vitest';
import { costOf, type Deployment, numbersOf, tableOf, typical } from './monthly-costs.ts';
import { readPage } from './pages.ts';

const { prose } = readPage('docs/scale.md');
const factors = [1, 10, 100, 1_000] as const;

/** A month's numbers where one dimension of the typical deployment is larger by a factor. */
type Grown = (factor: number) => Readonly<Record<string, number>>;

const times = (factor: number, ...names: readonly (keyof Deployment)[]): Deployment => ({
  ...typical,
  ...Object.fromEntries(names.map((name) => [name, typical[name] * factor])),
});

const MINUTES = 730 * 60;

/** As the page counts it: what the numbers of the costs page leave out at this size. */
const grown: Readonly<Record<'catalogues' | 'events' | 'subscriptions' | 'history', Grown>> = {
  catalogues: (factor) => numbersOf(times(factor, 'catalogues', 'rows', 'events', 'versions', 'mails')),
  events: (factor) => numbersOf(times(factor, 'rows', 'events')),
  subscriptions: (factor) => {
    const numbers = numbersOf(times(factor, 'channels'));
    const lambda = numbers['Lambda, arm64'] ?? Number.NaN;
    // 6 requests of 7.5 ms for each further channel, with half a gigabyte.
    return { ...numbers, 'Lambda, arm64': lambda + (MINUTES * (factor - 1) * 0.045 * 0.5) / 1_000 };
  },
  history: (years) => {
    const numbers = numbersOf(typical);
    return { ...numbers, 'DynamoDB storage': (numbers['DynamoDB storage'] ?? Number.NaN) * years };
  },
};

/** Dollars as the page rounds them. */
const dollars = (cost: number): string =>
  cost < 10 ? cost.toFixed(2) : Number(cost.toPrecision(3)).toLocaleString('en');

test('the table of what breaks first states the costs by the prices and numbers of the costs page', () => {
  const rows = tableOf(prose, '| | × 10 |');
  for (const [name = '', ...cells] of rows) {
    const dimension = Object.entries(grown).find(([key]) => name.includes(key))?.[1];
    if (!dimension) continue;
    expect(cells.map((cell) => /\$([\d,.]+)$/.exec(cell)?.[1])).toStrictEqual(
      factors.slice(1).map((factor) => dollars(costOf(dimension(factor)))),
    );
  }
  expect(rows.length).toBe(5);
});
