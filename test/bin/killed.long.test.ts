import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { MOST_WAITS } from '../../lambdas/poll/publish-rows.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { newFolder } from '../new-folder.ts';
import { packagedProgram } from './packaged-program.ts';
import { words } from './run-command.ts';

const KILLS = Number(process.env.KILLS ?? 200);
const ACTIONS_BETWEEN = 4;
const NEVER = Number.POSITIVE_INFINITY;
const FROM = '2020-01-01';

const root = newFolder();
let program: string;
let catalogue: RunningCatalogue;
beforeAll(async () => {
  program = await packagedProgram(root);
});
const start = async (history: number): Promise<void> => {
  catalogue = await startCatalogue({ clock, seed: 5, history, ties: 'fixed' });
};
afterEach(() => catalogue.close());

interface Killed {
  /** After so many requests to the catalogue, or so many printed lines, whichever comes first. */
  readonly requests: number;
  readonly lines: number;
}

/** The lines that a poll printed in a process of its own, and whether it was killed. */
async function poll(state: string, kill?: Killed): Promise<{ lines: string[]; killed: boolean }> {
  const args = words`${program} poll --only log --catalogue ${catalogue.url} --name uk --from ${FROM}`;
  const child = spawn(process.execPath, [...args, '--state', join(root, state)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const messages: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => messages.push(chunk.toString()));
  let asked = 0;
  catalogue.onRequest(() => {
    if (++asked === kill?.requests) child.kill('SIGKILL');
  });
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (!isWhole(line)) continue;
    if (lines.push(line) === kill?.lines) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  catalogue.onRequest(undefined);
  const killed = child.signalCode === 'SIGKILL';
  if (!killed) expect({ code: child.exitCode, messages: messages.join('') }).toMatchObject({ code: 0 });
  return { lines, killed };
}

/** A kill may cut the last line. */
function isWhole(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

const idOf = (body: string): string => (JSON.parse(body) as { id: string }).id;
const panelOf = (body: string): unknown =>
  (JSON.parse(body) as { data: { panel: { name: string } | null } }).data.panel?.name;

/** The bodies by their ids: each id has one, however often it was printed. */
function bodiesOf(printed: readonly string[]): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  for (const body of printed) {
    expect(bodies.get(idOf(body)) ?? body).toBe(body);
    bodies.set(idOf(body), body);
  }
  return bodies;
}

/** The bodies in the history, where each is once. */
async function keptIn(state: string): Promise<ReadonlyMap<string, string>> {
  const file = openStateFile(join(root, state));
  const kept: string[] = [];
  for await (const { body } of createSqliteHistory(file).findRecords({})) kept.push(body);
  file.close();
  expect(new Set(kept.map(idOf)).size).toBe(kept.length);
  return new Map(kept.map((body) => [idOf(body), body]));
}

/**
 * The ids of events that have rows. Each poll has its own budget of requests to the archive: killed ones together compare more
 * versions, and find more changes without a row, than one that reads all at once.
 */
const idsOfRows = (bodies: ReadonlyMap<string, string>): readonly string[] =>
  [...bodies].flatMap(([id, body]) => (body.includes('"activities":[]') ? [] : [id])).sort();

test('a poll that is killed again and again while rows arrive prints and keeps every event, each with one body', async () => {
  await start(2_500);
  const random = seededRandom(11);
  const printed: string[] = [];
  let kills = 0;
  for (let runs = 0; kills < KILLS && runs < KILLS * 5; runs++) {
    for (let action = 0; action < ACTIONS_BETWEEN; action++) catalogue.act();
    const [early, at] = [random() < 0.5, Math.floor(random() * 30)];
    const kill = early ? { requests: 1 + (at % 6), lines: NEVER } : { requests: NEVER, lines: 1 + at };
    const { lines, killed } = await poll('killed', kill);
    printed.push(...lines);
    if (killed) kills++;
  }
  expect(kills).toBe(KILLS);
  // A row of the last seconds is waited for in so many polls, as the row that belongs to it may come.
  for (let polls = 0; polls <= MOST_WAITS; polls += 1) printed.push(...(await poll('killed')).lines);

  const bodies = bodiesOf(printed);
  expect(printed.length).toBeGreaterThan(bodies.size);
  expect(await keptIn('killed')).toStrictEqual(bodies);

  const due = (await poll('undisturbed')).lines;
  const ids = new Set(due.map(idOf));
  expect(idsOfRows(bodiesOf(due)).filter((id) => !bodies.has(id))).toStrictEqual([]);
  // The log no longer shows the rows of panels that became internal or were deleted for good meanwhile.
  const shown = new Set(due.map(panelOf));
  const beyond = new Map([...bodies].filter(([id, body]) => !ids.has(id) && shown.has(panelOf(body))));
  expect(idsOfRows(beyond)).toStrictEqual([]);
});

test('a poll of a backlog that is killed while a thread writes prints and keeps every event, and repeats a chunk at most', async () => {
  await start(3_000);
  const whole = bodiesOf((await poll('backlog')).lines);
  const random = seededRandom(12);
  let kills = 0;
  for (let pass = 0; kills < KILLS / 4; pass++) {
    const printed: string[] = [];
    for (let killed = true; killed; ) {
      const run = await poll(`backlog-${pass}`, {
        requests: NEVER,
        lines: 350 + Math.floor(random() * 1_500),
      });
      const ids = new Set(printed.map(idOf));
      // A chunk has 600 rows, and the rows of one action beyond.
      expect(run.lines.filter((body) => ids.has(idOf(body))).length).toBeLessThan(900);
      printed.push(...run.lines);
      killed = run.killed;
      if (killed) kills += 1;
    }
    // Facts of panels have the time at which they were read, which differs from run to run.
    expect(idsOfRows(bodiesOf(printed))).toStrictEqual(idsOfRows(whole));
    expect(await keptIn(`backlog-${pass}`)).toStrictEqual(bodiesOf(printed));
  }
});
