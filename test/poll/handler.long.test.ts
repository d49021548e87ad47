import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { pollSettings, readEnvironment } from '../../lambdas/functions/settings.ts';
import { newFolder } from '../new-folder.ts';
import { type SnsEndpoint, startSnsEndpoint } from '../publishing/sns/endpoint.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { type LocalTable, openLocalTable } from '../store/local-table.ts';
import { bundlePoll, pollEnvironment } from './bundled-poll.ts';
import { type SavedLog, serveSavedLog } from './saved-log.ts';

const run = promisify(execFile);
const directory = newFolder();
let bundle: string;
let log: SavedLog;
let table: LocalTable;
let sns: SnsEndpoint<(typeof topics)[number]>;

beforeAll(async () => {
  bundle = await bundlePoll(directory);
  [log, table, sns] = await Promise.all([serveSavedLog(), openLocalTable(), startSnsEndpoint({ topics })]);
  await createHistoryTable(table.dynamodb);
});
afterAll(async () => {
  await Promise.all([log.close(), table.close(), sns.close(), rm(directory, { recursive: true })]);
});

const environment = (): Record<string, string> => pollEnvironment({ log, table, sns });

/** Loads the bundle in a process of its own, as Lambda does, and calls it so many times. */
async function invoke(
  given: Record<string, string> = {},
  times = 1,
): Promise<{ stdout: string; stderr: string }> {
  const script = `
    const { handler } = await import(${JSON.stringify(bundle)});
    for (let time = 0; time < ${times}; time++) {
      await handler({}, { awsRequestId: 'request-' + time, getRemainingTimeInMillis: () => 60000 });
    }`;
  return run(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...environment(), ...given },
  });
}

/** How many objects zod makes a schema for while the bundle is loaded, by the hook that it gives to its compiler. */
async function objectSchemasAtLoad(): Promise<number> {
  const script = `
    let made = 0;
    globalThis.__zod_globalConfig = { postProcessor: ({ _zod }) => { if (_zod.def.type === 'object') made += 1; } };
    await import(${JSON.stringify(bundle)});
    process.stdout.write(String(made));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...environment() },
  });
  return Number(stdout);
}

const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the bundled poll function', { tags: 'slow' }, () => {
  test('publishes a log since the time it is given, in two calls only once', async () => {
    const { stdout } = await invoke({ START_FROM: '2023-10-01T00:00:00Z' }, 2);
    const lines = linesOf(stdout);
    const reports = lines.filter(({ message }) => message === 'Polled');
    expect(reports).toMatchObject([{ outcome: 'published' }, { outcome: 'quiet' }]);
    expect(sns.received.length).toBeGreaterThan(100);
    const ids = sns.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    expect(new Set(ids).size).toBe(ids.length);
    const [facts] = lines.filter((line) => 'ActivitiesRead' in line);
    expect(facts).toMatchObject({ Catalogue: 'uk', SuccessfulPolls: 1, FeedCount: 300 });
    expect(facts?.ActivitiesRead).toBe(reports[0]?.activities);
    const byType = lines.filter((line) => 'Type' in line).map(({ EventsOfType }) => EventsOfType as number);
    expect(byType.reduce((sum, count) => sum + count, 0)).toBe(sns.received.length);
  });

  test('makes the schemas of its environment when it is loaded, and no others before it reads something', async () => {
    // One for each kind of access, and one for the settings of panel states.
    expect(await objectSchemasAtLoad()).toBe(4);
  });

  test('adds the facts of the panels from the listing', () => {
    const events = sns.received.map(
      ({ body }) => JSON.parse(body) as { data: { panel: { id: number; types: string[] } } },
    );
    const [third] = events.filter(({ data }) => data.panel.id === 3);
    expect(third?.data.panel.types).toContain('gms-signed-off');
  });

  test('fails with an error line and writes its metrics, when the catalogue is gone', async () => {
    const failing = invoke({ CATALOGUE_URL: 'http://127.0.0.1:9', CATALOGUE_NAME: 'gone' });
    const { stdout } = await failing.then(
      () => ({ stdout: '' }),
      (error: { stdout: string }) => error,
    );
    const lines = linesOf(stdout);
    expect(lines.filter(({ level }) => level === 'ERROR')).toMatchObject([
      { error: { code: 'CATALOGUE_CONNECTION_REFUSED' } },
    ]);
    expect(lines.some((line) => 'CatalogueRetries' in line)).toBe(true);
    expect(lines.some((line) => 'SuccessfulPolls' in line)).toBe(false);
    expect(stdout).not.toContain('canary-of-the-function');
  });

  test('names every setting that is wrong', () => {
    const wrong = { CATALOGUE_NAME: '', ACCESS: 'none', TOPIC_ARNS: '{"tags":"x"}', START_FROM: 'monday' };
    expect(() => readEnvironment(pollSettings, wrong)).toThrowError(
      /CATALOGUE_NAME.*CATALOGUE_URL.*TABLE_NAME.*TOPIC_ARNS/s,
    );
    expect(() => readEnvironment(pollSettings, {})).toThrowError(/ACCESS/);
  });
});
