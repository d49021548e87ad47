import { expect, test } from 'vitest';
import { readPage } from './pages.ts';

const { prose } = readPage('docs/guides/costs.md');

/** The cells of the table whose header begins with some text, row by row, without the header. */
function table(header: string): readonly (readonly string[])[] {
  const [, , ...rows] = prose.slice(prose.indexOf(header)).split(/\n\n/)[0]?.split('\n') ?? [];
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The rows of the page's table of assumptions, in order. */
const assumptions = [
  'catalogues',
  'credentials',
  'pollMinutes',
  'sweepMinutes',
  'rows',
  'events',
  'channels',
  'webhooks',
  'mails',
  'consumers',
] as const;
type Deployment = Readonly<Record<(typeof assumptions)[number], number>>;

const MINUTES = 730 * 60;

const [small, typical, large] = [1, 2, 3].map((column) => {
  const cells = table('| | small |').map((row) => Number(row[column]?.replaceAll(',', '')));
  return Object.fromEntries(assumptions.map((name, row) => [name, cells[row]])) as Deployment;
}) as [Deployment, Deployment, Deployment];

/** The numbers of a month, in the units of the page. */
function numbersOf(deployment: Deployment): Readonly<Record<string, number>> {
  const { catalogues, credentials, pollMinutes, sweepMinutes, rows, events } = deployment;
  const { channels, webhooks, mails, consumers } = deployment;
  const polls = (MINUTES / pollMinutes) * catalogues;
  const sweeps = (MINUTES / sweepMinutes) * catalogues;
  const runs = polls + sweeps + MINUTES;
  return {
    'CloudWatch metrics': catalogues * 11 + credentials,
    'CloudWatch alarms': catalogues * 16 + credentials * 2 + 4,
    'CloudWatch dashboard': 1,
    'KMS key': 1,
    'KMS requests': (MINUTES / 5 + events) / 10_000,
    'Secrets Manager': credentials + Math.min(1, webhooks),
    'Lambda, arm64': (polls * 0.7 + sweeps * 20 + MINUTES * 0.1 * 0.5) / 1_000,
    'Lambda requests': (runs + events / 10) / 1e6,
    'DynamoDB writes': (rows * 5 + events * 4 + channels * 2 * MINUTES) / 1e6,
    'DynamoDB reads': (polls * 20 + sweeps * 200 + channels * 4 * MINUTES) / 1e6,
    'DynamoDB storage': (events * 12 * 3.5) / 1e6,
    'CloudWatch Logs': (runs + rows * 2) / 1e6,
    SNS: events / 1e6,
    'E-mail by SNS': mails / 100_000,
    'SQS requests': Math.max(0, (1 + consumers) * 15 * MINUTES - 1e6) / 1e6,
    Scheduler: 0,
  };
}

const priced = table('| what | $ for |').slice(0, -1);

function sumOf(deployment: Deployment): number {
  const numbers = numbersOf(deployment);
  return priced.reduce((sum, [what = '', , price]) => sum + Number(price) * (numbers[what] ?? Number.NaN), 0);
}

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
  const stated = table('| what | $ for |').at(-1)?.slice(3, 6);
  expect(stated).toStrictEqual(
    [small, typical, large].map((deployment) => `**${sumOf(deployment).toFixed(2)}**`),
  );
});

test('a further catalogue, credential and channel cost what the page says', () => {
  const more = (change: Partial<Deployment>): string =>
    (sumOf({ ...typical, ...change }) - sumOf(typical)).toFixed(2);
  const another = { catalogues: 2, rows: typical.rows * 2, events: typical.events * 2 };
  expect(prose).toContain(`**Each further open catalogue**: ${more(another)}`);
  expect(prose).toContain(`A credential adds ${more({ credentials: 1 })}`);
  expect(prose).toContain(`**Each channel of a subscription**: ${more({ channels: 2 })}`);
});
