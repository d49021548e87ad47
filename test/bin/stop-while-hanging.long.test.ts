import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { hangingReceivers, startHanging } from './hanging-receivers.ts';

const program = fileURLToPath(new URL('../../bin/gene-panel-notifier.js', import.meta.url));
const saved = fileURLToPath(new URL('../fixtures/catalogue/', import.meta.url));
const bundled = fileURLToPath(
  new URL(`../../node_modules/node-linux-${process.arch}/bin/node`, import.meta.url),
);
const kinds = Object.keys(hangingReceivers) as (keyof typeof hangingReceivers)[];
const signals = ['SIGTERM', 'SIGINT'] as const;

/** The flags under which the launcher takes this Node for one that is too old, and starts another. */
const old = [
  '--import',
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.0.0' } });`,
];

const root = newFolder();
let states = 0;
let catalogue: RunningCatalogue;
beforeEach(async () => {
  states += 1;
  catalogue = await startCatalogue({ clock, from: saved, ties: 'fixed' });
});
afterEach(() => catalogue.close());

interface Ended {
  readonly code: number | null;
  readonly stderr: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  const [stderr] = await Promise.all([text(child.stderr as NodeJS.ReadableStream), once(child, 'close')]);
  return { code: child.exitCode, stderr };
}

const start = (
  flags: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn(
    process.execPath,
    [...flags, program, 'watch', '--no-page', ...args, '--state', join(root, `${states}`)],
    { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } },
  );

/** A watch whose only channel leads to a port of this machine. */
async function watchOver(flags: readonly string[], isMail: boolean, port: number): Promise<ChildProcess> {
  const channels = [isMail ? { kind: 'smtp', to: ['lab@example.org'] } : { kind: 'slack', webhook: 'lab' }];
  const relay = { host: '127.0.0.1', port, security: 'none', from: 'panels@example.org' };
  const stage = {
    catalogues: { uk: { base: catalogue.url, from: '2023-11-01T00:00:00Z' } },
    messages: { relay },
    subscriptions: {
      'green-genes': { filter: { to: ['green'] }, zone: 'Europe/London', settleMinutes: 0, channels },
    },
  };
  const config = join(root, `${states}.config.json`);
  await writeFile(config, JSON.stringify({ stages: { production: stage } }));
  return start(flags, ['--config', config], { CHANNEL_LAB: `http://127.0.0.1:${port}/hook` });
}

/** What a stop says: the message is under way, and no attempt of it was given up. */
const leftForTheNextStart =
  /^\d+ messages? not sent yet: the next start sends (?:it|them)\. "messages list"/m;

describe.each(signals)('watch, stopped by %s,', (signal) => {
  test.each(kinds)('ends while it waits for %s, and says what it left for the next start', async (kind) => {
    const receiver = await startHanging(kind);
    const child = await watchOver([], kind.includes('mail'), receiver.port);
    const end = ended(child);
    await receiver.reached;
    child.kill(signal);
    const { code, stderr } = await end;
    receiver.close();
    expect([code, stderr]).toStrictEqual([0, expect.stringMatching(leftForTheNextStart)]);
  });

  test.each(['activities', 'panels', 'regions'])(
    'ends while it waits for %s of the catalogue',
    async (list) => {
      catalogue.fail({ kind: 'silence' }, { path: list, times: 99 });
      const { promise: asked, resolve } = Promise.withResolvers<void>();
      catalogue.onRequest(({ path }) => {
        if (path.includes(`/${list}/`)) resolve();
      });
      const child = start([], ['--catalogue', catalogue.url, '--from', '2023-11-01']);
      const end = ended(child);
      await asked;
      child.kill(signal);
      expect((await end).code).toBe(0);
    },
  );

  test('ends while it waits for a token', async () => {
    const provider = await startHanging('a webhook that never answers');
    const child = start([], ['--catalogue', catalogue.url], {
      AUTH_URL: `http://127.0.0.1:${provider.port}`,
      TENANT_ID: 'x',
      CLIENT_ID: 'a',
      CLIENT_SECRET: 'b',
    });
    const end = ended(child);
    await provider.reached;
    child.kill(signal);
    const { code, stderr } = await end;
    provider.close();
    expect([code, stderr]).toStrictEqual([0, expect.not.stringContaining('failed')]);
  });

  test
    .runIf(existsSync(bundled))
    .each(['a mail server that goes on answering after EHLO', 'a webhook that never answers'] as const)(
    'ends, by the launcher on an old Node, while it waits for %s',
    async (kind) => {
      const receiver = await startHanging(kind);
      const child = await watchOver(old, kind.includes('mail'), receiver.port);
      const end = ended(child);
      await receiver.reached;
      child.kill(signal);
      const { code, stderr } = await end;
      receiver.close();
      expect([code, stderr]).toStrictEqual([0, expect.stringMatching(leftForTheNextStart)]);
    },
  );
});
