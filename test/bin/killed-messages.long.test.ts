import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { reasonNotToSend } from '../../lambdas/notify/changes-since.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { packagedProgram } from './packaged-program.ts';
import { words } from './run-command.ts';

const KILLS = Number(process.env.KILLS ?? 12);

interface Received {
  readonly id: string;
  readonly event: PanelEvent;
}

test('a watch that is killed again and again sends every event to its webhook, and repeats only a message that was under way', async () => {
  const root = newFolder();
  const program = await packagedProgram(root);
  const catalogue = await startCatalogue({ clock, seed: 7, history: 120, ties: 'fixed' });
  onTestFinished(() => catalogue.close());

  const received: Received[] = [];
  let onReceived = (): void => {};
  const server = createServer(async (request, response) => {
    const event = JSON.parse(await text(request)) as PanelEvent;
    received.push({ id: String(request.headers['webhook-id']), event });
    onReceived();
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const config = join(root, 'notifier.config.json');
  const filter = {
    topics: ['classifications', 'membership', 'tags', 'promotions', 'annotations', 'panels'] as const,
  };
  const stage = {
    catalogues: { uk: { base: catalogue.url, from: '2020-01-01T00:00:00Z' } },
    subscriptions: { all: { filter, channels: [{ kind: 'webhook', webhook: 'pipeline' }] } },
  };
  await writeFile(config, JSON.stringify({ stages: { trial: stage } }));
  const env = {
    ...process.env,
    CHANNEL_PIPELINE: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
  };

  /** Watches until it is killed after some messages, or until `polls` polls are done. */
  async function watch({
    killAfter = Number.POSITIVE_INFINITY,
  }: {
    readonly killAfter?: number;
  }): Promise<void> {
    const args = words`watch --config ${config} --state ${join(root, 'state')} --every 0 --polls 2`;
    const child = spawn(process.execPath, [program, ...args, '--sweep-every', '0'], { env, stdio: 'ignore' });
    let count = 0;
    onReceived = () => {
      if (++count >= killAfter) child.kill('SIGKILL');
    };
    await once(child, 'exit');
    onReceived = () => {};
  }

  for (let kill = 0; kill < KILLS; kill++) {
    catalogue.act();
    await watch({ killAfter: 1 + (kill % 5) });
  }
  await watch({});

  const file = openStateFile(join(root, 'state'));
  onTestFinished(() => file.close());
  const unwanted = reasonNotToSend({ topics: [...filter.topics] });
  const wanted: string[] = [];
  for await (const event of createSqliteHistory(file).find({ order: 'oldest' }))
    if (unwanted(event) === null) wanted.push(event.id);
  expect(wanted.length).toBeGreaterThan(KILLS);
  const byEvent = Map.groupBy(received, ({ event }) => event.id);
  expect([...byEvent.keys()].sort()).toStrictEqual(wanted.sort());
  const repeated = [...byEvent.values()].filter(({ length }) => length > 1);
  for (const copies of repeated) {
    expect(new Set(copies.map(({ id }) => id)).size).toBe(1);
    expect(new Set(copies.map(({ event }) => JSON.stringify(event))).size).toBe(1);
  }
  expect(repeated.flat().length - repeated.length).toBeLessThanOrEqual(KILLS);
});
