import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Ends a server that a test started, and waits until it is gone. */
export async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  server.kill();
  await once(server, 'exit');
}
