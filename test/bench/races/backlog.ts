import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { FILE_NAME } from '../../../lambdas/store/sqlite-file.ts';
import { moduleBundle } from '../../../lib/bundle.ts';
import { installedProgram } from '../../package/install.ts';
import { virtualEnvironment } from '../../python/virtual-environment.ts';
import type { BacklogRun, BacklogTask } from '../backlog-run.ts';
import { startBacklogServer } from '../backlog-server.ts';
import { type ChildRun, childRun } from '../child-cpu.ts';
import type { Figure, Race } from '../figure.ts';

const ROWS = Number(process.env.BACKLOG ?? 100_000);
/** A log in which every tenth row has a comment of so many letters. */
const LONG_ROWS = 10_000;
const LONG_COMMENT = 65_000;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A heap, for each thread, that is collected before it grows, so that what is measured is need and not slack. */
const smallHeap = ['--max-old-space-size=96', '--max-semi-space-size=2'];

/**
 * A long log, served on this machine and read to its newest row: by the notifier, by a loop that only parses, and by
 * dlt into files. One process after the other, each with the server to itself.
 */
export const backlog: Race = {
  name: 'backlog',
  title: `A backlog of ${ROWS.toLocaleString('en')} activities, from HTTP to a file`,
  run: async () => {
    const notes: string[] = [];
    const directory = await mkdtemp(join(tmpdir(), 'backlog-'));
    const server = await startBacklogServer(ROWS);
    try {
      const [bundled, program] = [await bundleRun(directory), installedProgram(directory)];
      const go = (mode: BacklogTask['mode']) =>
        runIn(bundled, { mode, rows: ROWS, catalogue: server.catalogue });
      const long = await pollLong(program);
      const [parse, publish] = [await go('parse'), await go('publish')];
      const local = await pollBacklog(program, server.catalogue);
      const dlt = await runDlt({ catalogue: server.catalogue, rows: ROWS }, notes);
      const figures: Figure[] = [];
      if (dlt) {
        const baseline = `dlt into files: ${seconds(dlt.milliseconds)}, ${Math.round(dlt.peakMegabytes)} MB`;
        figures.push(
          {
            name: 'time, printed to a file, with state and history',
            detail: seconds(local.milliseconds),
            value: local.milliseconds / dlt.milliseconds,
            unit: '×',
            baseline,
            goal: 1,
          },
          {
            name: 'CPU time of the same',
            detail: `${seconds(local.cpu)} for ${seconds(dlt.wholeCpuMilliseconds)}`,
            value: local.cpu / dlt.wholeCpuMilliseconds,
            unit: '×',
            baseline: 'dlt into files, with its import',
          },
        );
      }
      const baseline = `requests and JSON.parse: ${seconds(parse.cpuMilliseconds)} CPU`;
      figures.push(
        {
          name: 'peak memory of the same',
          value: local.peakMegabytes,
          unit: 'MB',
          baseline: `requests and JSON.parse: ${Math.round(parse.peakMegabytes)} MB`,
          goal: 200,
        },
        {
          name: 'peak memory where every tenth row has a comment of 65 kB',
          detail: `${LONG_ROWS.toLocaleString('en')} rows`,
          value: long.peakMegabytes,
          unit: 'MB',
          goal: 200,
        },
        ...(local.diskRatio === null
          ? []
          : [
              {
                name: 'bytes written to disk for state and history',
                value: local.diskRatio,
                unit: '×',
                baseline: 'the state file at the end',
                goal: 2.5,
              },
            ]),
        {
          name: 'CPU time, printed to a file',
          detail: `${local.events.toLocaleString('en')} events`,
          value: local.cpu / parse.cpuMilliseconds,
          unit: '×',
          baseline,
        },
        {
          name: 'CPU time, table and topics in memory',
          value: publish.cpuMilliseconds / parse.cpuMilliseconds,
          unit: '×',
          baseline,
        },
        {
          name: 'requests',
          value: local.requests / parse.requests,
          unit: '×',
          baseline: `${parse.requests} pages`,
          goal: 1.1,
        },
      );
      return { figures, notes };
    } finally {
      server.close();
      await rm(directory, { recursive: true });
    }
  },
};

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** Bundles the program of a run into a folder. */
async function bundleRun(directory: string): Promise<string> {
  const outfile = join(directory, 'backlog-run.mjs');
  await build({ ...moduleBundle, entryPoints: [here('../backlog-run.ts')], outfile });
  return outfile;
}

/** One run of a backlog that a server has. */
export async function runBacklogOf(task: BacklogTask): Promise<BacklogRun> {
  const directory = await mkdtemp(join(tmpdir(), 'backlog-'));
  try {
    return await runIn(await bundleRun(directory), task);
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function runIn(program: string, task: BacklogTask): Promise<BacklogRun> {
  // The state of a run in memory grows with the log.
  const child = fork(program, { execArgv: task.mode === 'publish' ? [] : smallHeap });
  child.send(task);
  const failed = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`a run of the backlog ended with ${code ?? signal} before it gave its figures`);
  });
  const [run] = (await Promise.race([once(child, 'message'), failed])) as [BacklogRun];
  failed.catch(() => {});
  return run;
}

/** What one poll of the installed command took. */
interface BacklogPoll extends ChildRun {
  readonly requests: number;
  readonly events: number;
  /**
   * Bytes handed to the disk for each byte of the state file at the end, without the printed file; null where the system
   * does not count them.
   */
  readonly diskRatio: number | null;
}

/** One poll of the installed command from the beginning of a log, printed to a file. */
export async function pollBacklog(program: string, catalogue: string, state?: string): Promise<BacklogPoll> {
  const directory = await mkdtemp(join(tmpdir(), 'backlog-state-'));
  try {
    const kept = state ?? join(directory, 'state');
    const printed = join(directory, 'events.ndjson');
    const from = ['--catalogue', catalogue, '--only', 'log', '--from', '2000-01-01'];
    const args = ['poll', ...from, '--format', 'ndjson', '--output', printed, '--state', kept];
    // Where no settings are.
    const ran = await childRun({ args: [program, ...args], cwd: dirname(program) });
    const [, events = '', requests = ''] =
      /([\d,]+) events from [\d,]+ rows, ([\d,]+) requests/.exec(ran.stderr) ?? [];
    const numberOf = (text: string): number => Number(text.replaceAll(',', ''));
    const bytes = ran.bytesWritten === null ? null : ran.bytesWritten - statSync(printed).size;
    return {
      ...ran,
      requests: numberOf(requests),
      events: numberOf(events),
      diskRatio: bytes === null ? null : bytes / statSync(join(kept, FILE_NAME)).size,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function pollLong(program: string): Promise<BacklogPoll> {
  const server = await startBacklogServer(LONG_ROWS, LONG_COMMENT);
  try {
    return await pollBacklog(program, server.catalogue);
  } finally {
    server.close();
  }
}

interface DltRun extends Pick<BacklogRun, 'milliseconds' | 'cpuMilliseconds' | 'peakMegabytes'> {
  /** With the import of dlt. */
  readonly wholeCpuMilliseconds: number;
}

/** What dlt needs for the same pages; null, with a note, where Python or dlt cannot be had. */
export async function runDlt(
  { catalogue, rows }: Pick<BacklogTask, 'catalogue' | 'rows'>,
  notes: string[],
): Promise<DltRun | null> {
  try {
    const environment = virtualEnvironment('bench', {
      requirements: here('../requirements.txt'),
      say: (line) => process.stdout.write(`${line}\n`),
    });
    const python = join(environment, 'bin', 'python');
    const { stdout } = await promisify(execFile)(
      python,
      [here('../dlt-backlog.py'), catalogue, String(Math.ceil(rows / 100))],
      { env: { ...process.env, RUNTIME__DLTHUB_TELEMETRY: 'false' } },
    );
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    notes.push(`The race against dlt was left out: ${reason}`);
    return null;
  }
}
