import { expect, test } from 'vitest';
import { deploy, uk } from '../lib/deploy.ts';
import {
  costOf,
  type Deployment,
  large,
  numbersOf,
  priced,
  small,
  tableOf,
  typical,
} from './monthly-costs.ts';
import { readPage } from './pages.ts';

const { prose } = readPage('docs/guides/costs.md');

test.each([
  ['small', small, 3],
  ['typical', typical, 4],
  ['large', large, 5],
] as const)('the numbers of the %s deployment are those of its assumptions', (_name, deployment, column) => {
  const stated = Object.fromEntries(priced.map((cells) => [cells[0], cells[column]]));
  const expected = Object.entries(numbersOf(deployment)).map(([what, number]) => [
    what,
    String(Number(number.toPrecision(number < 10 ? 2 : 3))),
  ]);
  expect(stated).toStrictEqual(Object.fromEntries(expected));
});

test('the sums of the costs are those of prices and numbers', () => {
  const stated = tableOf(prose, '| what | $ for |').at(-1)?.slice(3, 6);
  expect(stated).toStrictEqual(
    [small, typical, large].map((deployment) => `**${costOf(numbersOf(deployment)).toFixed(2)}**`),
  );
});

test('an open catalogue costs at most $5 a month, with what panels hold, messages and every alarm', () => {
  expect(costOf(numbersOf(typical))).toBeLessThanOrEqual(5);
});

test('a month of each of five years costs what the page says, also by the rotations of the key in the template', () => {
  const [key] = Object.values(deploy({ catalogues: { uk } }).findResources('AWS::KMS::Key'));
  const { EnableKeyRotation, RotationPeriodInDays = 365 } = key?.Properties ?? {};
  // A key costs another dollar after its first and after its second rotation, and nothing more after later ones.
  const rotations = (year: number): number =>
    EnableKeyRotation ? Math.min(2, Math.floor(((year - 1) * 365) / RotationPeriodInDays)) : 0;
  const inYear = (deployment: Deployment, year: number, yearsKept = year): number => {
    const numbers = numbersOf(deployment);
    return costOf({
      ...numbers,
      'KMS key': (numbers['KMS key'] ?? Number.NaN) + rotations(year),
      'DynamoDB storage': (numbers['DynamoDB storage'] ?? Number.NaN) * yearsKept,
    });
  };
  expect(prose.replaceAll('\n', ' ')).toContain(
    `in the fifth, a month costs $${inYear(small, 5).toFixed(2)} (small) and $${inYear(typical, 5).toFixed(2)} (typical); with \`retention.historyDays: 365\`, $${inYear(typical, 5, 1).toFixed(2)}.`,
  );
  for (const year of [1, 2, 3, 4, 5]) expect(inYear(typical, year, 1)).toBeLessThan(5);
});

test('a further catalogue, credential and channel cost what the page says', () => {
  const more = (change: Partial<Deployment>): string =>
    (costOf(numbersOf({ ...typical, ...change })) - costOf(numbersOf(typical))).toFixed(2);
  const another = {
    catalogues: 2,
    rows: typical.rows * 2,
    events: typical.events * 2,
    versions: typical.versions * 2,
  };
  expect(prose).toContain(`**Each further open catalogue**: ${more(another)}`);
  expect(prose).toContain(`A credential adds ${more({ credentials: 1 })}`);
  expect(prose).toContain(`**Each channel of a subscription**: ${more({ channels: 2 })}`);
});

test('the page for a team costs what the page says', () => {
  const price = (what: string): number => Number(priced.find(([name]) => name === what)?.[2]);
  const perMillion = (number: number, dollars: number): number => (number * dollars) / 1e6;
  const requests = 50_000 + 100_000;
  const parts = [
    2 * price('Secrets Manager') + 2 * price('CloudWatch alarms'),
    // Each new instance writes it once.
    (300 / 730) * price('CloudWatch metrics'),
    // London, November 2026.
    perMillion(requests, 1.2),
    perMillion(requests, price('Lambda requests')),
    (requests * 0.1 * price('Lambda, arm64')) / 1000,
    (300 * 10 * price('Lambda, arm64')) / 1000,
    perMillion(300 * 9_400, price('DynamoDB reads')),
  ];
  const sum = parts.reduce((one, other) => one + other, 0);
  expect(prose).toContain(`**The page** (\`page: { … }\`): about ${sum.toFixed(2)} for ten people`);
  for (const part of parts.slice(1)) expect(prose).toContain(part.toFixed(2));
});

test('what panels hold costs what the page says', () => {
  const { catalogues } = typical;
  const watched = catalogues * 3 * 0.1;
  const without = costOf(numbersOf({ ...typical, versions: 0, proveMinutes: Number.POSITIVE_INFINITY }));
  const used = costOf(numbersOf(typical)) - without;
  expect(prose).toContain(`adds ${(watched + used).toFixed(2)} to the typical deployment`);
  expect(prose.replaceAll('\n  ', ' ')).toContain(
    `${used.toFixed(2)} for reading, proving and keeping 1,000 versions`,
  );
});
