import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import type { RunningCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { type Ran, runCommand, words } from './run-command.ts';
import { savedPage, startSaved } from './saved-page.ts';

let root: string;
let state: string;
let catalogue: RunningCatalogue;
beforeEach(async () => {
  root = newFolder();
  state = join(root, 'state');
  catalogue = await startSaved();
});
afterEach(() => catalogue.close());

const poll = (...args: string[]): Promise<Ran> =>
  runCommand(words`poll --only log --catalogue ${catalogue.url} --state ${state} --name saved ${args}`);
const mark = (...args: string[]): Promise<Ran> => runCommand(['mark', '--state', state, ...args]);
const eventsIn = ({ stdout }: Ran): { id: string; time: string }[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const from = ['--from', '2023-11-10'];

describe('mark', () => {
  test('shows how far a catalogue was published, and its stored listing', async () => {
    await poll(...from);
    const before = await mark();
    expect(before.code).toBe(0);
    expect(before.stdout).toMatch(/^saved \(http:\/\/127\.0\.0\.1:\d+\/api\/v1\/\)\n/);
    expect(before.stdout).toMatch(
      /^ {2}mark {13}2023-11-17T15:57:41\.\d{6}Z: all rows up to this time are published$/m,
    );
    expect(before.stdout).toMatch(/^ {2}began {12}2023-11-10T00:00:00\.000000Z:/m);
    expect(before.stdout).toMatch(/^ {2}ledger {11}complete since 2023-11-10T00:00:00\.000000Z:/m);
    expect(before.stdout).toMatch(/^ {2}rows waiting {5}none$/m);
    expect(before.stdout).toMatch(/^ {2}stored listing {3}none: there was no sweep$/m);
    await runCommand(words`poll --only listings --catalogue ${catalogue.url} --state ${state} --name saved`);
    expect((await mark()).stdout).toMatch(/^ {2}stored listing {3}\d{4}-\S+Z: 19 panels, 15 regions;/m);
  });

  test('moves nothing without --yes, and says what it would repeat', async () => {
    await poll(...from);
    const before = await mark();
    const asked = await mark('--set', '2023-11-16');
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain(
      'every row of the log after 2023-11-16T00:00:00.000000Z is published again',
    );
    expect(asked.stderr).toContain('Nothing was changed. Add --yes to move the mark.');
    expect(await mark()).toStrictEqual(before);
  });

  test('moved back, publishes the rows after it again, with the same ids', async () => {
    const first = eventsIn(await poll(...from));
    for (const to of ['2023-11-17T15:50:00Z', '2023-11-14T00:00:00Z']) {
      const { code, stderr } = await mark('--set', to, '--yes');
      const wanted = first.filter(({ time }) => time > to).map(({ id }) => id);
      expect(code).toBe(0);
      expect(stderr).toContain(`(${wanted.length} events in the history)`);
      expect(
        eventsIn(await poll())
          .map(({ id }) => id)
          .toSorted(),
      ).toStrictEqual(wanted.toSorted());
      expect(wanted.length).toBeGreaterThan(0);
      expect((await poll()).stderr).toContain('nothing new');
    }
  });

  test('moved to before the start, publishes older rows for the first time', async () => {
    const all = eventsIn(
      await runCommand(words`poll --only log --catalogue ${catalogue.url} --state ${join(root, 'all')}
        --name saved ${from}`),
    );
    await poll('--from', '2023-11-17');
    const { stderr } = await mark('--set', '2023-11-10', '--yes');
    expect(stderr).toContain('Rows before 2023-11-17T00:00:00.000000Z are published for the first time.');
    expect(new Set(eventsIn(await poll()).map(({ id }) => id))).toStrictEqual(
      new Set(all.map(({ id }) => id)),
    );
  });

  test('moved forward, leaves out the rows before it and publishes those after it', async () => {
    await poll(...from);
    const [row] = savedPage('activities');
    const { created: _created, ...rest } = row ?? {};
    catalogue.addRows([{ ...rest, text: 'left out' }], { lateMs: 60_000 });
    const { code, stderr } = await mark('--set', new Date(clock.now()).toISOString(), '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('that were not published yet are never published');
    expect(eventsIn(await poll())).toStrictEqual([]);
    catalogue.addRows([{ ...rest, text: 'published' }]);
    const events = await poll();
    expect(events.stdout).toContain('published');
    expect(events.stdout).not.toContain('left out');
  });

  test('is not moved while a recorded chunk may be unpublished', async () => {
    await poll(...from);
    const file = openStateFile(state);
    const store = createSqliteStore(file, 'saved');
    const stored = await store.load(0n);
    if (!stored) throw new Error('the poll kept no position');
    const { mark: at, count } = stored.position;
    await store.record(stored.position, {
      messages: [],
      rows: [],
      entities: new Map(),
      panels: new Map(),
      next: { mark: at, count, waits: 0, gap: null },
    });
    file.close();
    expect((await mark()).stdout).toMatch(/^ {2}recorded {9}0 events, perhaps not published yet/m);
    expect(await mark('--set', '2023-11-16', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Poll once, so that they are published, then move the mark.'),
    });
    await poll();
    expect((await mark('--set', '2023-11-16', '--yes')).code).toBe(0);
  });

  test('requires --name where there are several catalogues', async () => {
    await poll(...from);
    await runCommand(words`poll --only log --catalogue ${catalogue.url} --state ${state} --name other`);
    expect((await mark()).stdout).toMatch(/^other .*^saved /ms);
    expect(await mark('--set', '2023-11-16')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--set and --moved-to need --name, one of other, saved'),
    });
    expect((await mark('--set', '2023-11-16', '--name', 'saved')).stderr).toContain('mark of "saved" back');
    expect(await mark('--name', 'third')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it has no catalogue "third". It has other, saved.'),
    });
  });

  test.each([
    ['a time to come', ['--set', '2099-01-01'], 2, 'a time that is not in the future'],
    ['--yes alone', ['--yes'], 2, '--yes goes with --set TIME or --moved-to URL only'],
    ['no state', [], 1, 'nothing was kept there'],
  ])('is refused for %s', async (_case, args, code, message) => {
    expect(await mark(...args)).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});
