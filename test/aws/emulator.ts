import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../lambdas/run/clock.ts';
import { virtualEnvironment } from '../python/virtual-environment.ts';
import { stopServer } from './server-process.ts';

/** A server of AWS's interfaces at one address. */
interface Emulator {
  readonly endpoint: string;
  /** The end of its log, to be shown when a check fails. */
  logTail(): string;
  stop(): Promise<void>;
}

interface EmulatorOptions {
  readonly clock: Clock;
  /** An emulator that runs already, such as LocalStack; without it moto is started here. */
  readonly endpoint: string | undefined;
  readonly say: (line: string) => void;
}

export const requirements = join(import.meta.dirname, 'requirements.txt');

/** Lines of moto's log that report no error. */
const ordinary =
  /^(?:.* HTTP.* [23]\d\d -|No Moto CloudFormation.*|.*UserWarning: Tried.*| {2}parse_resource.*)\n/gm;

/** The emulator that the environment names, or moto's server in a virtual environment of its own. */
export async function startEmulator({ clock, endpoint, say }: EmulatorOptions): Promise<Emulator> {
  if (endpoint !== undefined) return { endpoint, logTail: () => '', stop: async () => {} };
  const environment = virtualEnvironment('moto', { requirements, say });
  const port = await freePort();
  const server = spawn(join(environment, 'bin', 'moto_server'), ['-H', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const logged: string[] = [];
  const logTail = (): string => logged.join('').replaceAll(ordinary, '').slice(-4000);
  server.stderr?.on('data', (chunk: Buffer) => logged.push(chunk.toString()));
  // By name: in the URL of an S3 object, moto takes the path for bucket and key only where it says localhost.
  const address = `http://localhost:${port}`;
  for (let tries = 0; !(await answers(`${address}/moto-api/`)); tries += 1) {
    if (tries > 300 || server.exitCode !== null) {
      server.kill();
      throw new Error(`Starting moto: it does not answer at ${address}. It said:\n${logTail()}`);
    }
    await clock.sleep(100);
  }
  return { endpoint: address, logTail, stop: () => stopServer(server) };
}

/** A port of this machine that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('The system gave no port');
  return address.port;
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
