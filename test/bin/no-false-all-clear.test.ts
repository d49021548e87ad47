import { beforeAll, describe, expect, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { breast, turnedGreen } from '../words/events.ts';
import { runCommand } from './run-command.ts';

/** The history holds one gene that turned green, and the days from 18 to 21 November. */
const state = newFolder();
beforeAll(async () => {
  const file = openStateFile(state);
  const period = {
    catalogue: 'uk',
    since: parseInstant('2026-11-18T00:00:00Z') ?? 0n,
    until: parseInstant('2026-11-21T10:00:00Z') ?? 0n,
  };
  const panel = { ...breast, name: 'Hearing loss', relevantDisorders: ['R67'] };
  await createSqliteHistory(file).append([toMessage(turnedGreen({ panel }))], period);
  file.close();
});

const clock = createTestClock({ now: Date.parse('2026-11-21T10:30:00Z') });
const run = (...args: string[]) => runCommand([...args, '--state', state], { clock });
const formats = ['table', 'html', 'csv', 'json', 'ndjson'];

describe('a time that was not read is not said to be quiet', () => {
  test('by history', async () => {
    const { code, stdout } = await run('history', '--since', '2026-10-01', '--until', '2026-11-01');
    expect(stdout).toContain('Nothing of this period was read, so nothing can be said about it.');
    expect(code).toBe(3);
  });

  test.each(formats)('by history as %s, where a part of it was read', async (format) => {
    const args = ['--since', '2026-10-22', '--gene', 'BRCA1', '--to', 'red', '--format', format];
    const { code, stdout, stderr } = await run('history', ...args);
    expect(`${stdout}${stderr}`).toContain('No event was found in the 3 of 30 days that were read.');
    expect(stderr).toContain('uk was not read from 2026-10-22 to 2026-11-18.');
    expect(code).toBe(4);
  });

  test.each(formats)('by a report as %s', async (format) => {
    const args = ['--since', '2026-10-01', '--until', '2026-11-01', '--format', format];
    const { code, stdout, stderr } = await run('report', ...args);
    if (format !== 'ndjson') expect(stdout).toMatch(/not read|[Nn]othing of this period was read/);
    expect(stdout).not.toMatch(/\b0 now green/);
    expect(stderr).toMatch(/Nothing of this period was read|uk was not read from 2026-10-01/);
    expect(code).toBe(3);
  });

  test.each(formats)('by a report as %s, where a part of it was read', async (format) => {
    const { code, stdout, stderr } = await run('report', '--since', '2026-10-22', '--format', format);
    if (format !== 'ndjson') expect(stdout).toMatch(/not read|in the 3 of 30 days that were read/);
    expect(stderr).toContain(
      'uk was not read from 2026-10-22 to 2026-11-18. Changes of that time may be missing.',
    );
    expect(code).toBe(4);
  });
});

describe('a name that does not exist gives no all-clear', () => {
  const names = [
    [['--panel', 'hearing'], 'No panel is called “hearing” in what was read. Did you mean “Hearing loss”?'],
    [['--panel', '999'], 'No panel has the id 999 in what was read.'],
    [['--r-code', 'R999'], 'No panel has the code R999 in what was read.'],
    [['--gene', 'BRCA9'], 'No gene, STR or region is called “BRCA9” in what was read. Did you mean “BRCA1”?'],
    [['--panel-type', 'gms'], 'No panel has the type “gms” in what was read.'],
  ] as const;
  test.each(names)('to history: %j', async (args, sentence) => {
    const { code, stderr } = await run('history', ...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(3);
  });

  test.each(names.flatMap(([args, sentence]) => formats.map((format) => [args, sentence, format] as const)))(
    'to a report: %j',
    async (args, sentence, format) => {
      const { code, stdout, stderr } = await run(
        'report',
        '--since',
        '2026-11-18',
        '--format',
        format,
        ...args,
      );
      if (['html', 'csv', 'json'].includes(format))
        expect(stdout.replaceAll('""', '"'), 'the report itself has the warning').toContain(sentence);
      expect(stderr).toContain(sentence);
      expect(code).toBe(3);
    },
  );

  test('to replay', async () => {
    const { stderr } = await run('replay', '--since', '2026-11-18', '--panel', 'hearing', '--dry-run');
    expect(stderr).toContain('No panel is called “hearing”');
  });
});

test('a report names its filter', async () => {
  const { stdout } = await run('report', '--since', '2026-11-18', '--panel', '635', '--r-code', 'R67');
  expect(stdout).toContain('panel Hearing loss (635); R code R67');
});
