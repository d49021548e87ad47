import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRelay } from '../../lambdas/questions/relay/relay.ts';
import { systemClock } from '../../lambdas/run/clock.ts';
import { listen, type Served } from '../../page/listen.ts';
import { openProvingHarness } from '../panels/proving-harness.ts';
import { createTestClock } from '../run/test-clock.ts';
import { PANELS, startStatesServer } from './states-server.ts';

/** What `node relay-run.ts` prints, as one line of JSON: of the relay, and of files with the same bytes. */
export interface RelayRun {
  /** CPU time of the server for an answer, in milliseconds. */
  readonly relay: number;
  readonly files: number;
  /** Answers in a second, of all clients together. */
  readonly answersASecond: number;
  /** Of a panel, on average. */
  readonly kilobytes: number;
}

/** So many clients ask for one panel after another, for so long. */
const CLIENTS = 50;
const SECONDS = 4;

if (process.send) {
  const [base = ''] = process.argv.slice(2);
  let answers = 0;
  let bytes = 0;
  const readOn = async (client: number): Promise<never> => {
    for (let turn = client; ; turn++) {
      const response = await fetch(`${base}${2 + (turn % (PANELS - 1))}/`);
      const { byteLength } = await response.arrayBuffer();
      if (!response.ok) throw new Error(`${response.url} answered ${response.status}`);
      answers += 1;
      bytes += byteLength;
    }
  };
  for (let client = 0; client < CLIENTS; client++) void readOn(client);
  process.on('message', () => process.send?.([answers, bytes]));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'relay-bench-'));
  const catalogue = await startStatesServer();
  const clock = createTestClock({ now: Date.UTC(2026, 11, 30) });
  const harness = openProvingHarness({ url: `${catalogue.catalogue}/api/v1/`, clock, from: 0n });
  await harness.poll();
  await harness.sweep();
  await harness.prove();
  const answer = createRelay({
    sources: () => new Map([['uk', harness.relaySource]]),
    now: clock.now,
    onUnreadable(error) {
      throw error;
    },
  });
  for (let id = 1; id <= PANELS; id++) {
    const response = await answer(new Request(`http://relay/uk/api/v1/panels/${id}/`));
    if (response.status !== 200) throw new Error(`Panel ${id}: ${response.status} ${await response.text()}`);
    writeFileSync(join(folder, `${id}.json`), Buffer.from(await response.arrayBuffer()));
  }
  const files = async (request: Request): Promise<Response> => {
    const [, id = ''] = /\/(\d+)\/$/.exec(new URL(request.url).pathname) ?? [];
    return new Response(await readFile(join(folder, `${id}.json`)), {
      headers: { 'content-type': 'application/json' },
    });
  };
  const [relayed, filed] = [await listen(answer, { port: 0 }), await listen(files, { port: 0 })];
  const race = async ({ url }: Served, path: string) => {
    const clients = fork(fileURLToPath(import.meta.url), [`${url}${path}`], { execArgv: process.execArgv });
    const soFar = async (): Promise<readonly [answers: number, bytes: number]> => {
      clients.send('answers');
      return (await once(clients, 'message'))[0];
    };
    // Warm: each panel was asked for at least once.
    while ((await soFar())[0] < 2 * PANELS) await systemClock.sleep(100);
    const [[answersBefore, bytesBefore], cpu, began] = [await soFar(), process.cpuUsage(), performance.now()];
    await systemClock.sleep(SECONDS * 1000);
    const [answers, bytes] = await soFar();
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (performance.now() - began) / 1000;
    clients.kill();
    const count = answers - answersBefore;
    return {
      cpu: (user + system) / 1000 / count,
      aSecond: count / seconds,
      kilobytes: (bytes - bytesBefore) / count / 1000,
    };
  };
  const relay = await race(relayed, 'uk/api/v1/panels/');
  const file = await race(filed, '');
  await relayed.close();
  await filed.close();
  await harness.close();
  catalogue.close();
  rmSync(folder, { recursive: true });
  const result: RelayRun = {
    relay: relay.cpu,
    files: file.cpu,
    answersASecond: relay.aSecond,
    kilobytes: relay.kilobytes,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
