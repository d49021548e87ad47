import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createTable } from '../store/create-table.ts';
import { tableKeys } from '../store/table-keys.ts';
import { tableSuffix } from '../store/table-suffix.ts';
import { breast, eventOf, turnedGreen } from '../words/events.ts';
import { startCloudFormation, startDeployedNotifier } from './deployed-notifier.ts';
import { type Ran, runCommand } from './run-command.ts';

const clock = createTestClock({ now: Date.parse('2026-11-21T10:30:00Z') });
let root: string;
let state: string;
beforeEach(async () => {
  root = newFolder();
  state = join(root, 'state');
  await keep(turnedGreen(), turnedGreen({ gene: 'PALB2', time: '2026-11-20T09:00:00.000000Z' }));
});

async function keep(...events: readonly PanelEvent[]): Promise<void> {
  const file = openStateFile(state);
  const since = parseInstant('2026-11-18T00:00:00Z') ?? 0n;
  const until = parseInstant('2026-11-21T10:00:00Z') ?? 0n;
  await createSqliteHistory(file).append(
    events.map((event) => toMessage(event)),
    { catalogue: 'uk', since, until },
  );
  file.close();
}

const run = (...args: readonly string[]): Promise<Ran> =>
  runCommand(['worklist', ...args, '--state', state], { clock });
const rows = async (...args: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const { stdout } = await run('--status', 'all', '--format', 'ndjson', ...args);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
};
const idOf = async (gene: string): Promise<string> => String((await rows('--gene', gene))[0]?.id);
const decide = (id: string, status: string, ...more: readonly string[]): Promise<Ran> =>
  run('decide', id, '--status', status, '--why', 'MDT of 21 November', '--by', 'Ann Example', ...more);

describe('worklist', () => {
  test('shows what is not finished, with how much was read', async () => {
    const { code, stdout } = await run('--since', '2026-11-18');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^as known on 2026-11-21 10:30Z\n2 entries, of changes in these 3 days \(uk: 2026-11-18 to 2026-11-21 10:30Z\)\.\n/,
    );
    expect(stdout).toMatch(
      /PALB2 now green \(amber → green\) {2}Inherited breast cancer and ovarian cancer 4\.12 \(R208\)/,
    );
  });

  test('without an entry is no all-clear for a time that was not read', async () => {
    const { code, stdout } = await run('--since', '2026-10-01', '--until', '2026-11-01');
    expect(stdout).toContain('\nNothing of this period was read, so nothing can be said about it.\n');
    expect(code).toBe(3);
  });

  test.each(['table', 'csv'])('as %s names a name that does not exist', async (format) => {
    const { code, stdout, stderr } = await run('--r-code', 'R999', '--format', format);
    expect(stderr).toContain('No panel has the code R999');
    if (format === 'csv') expect(stdout).toContain('No panel has the code R999');
    expect(code).toBe(3);
  });
});

describe('worklist decide', () => {
  test('keeps a decision by the first characters of the id, and list shows it', async () => {
    const id = await idOf('PALB2');
    expect(await decide(id.slice(0, 8), 're-analyse')).toMatchObject({
      code: 0,
      stdout: 'PALB2 now green on Inherited breast cancer and ovarian cancer: re-analyse (revision 1)\n',
    });
    const { stdout } = await run();
    expect(stdout).toContain(
      '2026-11-21 10:30Z Ann Example decided “re-analyse”: MDT of 21 November (revision 1)',
    );
  });

  test('a person decides again after a decision of their own, without its revision', async () => {
    const id = await idOf('PALB2');
    await decide(id, 'done');
    expect((await decide(id, 'no-action', '--why', 'seen again')).code).toBe(0);
    expect(await rows('--gene', 'PALB2', '--status', 'all')).toMatchObject([
      { state: 'no action', revision: 2 },
    ]);
  });

  test('a second person sees the first decision, and decides again by its revision', async () => {
    const id = await idOf('PALB2');
    await decide(id, 'done');
    const other = ['--by', 'Bo Example'];
    const refused = await decide(id, 'no-action', ...other);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      'Nothing was changed: the entry has 1 decision already. The last: Ann Example decided “done”',
    );
    expect(refused.stderr).toContain('To decide all the same, add --revision 1.');
    expect((await decide(id, 'open', ...other, '--revision', '1')).code).toBe(0);
    expect(await rows('--gene', 'PALB2')).toMatchObject([
      {
        state: 'open',
        revision: 2,
        decidedBy: 'Bo Example',
        earlierDecisions: ['2026-11-21T10:30:00.000000Z: done, Ann Example: MDT of 21 November'],
      },
    ]);
  });

  test.each([
    [['decide', 'abcd', '--status', 'finished', '--why', 'x', '--by', 'A'], 'expected open, re-analyse'],
    [['decide', 'abcd', '--status', 'done', '--by', 'A'], '--why TEXT is missing'],
    [['decide', 'abcd', '--status', 'done', '--why', 'x'], 'give your name with --by NAME'],
    [['decide', '--status', 'done', '--why', 'x', '--by', 'A'], 'name the entries by their ids'],
    [['decide', 'PALB2', '--status', 'done', '--why', 'x', '--by', 'A'], 'expected the id of an entry'],
    [['decide', 'ffffffffffff', '--status', 'done', '--why', 'x', '--by', 'A'], 'there is no such entry'],
    [['--why', 'x'], "unknown option '--why'"],
    [['--columns', 'case=A'], 'goes with --cases FILE'],
    [['show'], 'expected options only'],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('a sign-off opens what waits for it', async () => {
    const id = await idOf('PALB2');
    await decide(id, 'wait-for-sign-off');
    expect(await rows('--gene', 'PALB2')).toMatchObject([{ state: 'wait for sign-off' }]);
    const signed = { signedOff: true, signedOffVersion: '4.12', via: 'listing' } as const;
    await keep(eventOf('panel.signed-off', signed, { time: '2026-11-21T09:40:00.000000Z' }));
    expect(await rows('--gene', 'PALB2')).toMatchObject([
      { state: 'open', notices: ['Open again: version 4.12 is signed off from 2026-11-21.'] },
    ]);
  });
});

describe('worklist as a file', () => {
  test('is a dated page with who read and who decided what, when and why', async () => {
    const id = await idOf('PALB2');
    await run('read', id, '--by', 'Cy Example');
    await decide(id, 'no-action', '--why', 'no <b>case</b>');
    const output = join(root, 'worklist.html');
    expect((await run('--status', 'all', '--format', 'html', '--output', output)).code).toBe(0);
    const page = (await readFile(output, 'utf8')).replaceAll(/<\/?span[^>]*>/g, '');
    expect(page).toContain('<h1>Worklist of gene panel changes</h1>\n<p>as known on 2026-11-21 10:30Z</p>');
    expect(page).toContain(
      '<b>Decisions</b>: 2026-11-21 10:30Z Ann Example decided “no action”: no &lt;b&gt;case&lt;/b&gt; (revision 1)',
    );
    expect(page).toContain('Cy Example (2026-11-21 10:30Z)');
    expect(page).toContain('2 entries, of changes');
  });

  test('counts the cases of a file, and nothing of the file is shown or kept', async () => {
    const file = openStateFile(state);
    const source = 'https://panelapp.example/api/v1/';
    await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
    const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
    const version = (number: string, from: string, rating: 'amber' | 'green') =>
      states.save(
        madeUpState({
          panelId: breast.id as number,
          panelName: breast.name,
          relevantDisorders: ['R208'],
          version: number,
          validFrom: at(from),
          readAt: at('2026-11-21T10:00:00'),
          entities: [madeUpGene('PALB2', { rating })],
        }),
      );
    await version('4.0', '2026-01-01T00:00:00', 'amber');
    await version('4.12', '2026-11-20T09:00:00', 'green');
    file.close();
    const cases = join(root, 'cases.csv');
    await writeFile(cases, 'case,panel,version\nCANARY1,R208,4.0\nCANARY2,R208,4.0\nCANARY3,R208,4.12\n');
    const found = await rows('--cases', cases);
    expect(found.map(({ name, cases: some }) => [name, some])).toEqual([
      ['PALB2', 2],
      ['BRCA1', 0],
    ]);
    await decide(await idOf('PALB2'), 're-analyse');
    const all = await Promise.all(
      ['html', 'csv', 'ndjson'].map((format) => run('--status', 'all', '--cases', cases, '--format', format)),
    );
    const kept = await Promise.all(
      (await readdir(state)).map((name) => readFile(join(state, name), 'latin1')),
    );
    for (const text of [...all.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...kept])
      expect(text).not.toContain('CANARY');
  });

  test('says that an entry may concern more cases where something is unknown of some', async () => {
    const file = openStateFile(state);
    const source = 'https://panelapp.example/api/v1/';
    await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
    file.close();
    const cases = join(root, 'cases.csv');
    await writeFile(cases, 'case,panel,version\nCANARY1,R208,4.0\n');
    const { code, stdout, stderr } = await run('--cases', cases);
    expect(stderr).toContain('Something is unknown about 1 of 1 case,');
    expect(stdout).toMatch(/^\w{12} .* unknown$/m);
    expect(code).toBe(4);
  });
});

describe('the settings of a worklist', () => {
  const settings = async (worklist: object): Promise<string> => {
    const config = join(root, 'settings.json');
    const catalogues = { uk: { base: 'https://catalogue.example/api/v1/' } };
    await writeFile(
      config,
      JSON.stringify({ name: 'panels', stages: { production: { catalogues, worklist } } }),
    );
    return config;
  };

  test('count a case by the version that was signed off on its day, where they say so', async () => {
    const file = openStateFile(state);
    const source = 'https://panelapp.example/api/v1/';
    await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
    const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
    const panel = { panelId: breast.id as number, panelName: breast.name, relevantDisorders: ['R208'] };
    for (const [version, from, to, rating] of [
      ['4.0', '2026-01-01', '2026-02-01', 'amber'],
      ['4.12', '2026-02-01', null, 'green'],
    ] as const)
      await states.save(
        madeUpState({
          ...panel,
          version,
          validFrom: at(`${from}T00:00:00`),
          validTo: to && at(`${to}T00:00:00`),
          source: to ? 'archive' : 'present',
          readAt: at('2026-11-21T10:00:00'),
          entities: [madeUpGene('PALB2', { rating })],
        }),
      );
    const listed = { panelId: panel.panelId, panelName: panel.panelName, removedAt: null };
    const signedOff = { ...listed, version: '4.0', date: '2026-01-20', listedAt: at('2026-11-19T10:00:00') };
    const now = { ...listed, version: '4.12', date: '2026-11-20', listedAt: at('2026-11-20T10:00:00') };
    await states.saveSignOffs([signedOff, now]);
    file.close();
    await keep(
      eventOf(
        'panel.signed-off',
        {
          signedOff: true,
          signedOffVersion: '4.12',
          previousSignedOffVersion: '4.0',
          via: 'listing',
        },
        { time: '2026-11-20T10:00:00.000000Z' },
      ),
    );
    const config = await settings({ counts: 'signed-off' });
    const cases = join(root, 'cases.csv');
    await writeFile(cases, 'case,panel,date\na,R208,2026-09-01\nb,R208,2026-10-01\n');
    const found = await rows('--config', config, '--cases', cases);
    expect(found).toMatchObject([{ name: 'PALB2', cases: 2 }]);
  });

  test('say which changes are entries, from when, and when they are overdue', async () => {
    const config = await settings({ filter: { genes: ['PALB2'] }, overdueDays: 1, since: '2026-11-19' });
    const { stdout } = await run('--config', config);
    expect(stdout).toContain('1 entry, 1 overdue');
    expect(stdout).not.toContain('BRCA1');
  });

  test('a wrong key is named', async () => {
    const config = await settings({ counts: 'signed-off', filter: { tags: ['x'] } });
    const { code, stderr } = await run('--config', config);
    expect(stderr).toContain(
      'stages.production.worklist.filter.tags: saw ["x"], expected no such key with counts: \'signed-off\'',
    );
    expect(code).toBe(1);
  });
});

describe('worklist --stage', () => {
  test('keeps decisions in the table of the stage, and says where a stage has no worklist', async () => {
    const bodies = [turnedGreen(), turnedGreen({ gene: 'PALB2' })].map((event) => {
      const { body } = toMessage({ ...event, data: { ...event.data, catalogue: 'saved' } } as PanelEvent);
      return body;
    });
    const deployed = await startDeployedNotifier(bodies);
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', deployed.endpoint);
    const stacks: Record<string, Readonly<Record<string, string>>> = { 'panels-first': deployed.outputs };
    const cloudFormation = await startCloudFormation(stacks);
    const dynamodb = new DynamoDBClient({ endpoint: deployed.endpoint });
    const table = await createTable(dynamodb, `worklist${tableSuffix()}`, tableKeys);
    stacks['panels-second'] = { ...deployed.outputs, WorklistTable: table };
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      dynamodb.destroy();
      await cloudFormation.close();
      await deployed.close();
    });
    const config = join(root, 'settings.json');
    const catalogues = { saved: { base: 'https://catalogue.example/api/v1/' } };
    const stages = { first: { catalogues }, second: { catalogues, worklist: {} } };
    await writeFile(config, JSON.stringify({ name: 'panels', stages }));
    const onStage = (stage: string, ...args: readonly string[]): Promise<Ran> =>
      runCommand(['worklist', ...args, '--stage', stage, '--config', config], { clock });
    const list = async () => (await onStage('second', '--format', 'ndjson')).stdout;
    const lines = (await list()).split('\n').filter(Boolean);
    expect(lines).toHaveLength(2);
    const { id } = JSON.parse(lines[0] ?? '') as { readonly id: string };
    const deciding = ['--status', 'done', '--why', 'no case', '--by', 'Ann Example'];
    expect((await onStage('second', 'decide', id, ...deciding)).code).toBe(0);
    expect(await list()).not.toContain(id);
    const again = await onStage('second', 'decide', id, ...deciding.slice(0, 4), '--by', 'Bo Example');
    expect(again.stderr).toContain('Ann Example decided “done”');
    expect((await onStage('first')).stderr).toContain('the stage has none. Add worklist: {}');
  });
});

describe('worklist assign', () => {
  test('gives an entry to a person, whose list has it, with every assignment in the exports', async () => {
    const id = await idOf('BRCA1');
    const ids = async (whose: string) => (await rows('--assigned', whose)).map((row) => row.id);
    expect(await ids('none')).toContain(id);
    const toBo = () => run('assign', id.slice(0, 8), '--to', 'Bo Example', '--by', 'Ann Example');
    expect(await toBo()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^BRCA1 now green on .*: assigned to Bo Example\n$/),
    });
    expect((await toBo()).stdout).toContain('assigned to Bo Example, as before');
    expect(await ids('bo example')).toStrictEqual([id]);
    expect(await ids('none')).not.toContain(id);
    expect((await run()).stdout).toContain('assigned to Bo Example');
    await run('assign', id, '--to', 'none', '--by', 'Bo Example');
    expect(await ids('Bo Example')).toStrictEqual([]);
    const listed = ['Ann Example: to Bo Example', 'Bo Example: to nobody'];
    expect((await rows('--gene', 'BRCA1'))[0]).toMatchObject({
      ...{ state: 'open', revision: 0, assignedTo: null },
      assignments: listed.map((words) => `2026-11-21T10:30:00.000000Z: ${words}`),
    });
    for (const format of ['html', 'csv'])
      expect((await run('--status', 'all', '--format', format)).stdout).toMatch(
        /Ann Example.* to Bo Example/,
      );
  });
});

describe('worklist comment', () => {
  test('keeps a comment, which is in the list and in every export, and the state stays', async () => {
    const id = await idOf('BRCA1');
    const words = 'Asked the clinic about three families';
    const comment = (): Promise<Ran> =>
      run('comment', id.slice(0, 8), '--text', words, '--by', 'Ann Example');
    expect(await comment()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^BRCA1 now green on .*: the comment is kept; still open\n$/),
    });
    expect((await comment()).stdout).toContain(
      'said the same before, at 2026-11-21 10:30 UTC; nothing was added',
    );
    expect((await rows('--gene', 'BRCA1'))[0]).toMatchObject({
      ...{ state: 'open', revision: 0 },
      comments: [`2026-11-21T10:30:00.000000Z: Ann Example: ${words}`],
    });
    expect((await run()).stdout).toContain(`2026-11-21 10:30Z Ann Example: ${words}`);
    for (const format of ['html', 'csv', 'ndjson'])
      expect((await run('--status', 'all', '--format', format)).stdout.split(words)).toHaveLength(2);
    expect((await decide(id, 'done')).code).toBe(0);
  });

  test.each([
    [['assign', 'abcdef', '--by', 'A'], /--to NAME/],
    [['assign', 'abcdef', '--to', 'A', '--why', 'x'], /unknown option '--why'/],
    [['comment', '--text', 'x', '--by', 'A'], /name the entries/],
    [['comment', 'abcdef', '--by', 'A'], /--text TEXT/],
    [['comment', 'abcdef', '--text', 'x', '--status', 'done'], /unknown option '--status'/],
    [['decide', 'abcdef', '--text', 'x'], /unknown option '--text'/],
  ])('%j is refused', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
