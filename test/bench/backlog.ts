import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BacklogRun } from './backlog-run.ts';

/** Reads a backlog in each way, against one server, one process after the other. */
export async function runBacklog(
  rows: number,
  modes: readonly string[],
): Promise<Record<string, BacklogRun>> {
  const server = fork(new URL('backlog-server.ts', import.meta.url), [String(rows)]);
  try {
    const [addresses] = await once(server, 'message');
    const runs: Record<string, BacklogRun> = {};
    for (const mode of modes) {
      const child = fork(new URL('backlog-run.ts', import.meta.url));
      child.send({ mode, rows, ...addresses });
      [runs[mode]] = (await once(child, 'message')) as [BacklogRun];
    }
    return runs;
  } finally {
    server.kill();
  }
}
