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
interface ChildRun {
  /** User and system, in milliseconds. */
  readonly cpu: number;
  readonly peakMegabytes: number;
  readonly stdout: string;
}

/** Runs a command once, in a process of its own. */
export async function childRun({ args, env, cwd }: Command): Promise<ChildRun> {
  const directory = mkdtempSync(join(tmpdir(), 'child-run-'));
  try {
    const [preload, report] = [join(directory, 'preload.cjs'), join(directory, 'report')];
    writeFileSync(
      preload,
      `process.on('exit',()=>{const{user,system}=process.cpuUsage();require('node:fs').writeFileSync(${JSON.stringify(report)},JSON.stringify({cpu:(user+system)/1000,peakMegabytes:process.resourceUsage().maxRSS/1024}))})`,
    );
    const { stdout } = await run(process.execPath, ['--require', preload, ...args], {
      env: { ...process.env, ...env },
      maxBuffer: 100_000_000,
      ...(cwd !== undefined && { cwd }),
    });
    return { ...JSON.parse(readFileSync(report, 'utf8')), stdout };
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
