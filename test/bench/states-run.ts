import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { boundHeap } from '../../bin/command.ts';
import { startLocalNotifier } from '../../bin/local/notifier.ts';
import { run } from '../../bin/main.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { defaultArchivePace } from '../../lambdas/panels/settings.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { median } from './cpu-ratios.ts';
import { peakMegabytes } from './peak-memory.ts';
import { DOUBLE_PANEL, HALF_PANEL, MIDDLE_PANEL, startStatesServer } from './states-server.ts';

/** What `node states-run.ts FOLDER` prints, as one line of JSON. With `baseline` after it, it fills the folder alone. */
export interface StatesRun {
  readonly baseline: Work & { readonly peakMegabytes: number };
  /** The proof of one new version: of a panel of 300 genes, of half and of twice as many, and of the largest. */
  readonly proof: Work;
  readonly halfProof: Work;
  readonly doubleProof: Work;
  readonly largestProof: Work;
  /** CPU time of the least that the proof of 300 genes takes, in milliseconds. */
  readonly leastOfProof: number;
  /** CPU time of a run that finds nothing to prove, in milliseconds. */
  readonly nothingToProve: number;
  /** `state` of the largest panel within the process, in milliseconds. */
  readonly stateMilliseconds: Readonly<Record<string, number>>;
  /** A day without a change: every request, by what it asked for. */
  readonly quietDay: Readonly<Record<string, number>>;
}

interface Work {
  readonly requests: number;
  /** By a clock on which only waits take time: those of the default pace. */
  readonly waitedSeconds: number;
  readonly cpuMilliseconds: number;
}

// As the command line does.
boundHeap();
const HOUR = 3_600_000;
const RATED_ANEW = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
const [state = '', only] = process.argv.slice(2);
const server = await startStatesServer();

let now = Date.UTC(2026, 11, 30);
const clock: Clock = {
  now: () => now,
  random: Math.random,
  sleep: async (milliseconds) => {
    now += milliseconds;
  },
};
const output = (): PassThrough => new PassThrough().resume();
const io = {
  stdin: Readable.from([]),
  stdout: output(),
  stderr: output(),
  env: {},
  clock,
  signal: new AbortController().signal,
};

const notifier = await startLocalNotifier({
  name: 'bench',
  url: `${server.catalogue}/api/v1/`,
  access: anonymous,
  state,
  overlap: minutes(15),
  archivePace: defaultArchivePace,
  publisher: { publish: async () => [] },
  log: silentLog,
  io,
});

async function proving(): Promise<Work> {
  const [begun, cpu] = [now, process.cpuUsage()];
  const { requests } = await notifier.prove();
  const { user, system } = process.cpuUsage(cpu);
  return { requests, waitedSeconds: (now - begun) / 1000, cpuMilliseconds: (user + system) / 1000 };
}

/** The proofs of new versions of a panel, one after the other, in a warm process: the one in the middle by CPU time. */
async function proofOf(panelId: number, times: number): Promise<Work> {
  const proofs: Work[] = [];
  for (let round = 0; round < times; round += 1) {
    await server.raise(panelId);
    now += 3 * HOUR;
    await notifier.poll();
    await notifier.sweep();
    proofs.push(await proving());
  }
  const inOrder = proofs.toSorted((one, other) => one.cpuMilliseconds - other.cpuMilliseconds);
  return inOrder[Math.floor(times / 2)] as Work;
}

/**
 * CPU time of what no proof of a version goes without: its two answers are fetched, parsed and hashed, and one is compressed and
 * written.
 */
async function leastOfProof(panelId: number, times: number): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const cpu = process.cpuUsage();
    for (const version of ['', '?version=2.1']) {
      const answer = await fetch(`${server.catalogue}/api/v1/panels/${panelId}/${version}`);
      const body = await answer.text();
      JSON.parse(body);
      hash('sha256', body);
      if (version === '') writeFileSync(join(state, 'least'), deflateSync(body, { level: 1 }));
    }
    const { user, system } = process.cpuUsage(cpu);
    rounds.push((user + system) / 1000);
  }
  return median(rounds);
}

async function stateOf(format: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const begun = performance.now();
    const code = await run(['state', '--state', state, '--panel', '1', '--format', format], {
      ...io,
      stdin: Readable.from([]),
      stdout: output(),
    });
    if (code !== 0) throw new Error(`state ended with ${code}`);
    times.push(performance.now() - begun);
  }
  return median(times);
}

await notifier.poll();
await notifier.sweep();
const begun = await proving();
const baseline = { ...begun, peakMegabytes: peakMegabytes() };
if (only === 'baseline') {
  // One gene of each of these turns green.
  for (const panel of RATED_ANEW) for (let times = 0; times < 2; times += 1) await server.raise(panel);
  now += 3 * HOUR;
  await notifier.poll();
  await notifier.sweep();
  await proving();
  await notifier.close();
  server.close();
  process.exit();
}
await proofOf(HALF_PANEL, 20);
const proof = await proofOf(MIDDLE_PANEL, 10);
const halfProof = await proofOf(HALF_PANEL, 10);
const doubleProof = await proofOf(DOUBLE_PANEL, 10);
const least = await leastOfProof(MIDDLE_PANEL, 20);
const largestProof = await proofOf(1, 5);
const { cpuMilliseconds: nothingToProve } = await proving();
now += 3 * HOUR;
await notifier.prove();
await server.seen();
for (let quarter = 0; quarter < 96; quarter += 1) {
  now += HOUR / 4;
  for (let polls = 0; polls < 3; polls += 1) await notifier.poll();
  if (quarter % 4 === 0) await notifier.sweep();
  await notifier.prove();
}
const quietDay = await server.seen();
const stateMilliseconds = {
  table: await stateOf('table'),
  ndjson: await stateOf('ndjson'),
  bed: await stateOf('bed'),
};
await notifier.close();
server.close();
const figures: StatesRun = {
  baseline,
  proof,
  halfProof,
  doubleProof,
  largestProof,
  leastOfProof: least,
  nothingToProve,
  stateMilliseconds,
  quietDay,
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
