import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { type SavedLog, serveSavedLog } from '../poll/saved-log.ts';
import { runCommand, words } from './run-command.ts';

let log: SavedLog;
let root: string;
let state: string;
beforeAll(async () => {
  [log, root] = await Promise.all([serveSavedLog(), newFolder()]);
  state = join(root, 'state');
  await runCommand(words`poll --only log --catalogue ${log.url} --state ${state} --from 2023-09-01`);
});
afterAll(() => Promise.all([log.close(), rm(root, { recursive: true })]));

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);
const eventsOf = (text: string): PanelEvent[] => linesOf(text).map((line) => JSON.parse(line) as PanelEvent);
const history = (...args: string[]) => runCommand(['history', '--state', state, ...args]);

test('a poll leaves no event behind that is not indexed', () => {
  const { database, close } = openStateFile(state);
  const { left, kept } = database
    .prepare('SELECT count(*) AS kept, (SELECT count(*) FROM unindexed_id) AS left FROM event_id')
    .get() as { readonly left: number; readonly kept: number };
  close();
  expect([left, kept > 200]).toStrictEqual([0, true]);
});

describe('history', () => {
  test('gives what was published, the newest first', async () => {
    const { code, stdout } = await history('--format', 'ndjson', '--limit', '100000');
    expect(code).toBe(0);
    const times = eventsOf(stdout).map(({ time }) => time ?? '');
    expect(times.length).toBeGreaterThan(200);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('has every event as lines, the heading once, and as a document so many as --limit says', async () => {
    const count = linesOf((await history('--format', 'ndjson')).stdout).length;
    expect(count).toBeGreaterThan(200);
    const [heading = '', ...rows] = (await history('--format', 'csv', '--oldest-first')).stdout.split('\r\n');
    expect(heading).toMatch(/^\ufefftime,catalogue,what happened,/);
    const times = rows.filter((row) => /^\d{4}-/.test(row)).map((row) => row.slice(0, 27));
    expect(times).toStrictEqual(times.toSorted());
    expect(times).toHaveLength(count);
    for (const format of ['json', 'html', 'table', 'csv']) {
      const { code, stdout, stderr } = await history('--format', format, '--limit', '3');
      expect(code).toBe(0);
      expect(stderr).toContain('These are the newest 3 events; --limit shows more.');
      if (format === 'json') expect(JSON.parse(stdout).rows).toHaveLength(3);
      if (format === 'html') expect(stdout.split('<tr>')).toHaveLength(5);
      if (format === 'csv') expect(stdout).toContain('These are the newest 3 events');
    }
  });

  test('finds by rating, direction, type, panel and gene at once', async () => {
    const { stdout } = await history('--format', 'ndjson', '--to', 'green', '--direction', 'upgraded');
    const found = eventsOf(stdout);
    expect(found.length).toBeGreaterThan(0);
    for (const { type, data } of found) {
      expect(type).toBe('gene-panel.entity.classified.v1');
      expect(data.change).toMatchObject({ to: 'green', direction: 'upgraded' });
    }
    const name = String(found[0]?.data.entity?.name);
    const { stdout: ofGene } = await history('--format', 'ndjson', '--gene', name, '--to', 'green');
    expect(new Set(eventsOf(ofGene).map(({ data }) => data.entity?.name))).toEqual(new Set([name]));
  });

  test.each([
    [['--gene', 'NOSUCHGENE'], 'No gene, STR or region is called “NOSUCHGENE” in what was read.'],
    [['--panel', '99999'], 'No panel has the id 99999.'],
    [['--panel', 'Nosuch panel'], 'No panel is called “Nosuch panel”.'],
    [
      ['--panel-type', 'gms-signed-of'],
      'No panel has the type “gms-signed-of”. Did you mean “gms-signed-off”?',
    ],
    [['--r-code', 'R99999'], 'No panel has the code R99999.'],
    [['--tag', 'nosuch'], 'No event that was read has the tag “nosuch”.'],
    [['--actor', 'No One'], 'No event that was read has the curator or reviewer “No One”.'],
  ])('reports a name that the catalogue or the history lacks: %s', async (options, sentence) => {
    for (const given of [
      ['history', '--state', state],
      ['replay', '--state', state, '--since', '2020-01-01', '--dry-run'],
    ]) {
      expect((await runCommand([...given, ...options])).stderr).toContain(sentence);
    }
  });

  test('says which of several names is unknown, beside the events of the others', async () => {
    const { stdout } = await history('--format', 'ndjson', '--type', 'entity.classified', '--limit', '1');
    const known = String(eventsOf(stdout)[0]?.data.entity?.name);
    const { stdout: found, stderr } = await history('--gene', known, '--gene', 'NOSUCHGENE');
    expect(found).toContain(known);
    expect(stderr).toContain('“NOSUCHGENE”');
    expect(stderr).not.toContain(`“${known}”`);
  });

  test('refuses a value that an option does not take', async () => {
    expect(await history('--direction', 'sideways')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('sideways'),
    });
  });
});

describe('report', () => {
  test('up to now says until when the log was read', async () => {
    const { code, stdout, stderr } = await runCommand(['report', '--state', state, '--since', '2023-09-01'], {
      clock,
    });
    expect(stderr).toMatch(/^Rows of \S+ after .+Z have not been read yet, or there are none\.$/m);
    expect(stdout).toMatch(/\d+ now green .* in the \d+ of \d+ days that were read/);
    // Nothing shows that a row is missing.
    expect(code).toBe(0);
  });

  test('is written once to a file in each format, and no formula reaches a spreadsheet', async () => {
    for (const format of ['table', 'html', 'csv', 'json']) {
      const file = join(root, `report.${format}`);
      const ran = await runCommand([
        ...['report', '--state', state, '--since', '2023-09-01', '--until', '2023-12-01'],
        ...['--format', format, '--output', file],
      ]);
      expect(ran).toMatchObject({ code: 0, stdout: '' });
      const text = await readFile(file, 'utf8');
      expect(text.length).toBeGreaterThan(500);
      if (format === 'html') {
        expect(text).toMatch(/<h2>Now green <small>\d+<\/small>/);
        expect(text).toMatch(/<p>Rows of \S+ after .* have not been read yet/);
      }
      expect(text).toContain('2023-09-01 to 2023-12-01');
      expect(text).toMatch(/Rows of \S+ after .* have not been read yet/);
      if (format === 'csv') expect(text).not.toMatch(/(?:^|,)"?[=+@-](?=[A-Za-z(])/m);
    }
  });
});
