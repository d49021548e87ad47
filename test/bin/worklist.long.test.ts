import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createWorklistStore, WORKLIST } from '../../lambdas/questions/worklist/worklist-record.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { packagedProgram } from './packaged-program.ts';
import { type Ran, runCommand } from './run-command.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Line {
  readonly id: string;
  readonly state: string;
  readonly change: string;
  readonly panelId: number;
  readonly name: string;
  readonly revision: number;
  readonly version: string;
  readonly notices: readonly string[];
}

async function start() {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
  const sandbox = await startCatalogue({ clock, history: 100 });
  const root = newFolder();
  onTestFinished(() => sandbox.close());
  const state = join(root, 'state');
  const run = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await runCommand([...args, '--state', state], { clock });
    expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
    return ran;
  };
  const read = async (): Promise<void> => {
    clock.pass(2 * HOUR);
    await run('poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk');
    await run('poll', '--only', 'listings', '--catalogue', sandbox.url, '--name', 'uk');
  };
  const list = async (...args: readonly string[]): Promise<readonly Line[]> => {
    const { stdout } = await run('worklist', '--status', 'all', '--format', 'ndjson', ...args);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  };
  await run('poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk');
  await run('poll', '--only', 'listings', '--catalogue', sandbox.url, '--name', 'uk');
  return { clock, sandbox, root, state, run, read, list };
}

test('a change by a curator becomes an entry, waits for a sign-off, is opened by it, and ends in the report', async () => {
  const { clock, sandbox, run, read, list } = await start();
  let waiting: Line | undefined;
  for (let tries = 0; tries < 200 && !waiting; tries += 1) {
    sandbox.act({ kind: 'rate' });
    await read();
    waiting = (await list()).find(({ change }) => change.endsWith('now green'));
  }
  if (!waiting) throw new Error('no gene turned green');
  const deciding = ['--by', 'Ann Example'];
  await run(
    'worklist',
    'decide',
    waiting.id,
    '--status',
    'wait-for-sign-off',
    '--why',
    'not signed off',
    ...deciding,
  );
  expect(await list('--status', 'wait-for-sign-off')).toHaveLength((await list()).length);
  let signedOff: number | undefined;
  for (let tries = 0; tries < 200 && signedOff !== waiting.panelId; tries += 1) {
    signedOff = sandbox.act({ kind: 'sign off the present version' }).panel.id;
  }
  clock.pass(DAY);
  await read();
  const opened = (await list()).find(({ id }) => id === waiting.id);
  expect(opened).toMatchObject({ state: 'open', revision: 1 });
  expect(opened?.notices.join()).toContain('Open again');
  await run(
    'worklist',
    'decide',
    waiting.id,
    '--status',
    'done',
    '--why',
    'no case',
    '--revision',
    '1',
    ...deciding,
  );
  const { stdout } = await run('worklist', '--status', 'all', '--format', 'html');
  expect(stdout).toContain('Ann Example decided “wait for sign-off”');
  expect(stdout).toContain('Ann Example decided “done”');
});

test('a program that is killed while it decides loses and doubles no decision', async () => {
  const { sandbox, root, state, run, read, list } = await start();
  await read();
  for (let tries = 0; tries < 60 && (await list()).length < 6; tries += 1) {
    for (let action = 0; action < 10; action += 1) sandbox.act({ kind: 'rate' });
    await read();
  }
  const before = await list();
  expect(before.length).toBeGreaterThanOrEqual(6);
  const program = await packagedProgram(root);
  const args = ['--status', 'done', '--why', 'no case', '--by', 'Ann Example', '--state', state];
  for (const [at, { id }] of before.entries()) {
    const child = spawn(process.execPath, [program, 'worklist', 'decide', id, ...args], { stdio: 'ignore' });
    // Later each time, so that kills come before, during and after the write.
    const timer = setTimeout(() => child.kill('SIGKILL'), 100 + at * 60);
    await once(child, 'exit');
    clearTimeout(timer);
    await run('worklist', 'decide', id, ...args.slice(0, -2));
  }
  const after = await list();
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after.map(({ state, revision }) => `${state} ${revision}`)).toEqual(before.map(() => 'done 1'));
  const file = openStateFile(state);
  const { decisions } = await createWorklistStore(
    createSqliteItems(file, { what: WORKLIST, now: systemClock.now }),
  ).record();
  file.close();
  expect(decisions).toHaveLength(before.length);
});
