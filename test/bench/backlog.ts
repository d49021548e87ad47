import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { leanBundle } from '../../lib/bundle.ts';
import type { BacklogRun } from './backlog-run.ts';

/** A heap that is collected before it grows, so that what is measured is need and not slack. */
const smallHeap = ['--max-old-space-size=96', '--max-semi-space-size=8'];

/** Reads a backlog in each way, against one server, one process after the other, bundled as it is deployed. */
export async function runBacklog(
  rows: number,
  modes: readonly string[],
): Promise<Record<string, BacklogRun>> {
  const server = fork(new URL('backlog-server.ts', import.meta.url), [String(rows)]);
  const [addresses] = await once(server, 'message');
  const directory = await mkdtemp(join(tmpdir(), 'backlog-'));
  try {
    const outfile = join(directory, 'backlog-run.mjs');
    const entry = fileURLToPath(new URL('backlog-run.ts', import.meta.url));
    await build({ ...leanBundle, entryPoints: [entry], outfile });
    const runs: Record<string, BacklogRun> = {};
    for (const mode of modes) {
      const child = fork(outfile, { execArgv: smallHeap });
      child.send({ mode, rows, ...addresses });
      [runs[mode]] = (await once(child, 'message')) as [BacklogRun];
    }
    return runs;
  } finally {
    server.kill();
    await rm(directory, { recursive: true });
  }
}
