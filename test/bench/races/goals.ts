import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { formatInstant } from '../../../lambdas/run/instant.ts';
import { FILE_NAME } from '../../../lambdas/store/sqlite-file.ts';
import { installedProgram } from '../../package/install.ts';
import { startBacklogServer } from '../backlog-server.ts';
import { childRun } from '../child-cpu.ts';
import { timeOf } from '../classified-event.ts';
import type { Figure, Race } from '../figure.ts';
import { historyOf } from '../history-of.ts';
import { SIGNED_OFF } from '../states-server.ts';
import { pollBacklog, runBacklogOf, runDlt } from './backlog.ts';
import { functionLoad } from './function-load.ts';
import { panelStates } from './panel-states.ts';
import { startUp } from './start-up.ts';

const ROWS = Number(process.env.BACKLOG ?? 50_000);
const EVENTS = Number(process.env.HISTORY ?? 1_000_000);
const CASES = 100_000;
const REPORTED = 100_000;
const READERS = 20;
const VIEWS = 400;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

type Named = Pick<Figure, 'name' | 'goal' | 'unit'>;
const figureOf = (named: Named, value: number, baseline?: string): Figure => ({
  ...named,
  value,
  ...(baseline !== undefined && { baseline }),
});

/** The goals of the program that people run, as they run it: each figure in one table, most of them CPU time or ratios in one run. */
export const goals: Race = {
  name: 'goals',
  title: `The goals, of the command as installed: ${ROWS.toLocaleString('en')} rows, ${EVENTS.toLocaleString('en')} events (CPU)`,
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'goals-'));
    const notes: string[] = [];
    try {
      const program = installedProgram(folder);
      const figures = [
        ...(await ofBacklog(program, join(folder, 'backlog'), notes)),
        ...(await ofHistory(program, notes)),
        await ofImpact(program, join(folder, 'states')),
        ...(await ofOtherRaces()),
      ];
      return { figures, notes };
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** A backlog of the saved rows, and the worklist of its events. */
async function ofBacklog(program: string, state: string, notes: string[]): Promise<readonly Figure[]> {
  const server = await startBacklogServer(ROWS);
  try {
    const polled = await pollBacklog(program, server.catalogue, state);
    const backlog = `the backlog of ${ROWS.toLocaleString('en')} rows, ${(polled.events / ROWS).toFixed(2)} events each`;
    const dlt = await runDlt({ catalogue: server.catalogue, rows: ROWS }, notes);
    const named = { name: backlog, unit: '×', goal: 2.3 };
    const [asked, published] = [
      await runBacklogOf({ mode: 'parse', rows: ROWS, catalogue: server.catalogue }),
      await runBacklogOf({ mode: 'publish', rows: ROWS, catalogue: server.catalogue }),
    ];
    // A backlog leaves it to the polls after it.
    await keep(state);
    const listed = await runOf(program, [
      'worklist',
      '--status',
      'all',
      '--format',
      'ndjson',
      '--state',
      state,
    ]);
    const entries = listed.stdout.trimEnd().split('\n').length;
    return [
      ...(dlt
        ? [figureOf(named, polled.cpu / dlt.wholeCpuMilliseconds, 'dlt into files, with its import')]
        : []),
      figureOf({ name: 'its peak memory', unit: 'MB', goal: 200 }, polled.peakMegabytes),
      figureOf(
        { name: 'a row, from its page to its publication in memory', unit: '×', goal: 15 },
        published.cpuMilliseconds / asked.cpuMilliseconds,
        'its page requested and parsed',
      ),
      figureOf({ name: `worklist of ${entries} entries`, unit: 'ms', goal: 400 }, listed.cpu),
    ];
  } finally {
    server.close();
  }
}

/** Keeps the changes of the worklist and the words, as `watch` does. */
const keep = (folder: string) =>
  promisify(execFile)(process.execPath, [here('../history-run.ts'), 'keep', folder]);

/** Runs the command where no settings are: beside the file that starts it. */
const runOf = (program: string, args: readonly string[]) =>
  childRun({ args: [program, ...args], cwd: dirname(program) });

const worklistViews = [
  ['a view of the worklist', '/worklist'],
  ['sorted by panel', '/worklist?sort=panel'],
  ['of an R code', '/worklist?r-code=R7'],
] as const;

/** Views, searches and a report of a long history in which each event changes a rating. */
async function ofHistory(program: string, notes: string[]): Promise<readonly Figure[]> {
  const { folder } = await historyOf(EVENTS);
  await keep(folder);
  const figures: Figure[] = [];
  const page = await startPage(program, folder);
  try {
    figures.push(
      figureOf(
        { name: 'first view of the page, all time, cold', unit: 'ms', goal: 400 },
        await page.cpuOf(['/?since=all']),
      ),
    );
    for (const [name, path] of worklistViews) {
      await page.cpuOf([path]);
      const cpu = (await page.cpuOf(Array.from({ length: 10 }, () => path))) / 10;
      figures.push(figureOf({ name, unit: 'ms', goal: 100 }, cpu));
    }
    const alone = await page.slowestOf('/?panel=7&since=all', READERS);
    const beside = await page.slowestOf('/?panel=7&since=all', READERS, '/worklist');
    figures.push(
      figureOf(
        { name: `ordinary view beside views of the worklist, ${READERS} readers, p95`, unit: '×', goal: 1.2 },
        beside / alone,
        'the same alone, by the clock',
      ),
    );
    const words = ['evidence', 'classified', 'high', 'green', 'row', 'list'];
    const [first = '', ...later] = words.map((word) => `/?q=${word}&since=all`);
    figures.push(
      figureOf({ name: 'first word search on the page', unit: 'ms', goal: 1000 }, await page.cpuOf([first])),
      figureOf({ name: 'later ones', unit: 'ms', goal: 300 }, (await page.cpuOf(later)) / later.length),
    );
  } finally {
    page.close();
  }
  const since = timeOf(Math.max(0, EVENTS - REPORTED));
  const report = await runOf(program, ['report', '--since', formatInstant(since), '--state', folder]);
  try {
    const python = [here('../report.py'), join(folder, FILE_NAME), String(since)];
    const { stdout } = await promisify(execFile)('python3', python, { maxBuffer: 100_000_000 });
    const { cpuMilliseconds } = JSON.parse(stdout) as { readonly cpuMilliseconds: number };
    const named = { name: `report of ${REPORTED.toLocaleString('en')} events`, unit: '×', goal: 1.2 };
    figures.push(
      figureOf(named, report.cpu / cpuMilliseconds, `plain Python, ${Math.round(cpuMilliseconds)} ms`),
    );
  } catch (error) {
    notes.push(`The report in Python was left out: ${String(error).split('\n')[0]}`);
  }
  return figures;
}

/** `impact` of many cases on the signed-off versions of the panels of a catalogue of the size of PanelApp UK. */
async function ofImpact(program: string, folder: string): Promise<Figure> {
  await promisify(execFile)(process.execPath, [here('../states-run.ts'), folder, 'baseline']);
  const cases = join(folder, 'cases.csv');
  const lines = Array.from({ length: CASES }, (_, index) => `C${index},${1 + (index % SIGNED_OFF)},1.9`);
  writeFileSync(cases, `case,panel,version\n${lines.join('\n')}\n`);
  const { cpu } = await runOf(program, ['impact', '--cases', cases, '--state', folder]);
  return figureOf({ name: `impact of ${CASES.toLocaleString('en')} cases`, unit: 'ms', goal: 2500 }, cpu);
}

/** The goals that races of their own measure. */
async function ofOtherRaces(): Promise<readonly Figure[]> {
  const wanted = [
    [functionLoad, /^notify: load$/, 1.3],
    [panelStates, /^CPU time of the proof of one version/, 15],
    [startUp, /^poll that finds nothing new$/, 250],
  ] as const;
  const found: Figure[] = [];
  for (const [race, name, goal] of wanted) {
    const { figures } = await race.run();
    const figure = figures.find((each) => name.test(each.name));
    if (!figure) throw new Error(`The race ${race.name} has no figure ${name.source}`);
    found.push({ ...figure, goal });
  }
  return found;
}

/** Starts the page of a folder, as a person does. CPU time is what the system says of its process. */
async function startPage(program: string, folder: string) {
  const child = spawn(process.execPath, [program, 'page', '--state', folder, '--port', '0'], {
    cwd: dirname(program),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`The page ended with ${code}`);
  });
  failed.catch(() => {});
  const printed = async (): Promise<string> => {
    for await (const line of createInterface(child.stderr)) {
      const [address] = /http:\/\/[^\s/]+/.exec(line) ?? [];
      if (address !== undefined) return address;
    }
    throw new Error('The page printed no address');
  };
  const address = await Promise.race([printed(), failed]);
  const view = async (path: string): Promise<void> => {
    const response = await fetch(new URL(path, address));
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  };
  return {
    async cpuOf(paths: readonly string[]): Promise<number> {
      const before = cpuOfProcess(child.pid ?? 0);
      for (const path of paths) await view(path);
      return cpuOfProcess(child.pid ?? 0) - before;
    },
    /** The time by the clock below which 95 of 100 views stay, of readers who ask without a pause, and one who asks for another view. */
    async slowestOf(path: string, readers: number, other?: string): Promise<number> {
      const times: number[] = [];
      const read = async (): Promise<void> => {
        while (times.length < VIEWS) {
          const begun = performance.now();
          await view(path);
          times.push(performance.now() - begun);
        }
      };
      const readOther = async (asked: string): Promise<void> => {
        while (times.length < VIEWS) await view(asked);
      };
      await Promise.all([
        ...Array.from({ length: readers }, read),
        ...(other === undefined ? [] : [readOther(other)]),
      ]);
      return times.toSorted((one, next) => one - next)[Math.floor(VIEWS * 0.95)] ?? Number.NaN;
    },
    close: (): void => void child.kill(),
  };
}

/** Milliseconds of CPU time of a process so far; NaN where the system has no `/proc`. */
function cpuOfProcess(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/\(.*\)/, '')
    .split(' ');
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
