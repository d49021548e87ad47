import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { topics } from '../../lambdas/events/kinds.ts';
import { packagedProgram } from '../bin/packaged-program.ts';
import { newFolder } from '../new-folder.ts';
import { startSnsEndpoint } from '../publishing/sns/endpoint.ts';
import { createHistoryTable } from '../store/history/create-history-table.ts';
import { openLocalTable } from '../store/local-table.ts';
import { bundlePoll, pollEnvironment } from './bundled-poll.ts';
import { serveLogWithComments } from './log-with-comments.ts';

const root = newFolder();

interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  /** The most memory that it held, the engine itself included. */
  readonly peakMegabytes: number;
}

/** Prints the most memory that the program held, as it ends. */
const printPeak = fileURLToPath(new URL('../bench/print-peak.ts', import.meta.url));

async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const child = spawn(process.execPath, ['--import', printPeak, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const peakMegabytes = Number(/peak:([\d.]+)/.exec(stderr)?.[1]);
  return { code, signal, output: stdout + stderr, peakMegabytes };
}

/**
 * What V8 takes for a machine of little memory. Without it, the engine lets its heap grow several times over on a
 * large machine that is busy, and the peak says more about the machine than about what the program needs. Each thread has such
 * a heap.
 */
const smallMachine = ['--max-semi-space-size=2', '--max-old-space-size=100'];

test('a backlog of 50,000 rows, some with comments of 65 kB, takes less than 200 MB on one machine', async () => {
  const log = await serveLogWithComments({ rows: 50_000, every: 997, length: 65_000 });
  const program = await packagedProgram(await mkdtemp(join(root, 'program-')));
  const { code, output, peakMegabytes } = await run(
    [
      ...smallMachine,
      ...[program, 'poll', '--only', 'log', '--catalogue', log.url, '--from', '2020-01-01'],
      ...['--state', join(root, 'state'), '--output', join(root, 'events.ndjson')],
    ],
    // As in the container and the service of examples/one-machine.
    { MALLOC_ARENA_MAX: '1' },
  );
  log.close();
  expect([code, output]).toStrictEqual([0, expect.stringContaining('events from 50,000 rows')]);
  expect(peakMegabytes).toBeLessThan(200);
}, 600_000);

describe('the poll function, with 512 MB of memory', () => {
  /** What Lambda gives Node of 512 MB. */
  const lambda = ['--max-semi-space-size=25', '--max-old-space-size=460'];

  async function invoke(rows: number, length: number): Promise<Ran & { readonly published: number }> {
    const log = await serveLogWithComments({ rows, every: 1, length });
    const bundle = await bundlePoll(root);
    const table = await openLocalTable();
    await createHistoryTable(table.dynamodb);
    let published = 0;
    const sns = await startSnsEndpoint({ topics, keep: false, onMessage: () => (published += 1) });
    const script = `
      const { handler } = await import(${JSON.stringify(bundle)});
      const { outcome } = await handler({}, { awsRequestId: 'x', getRemainingTimeInMillis: () => 600000 });
      console.log('outcome:' + outcome);`;
    const ran = await run([...lambda, '--input-type=module', '-e', script], {
      ...pollEnvironment({ log, table, sns }),
      START_FROM: '2020-01-01T00:00:00Z',
    });
    await Promise.all([table.close(), sns.close()]);
    log.close();
    return { ...ran, published };
  }

  test('publishes pages as long as it takes them: 100 rows of 150 kB each', async () => {
    const { code, output, peakMegabytes, published } = await invoke(400, 150_000);
    expect([code, output]).toStrictEqual([0, expect.stringContaining('outcome:published')]);
    expect(published).toBeGreaterThanOrEqual(400);
    expect(peakMegabytes).toBeLessThan(512);
  }, 600_000);

  test('ends with an error that says so where a page has 100 rows of 1 MB', async () => {
    const { code, signal, output, peakMegabytes, published } = await invoke(400, 1_000_000);
    expect([code, signal, published]).toStrictEqual([1, null, 0]);
    expect(output).toMatch(/CATALOGUE_TOO_LARGE/);
    expect(output).toMatch(/larger than 16777216 bytes/);
    expect(peakMegabytes).toBeLessThan(512);
  }, 600_000);
});
