import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from './cpu-ratios.ts';

const run = promisify(execFile);

interface Command {
  /** Arguments of `node`. */
  readonly args: readonly string[];
  /** The folder that it runs in; this one where absent. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** What one run of a command took. */
export interface ChildRun {
  /** User and system, in milliseconds. */
  readonly cpu: number;
  readonly peakMegabytes: number;
  /** By the clock, from the start of Node. */
  readonly milliseconds: number;
  /** Bytes that it handed to the disk; null where the system does not count them. */
  readonly bytesWritten: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs in the process of the command, as text. */
function reportAtExit(file: string): void {
  process.on('exit', () => {
    const { readFileSync: read, writeFileSync: write } = process.getBuiltinModule('node:fs');
    const fromProc = (name: string, line: RegExp): number | null =>
      process.platform === 'linux' ? Number(line.exec(read(`/proc/self/${name}`, 'utf8'))?.[1]) : null;
    const { user, system } = process.cpuUsage();
    // A new process inherits the peak of the one that started it in `maxRSS`.
    const peak = fromProc('status', /^VmHWM:\s+(\d+) kB$/m) ?? process.resourceUsage().maxRSS;
    write(
      file,
      JSON.stringify({
        cpu: (user + system) / 1000,
        peakMegabytes: peak / 1024,
        milliseconds: performance.now(),
        bytesWritten: fromProc('io', /^write_bytes: (\d+)$/m),
      }),
    );
  });
}

/** Runs a command once, in a process of its own. */
export async function childRun({ args, env, cwd }: Command): Promise<ChildRun> {
  const directory = mkdtempSync(join(tmpdir(), 'child-run-'));
  try {
    const [preload, report] = [join(directory, 'preload.cjs'), join(directory, 'report')];
    writeFileSync(preload, `(${reportAtExit})(${JSON.stringify(report)})`);
    const { stdout, stderr } = await run(process.execPath, ['--require', preload, ...args], {
      env: { ...process.env, ...env },
      maxBuffer: 100_000_000,
      ...(cwd !== undefined && { cwd }),
    });
    return { ...JSON.parse(readFileSync(report, 'utf8')), stdout, stderr };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * The median CPU time of each command in milliseconds, run in turns in processes of their own: on a shared machine the time by the
 * clock says more of the others than of the command.
 */
export async function childCpu(commands: readonly Command[], rounds: number): Promise<number[]> {
  const times = commands.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, command] of commands.entries()) {
      const { cpu } = await childRun(command);
      // The first round fills the caches of the disk.
      if (round > 0) times[index]?.push(cpu);
    }
  }
  return times.map(median);
}
