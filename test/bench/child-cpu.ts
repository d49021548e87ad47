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
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * The median CPU time (user and system, in milliseconds) of each command, run in turns in processes of their own:
 * on a shared machine the time by the clock says more of the others than of the command.
 */
export async function childCpu(commands: readonly Command[], rounds: number): Promise<number[]> {
  const directory = mkdtempSync(join(tmpdir(), 'child-cpu-'));
  try {
    const [preload, report] = [join(directory, 'preload.cjs'), join(directory, 'report')];
    writeFileSync(
      preload,
      `process.on('exit',()=>{const{user,system}=process.cpuUsage();require('node:fs').writeFileSync(${JSON.stringify(report)},String((user+system)/1000))})`,
    );
    const times = commands.map((): number[] => []);
    for (let round = 0; round <= rounds; round++) {
      for (const [index, { args, env }] of commands.entries()) {
        await run(process.execPath, ['--require', preload, ...args], { env: { ...process.env, ...env } });
        // The first round fills the caches of the disk.
        if (round > 0) times[index]?.push(Number(readFileSync(report, 'utf8')));
      }
    }
    return times.map(median);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
