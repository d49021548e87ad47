import { describe, expect, onTestFinished, test } from 'vitest';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile, type StateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { at, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { followDays } from './as-of-days.ts';
import { type Ran, runCommand } from './run-command.ts';

test('an answer as of a time has the bytes that it had at that time, whatever came to light later', async () => {
  const { answers, run } = await followDays({ days: 2, seed: 1 });
  const changed: string[] = [];
  for (const { at, args, ran } of answers) {
    expect(await run(...args, '--as-of', at), `${args.join(' ')} as of ${at}`).toStrictEqual(ran);
    if ((await run(...args)).stdout !== ran.stdout) changed.push(args.join(' '));
  }
  // What came later matters to every kind of answer.
  for (const command of ['history', 'report', 'compare', 'state', 'impact', 'worklist'])
    expect(changed.filter((args) => args.startsWith(command)).length, command).toBeGreaterThan(0);
});

describe('what a folder cannot know is refused, in a sentence', () => {
  const clock = createTestClock({ now: Date.UTC(2026, 8, 10, 12) });
  async function folder(): Promise<{ readonly state: string; readonly file: StateFile }> {
    const begun = at('2026-09-02T08:00:00');
    const state = newFolder();
    const file = openStateFile(state, { now: () => Date.UTC(2026, 8, 2, 9) });
    onTestFinished(() => file.close());
    await createSqliteStore(file, 'uk').begin({ mark: begun, start: begun, count: null, source: 'here' }, []);
    return { state, file };
  }
  const report = async (state: string, ...args: readonly string[]): Promise<Ran> =>
    runCommand(['report', '--state', state, ...args], { clock });

  test.each([
    ['2026-09-01', 1, 'it was begun at 2026-09-02T09:00:00.000000Z. Ask as of that time or a later one.'],
    ['2026-09-10', 2, 'expected a day that is over, or a time that is not in the future'],
    ['2027-01-01T00:00:00Z', 2, 'expected a day that is over, or a time that is not in the future'],
  ])('as of %s', async (asOf, code, sentence) => {
    const { state } = await folder();
    const ran = await report(state, '--as-of', asOf);
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(sentence) });
  });

  test.each(['--stage', '--table', '--catalogue'])('with %s', async (option) => {
    const { state } = await folder();
    const question = 'state';
    const ran = await runCommand(
      [question, '--state', state, '--as-of', '2026-09-03', option, 'https://x.example'],
      { clock },
    );
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--as-of does not go with ${option}`),
    });
  });

  test('before the folder last forgot a state', async () => {
    const { state, file } = await folder();
    const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now, retentionDays: 1 });
    const [begun, ended, next] = [
      at('2025-01-01T00:00:00'),
      at('2025-02-01T00:00:00'),
      at('2025-03-01T00:00:00'),
    ];
    await states.save(madeUpState({ version: '1.0', validFrom: begun, validTo: ended }));
    expect((await report(state, '--as-of', '2026-09-03')).code).not.toBe(1);
    await states.save(madeUpState({ version: '1.1', validFrom: next, validTo: null }));
    expect(await report(state, '--as-of', '2026-09-02T08:59:00Z')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('it was begun at'),
    });
    expect((await states.versions(madeUpState().panelId)).length).toBe(1);
    expect(file.database.prepare('SELECT count(*) AS n FROM forgotten').get()?.n).toBe(1);
  });

  test('what is left out is counted on demand', async () => {
    const { state } = await folder();
    const { stderr } = await report(state, '--as-of', '2026-09-03', '--left-out');
    expect(stderr).toContain('Left out, because it was recorded after 2026-09-03T23:59:59.999999Z: 0 events');
    expect(await report(state, '--left-out')).toMatchObject({ code: 2 });
  });
});
