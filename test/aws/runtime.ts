import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import type { DeployedFunction } from './deployed-function.ts';

/** How one run ended. */
export type Outcome =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error: { readonly errorType: string; readonly errorMessage: string } };

/** One execution environment of a function, warm until it is stopped. */
export interface Runtime {
  /** Runs the handler once. `aheadMs`: milliseconds by which the function's clock is ahead of the machine's. */
  invoke(event: unknown, options?: { readonly aheadMs?: number | undefined }): Promise<Outcome>;
  /** What the function has written to its log, line by line. */
  readonly log: readonly string[];
  /** Its process. */
  readonly pid: number | undefined;
  /** Ends the process within its run, as when its machine fails. */
  kill(): void;
  stop(): Promise<void>;
}

interface Invocation {
  readonly id: string;
  readonly event: unknown;
  readonly aheadMs: number;
  readonly end: (outcome: Outcome) => void;
}

/**
 * Runs a deployed function as Lambda does: a process of its own with the function's environment and nothing
 * else, which fetches its invocations from the Lambda runtime API and hands its results back there.
 */
export async function startRuntime(
  deployed: DeployedFunction,
  aws: Readonly<Record<string, string>>,
): Promise<Runtime> {
  const waiting: Invocation[] = [];
  const asking: ServerResponse[] = [];
  const running = new Map<string, Invocation>();
  const log: string[] = [];

  const hand = (): void => {
    const invocation = waiting[0];
    const response = invocation && asking.shift();
    if (invocation === undefined || response === undefined) return;
    waiting.shift();
    running.set(invocation.id, invocation);
    response.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': invocation.id,
      'lambda-runtime-deadline-ms': String(clock.now() + invocation.aheadMs + deployed.timeoutSeconds * 1000),
      'clock-ahead-ms': String(invocation.aheadMs),
      'lambda-runtime-invoked-function-arn': `arn:aws:lambda:eu-west-2:000000000000:function:${deployed.name}`,
    });
    response.end(JSON.stringify(invocation.event));
  };

  const finish = (id: string | undefined, outcome: Outcome): void => {
    const ended = id === undefined ? [...running.values(), ...waiting.splice(0)] : [running.get(id)];
    for (const invocation of ended) {
      if (invocation === undefined) continue;
      running.delete(invocation.id);
      invocation.end(outcome);
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    if (path.endsWith('/invocation/next')) {
      asking.push(response);
      hand();
      return;
    }
    const [, id, kind] = /\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    const body = JSON.parse(await text(request));
    response.writeHead(202).end();
    finish(id, kind === 'response' ? { ok: true, result: body } : { ok: false, error: body });
  };

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'runtime-loop.ts')], {
    cwd: deployed.task,
    env: {
      ...environmentOf(deployed, aws),
      ...aws,
      AWS_LAMBDA_FUNCTION_NAME: deployed.name,
      AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}`,
      LAMBDA_TASK_ROOT: deployed.task,
      _HANDLER: deployed.handler,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => log.push(...chunk.toString().split('\n').filter(Boolean)));
  }
  child.on('exit', (code, signal) => {
    const errorMessage = `exit ${code ?? signal}`;
    finish(undefined, { ok: false, error: { errorType: 'Runtime.ExitError', errorMessage } });
  });

  return {
    log,
    pid: child.pid,
    invoke: (event, { aheadMs = 0 } = {}) =>
      new Promise((resolve) => {
        waiting.push({ id: randomUUID(), event, aheadMs, end: resolve });
        hand();
      }),
    kill: () => void child.kill('SIGKILL'),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill();
        await once(child, 'exit');
      }
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Lambda unpacks layers under `/opt/`; here they have a folder of their own. A client calls a queue at the queue's own
 * address, which is one of AWS; here the emulator has the queue.
 */
function environmentOf(
  { environment, layers }: DeployedFunction,
  aws: Readonly<Record<string, string>>,
): Record<string, string> {
  const here = (value: string): string =>
    value
      .replace(/^\/opt\//, `${layers}/`)
      .replace(/^https:\/\/sqs\.[\w-]+\.amazonaws\.com\//, `${aws.AWS_ENDPOINT_URL}/`);
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, here(value)]));
}
