import { PassThrough, Readable } from 'node:stream';
import { type Command, UsageError } from '../../bin/command.ts';
import { CANARY, showsCanary } from '../identity/canaries.ts';
import { decisionSupport, tenants } from '../sandbox/identity/residents.ts';
import type { Client } from '../sandbox/identity/tenants.ts';
import { type Stage, startStage } from '../sandbox/interpretation/stage.ts';

/** What a command did. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandStage extends Stage {
  /** Runs a command within this process, as the command line does, with the stage's provider in its environment. */
  run(command: Command, args: readonly string[], given?: Given): Promise<Ran>;
}

export interface Given {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The sandbox's decision support system with a secret that must not be seen. */
export const canarySystem: Client = { ...decisionSupport, secrets: [`a:${CANARY}:+/%?é`] };

/** Provider and applications, and commands that run against them; no output may show a canary. */
export async function commandStage(): Promise<CommandStage> {
  const tenant = tenants['non-production'];
  const clients = [
    canarySystem,
    ...tenant.clients.filter(({ clientId }) => clientId !== canarySystem.clientId),
  ];
  const stage = await startStage({ tenants: { ...tenants, 'non-production': { ...tenant, clients } } });
  const ownEnvironment = {
    AUTH_URL: stage.provider.authUrl,
    TENANT_ID: tenant.id,
    CLIENT_ID: canarySystem.clientId,
    CLIENT_SECRET: canarySystem.secrets[0],
  };
  return {
    ...stage,
    run: async (command, args, { stdin = '', env = {} } = {}) => {
      const [stdout, stderr] = [collected(), collected()];
      const io = {
        stdin: Readable.from([stdin]),
        stdout,
        stderr,
        env: { ...ownEnvironment, ...env },
        clock: stage.clock,
        signal: new AbortController().signal,
      };
      const code = await command.run(args, io).catch((error: unknown) => {
        if (!(error instanceof Error)) throw error;
        stderr.write(`${error.message}\n`);
        if (showsCanary(error)) throw new Error('an error shows a secret');
        return error instanceof UsageError ? 2 : 1;
      });
      const ran = { code, stdout: stdout.text(), stderr: stderr.text() };
      if (showsCanary(ran.stdout) || showsCanary(ran.stderr)) throw new Error('the output shows a secret');
      return ran;
    },
  };
}

function collected(): PassThrough & { text(): string } {
  const chunks: string[] = [];
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  return Object.assign(stream, { text: () => chunks.join('') });
}
