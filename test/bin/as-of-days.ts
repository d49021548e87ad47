import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** What was answered at a time, before later knowledge. */
interface AnsweredThen {
  readonly at: string;
  readonly args: readonly string[];
  readonly ran: Ran;
}

interface Days {
  readonly days: number;
  readonly seed: number;
  /** Is called with the folder at the end of each day. */
  atEndOfDay?(state: string, clock: Clock): Promise<void>;
}

/** A folder that followed a catalogue for some days. */
interface FollowedDays {
  readonly answers: readonly AnsweredThen[];
  /** Runs a command with the folder at the end of the days. */
  run(...args: readonly string[]): Promise<Ran>;
}

const signOffKinds = ['sign off the present version', 'sign off silently', 'remove the sign-off'] as const;
const kinds = ['rate', 'edit a panel', 'promote a panel', 'delete an entity'] as const;

/**
 * Follows a made-up catalogue for some days, with rows that show up late, panels that are hidden and shown again, sign-offs that come
 * and go, versions that are read late, and decisions. On each day it asks questions and keeps what is answered.
 */
export async function followDays({ days, seed, atEndOfDay }: Days): Promise<FollowedDays> {
  const clock = createTestClock({ now: Date.UTC(2026, 8, 1, 9) });
  const random = seededRandom(seed);
  const oneOf = <Each>(list: readonly Each[]): Each => list[Math.floor(random() * list.length)] as Each;
  const sandbox = await startCatalogue({ clock, history: 150, seed });
  const folder = newFolder();
  onTestFinished(() => sandbox.close());
  const run = (...args: readonly string[]): Promise<Ran> =>
    runCommand([...args, '--state', join(folder, 'state')], { clock });
  const poll = async (part: string, ...more: readonly string[]): Promise<void> => {
    const ran = await run('poll', '--only', part, '--catalogue', sandbox.url, '--name', 'uk', ...more);
    // A sweep ends so where more sign-offs than usual were taken back without a row.
    const isDoubted = ran.stderr.includes('nothing is published until it is as before');
    expect(ran.code, `${part}: ${ran.stderr}`).toBe(isDoubted ? 1 : 0);
  };
  const cases = join(folder, 'cases.csv');
  const panels = new Map<number, string>();
  const act = (): void => {
    const kind = random() < 0.2 ? oneOf(signOffKinds) : oneOf(kinds);
    const lateMs = random() < 0.3 ? random() * 30 * HOUR : 0;
    const { panel } = sandbox.act({ kind, lateMs });
    panels.set(panel.id, panel.name);
  };

  const answers: AnsweredThen[] = [];
  const ask = async (): Promise<void> => {
    const at = new Date(clock.now()).toISOString();
    const [id = 0] = [...panels.keys()];
    const other = String(oneOf([...panels.keys()]));
    for (const args of [
      ['report', '--since', '7d', '--format', 'html'],
      ['history', '--format', 'csv'],
      ['report', '--since', '2026-08-01', '--format', 'csv', '--panel', oneOf([...panels.values()])],
      ['report', '--since', '3d', '--gene', oneOf(['BRCA1', 'NOSUCHGENE', 'PKD1'])],
      ['compare', '--format', 'ndjson'],
      ['compare', 'previous', 'newest', '--panel', other],
      ['state', '--panel', String(id), '--format', 'csv'],
      ['state', '--panel', other, '--signed-off'],
      ['state', '--panel', other, '--at', '2d', '--format', 'ndjson'],
      ['impact', '--cases', cases],
      ['impact', '--cases', cases, '--by', 'case', '--format', 'csv', '--counts', 'signed-off'],
      ['worklist', '--status', 'all'],
      ['worklist', '--status', 'all', '--format', 'html', '--since', '2026-09-01'],
    ])
      answers.push({ at, args, ran: await run(...args) });
  };

  for (let day = 0; day < days; day += 1) {
    for (let acts = 3 + random() * 6; acts > 0; acts -= 1) {
      act();
      clock.pass(MINUTE + random() * HOUR);
      if (random() < 0.5) await poll('log');
    }
    if (day === 0) {
      const lines = [...panels.keys()].map((id, at) => `case-${at},${id},2026-08-${20 + (at % 9)}`);
      await writeFile(cases, ['case,panel,date', ...lines, ''].join('\n'));
    }
    const hidden = random() < 0.3 ? oneOf([...panels.keys()]) : null;
    if (hidden !== null) sandbox.hidePanel(hidden);
    await poll('log');
    await poll('listings');
    if (day === 0 || random() < 0.6) await poll('states', '--pace', '0');
    if (hidden !== null) sandbox.revealPanel(hidden);
    const listed = await run('worklist', '--format', 'ndjson');
    const entries = listed.stdout.split('\n').filter(Boolean);
    if (entries.length > 0) {
      const { id } = JSON.parse(oneOf(entries)) as { readonly id: string };
      const why = ['--why', `day ${day}`, '--by', oneOf(['Ann', 'Bo'])];
      await run(
        'worklist',
        'decide',
        id,
        '--status',
        oneOf(['done', 'wait-for-sign-off', 're-analyse']),
        ...why,
      );
      await run('worklist', 'comment', id, '--text', `on day ${day}`, '--by', 'Cy');
    }
    clock.pass(MINUTE);
    await ask();
    await atEndOfDay?.(join(folder, 'state'), clock);
    clock.pass((2 + random() * 12) * HOUR);
  }
  return { answers, run };
}
