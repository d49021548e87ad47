import { readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { request } from 'undici';
import { startLocalNotifier } from '../../bin/local/notifier.ts';
import { createPrintPublisher } from '../../bin/local/print-publisher.ts';
import { eventOutput, openOutput } from '../../bin/output.ts';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';
import { FILE_NAME } from '../../lambdas/store/sqlite-file.ts';
import { createMemoryStore, emptyTable } from '../store/memory-store.ts';
import { peakMegabytes } from './peak-memory.ts';

/** One way through a backlog, in a process of its own, so that its memory is its own. */
/** What one run of the backlog does. */
export interface BacklogTask {
  readonly mode: 'parse' | 'publish' | 'local';
  readonly rows: number;
  readonly catalogue: string;
}

export interface BacklogRun {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
  readonly requests: number;
  readonly events: number;
  /**
   * Bytes handed to the disk for each byte of the state file at the end, without the printed file; absent where the system
   * does not count them.
   */
  readonly diskRatio?: number;
}

process.on('message', async (given: BacklogTask) => {
  const started = clock.now();
  const cpu = process.cpuUsage();
  const { requests, events, diskRatio } = await ways[given.mode](given);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    milliseconds: clock.now() - started,
    cpuMilliseconds: (user + system) / 1000,
    peakMegabytes: peakMegabytes(),
    requests,
    events,
    ...(diskRatio !== undefined && { diskRatio }),
  } satisfies BacklogRun);
  process.disconnect();
});

interface Way {
  readonly requests: number;
  readonly events: number;
  readonly diskRatio?: number;
}

const ways: Readonly<Record<BacklogTask['mode'], (given: BacklogTask) => Promise<Way>>> = {
  parse: async ({ catalogue, rows }) => {
    const pages = Math.ceil(rows / 100);
    let parsed = 0;
    for (let page = pages; page >= 1; page--) {
      const { body } = await request(`${catalogue}/api/v1/activities/?page=${page}`);
      parsed += (JSON.parse(await body.text()) as { results: unknown[] }).results.length;
    }
    return { requests: pages, events: parsed };
  },
  publish: async ({ catalogue: baseUrl }) => {
    const catalogue = createCatalogue({ baseUrl, access: anonymous, clock, log });
    let events = 0;
    await poll({
      store: createMemoryStore(emptyTable()),
      publisher: { publish: async () => [] },
      name: 'bench',
      catalogue,
      clock,
      log,
      overlap: minutes(15),
      from: 0n,
      onPublished: (messages) => {
        events += messages.length;
      },
    });
    await catalogue.close();
    return { requests: catalogue.traffic.requests, events };
  },
  local: async ({ catalogue }) => {
    const directory = await mkdtemp(join(tmpdir(), 'backlog-state-'));
    const signal = new AbortController().signal;
    const [stdout, stderr] = [new PassThrough().resume(), new PassThrough().resume()];
    // Beside this program in its bundle.
    const writerThread = new URL('./chunk-writer-thread.mjs', import.meta.url);
    const io = { stdin: Readable.from([]), stdout, stderr, env: {}, clock, signal, writerThread };
    const output = eventOutput('ndjson', openOutput(join(directory, 'events.ndjson'), io), io);
    const notifier = await startLocalNotifier({
      name: 'bench',
      url: catalogue,
      access: anonymous,
      state: directory,
      overlap: minutes(15),
      from: 0n,
      publisher: createPrintPublisher(output),
      log,
      io,
    });
    const { events } = await notifier.poll();
    await notifier.close();
    const written = bytesWritten();
    const kept = statSync(join(directory, FILE_NAME)).size;
    const printed = statSync(join(directory, 'events.ndjson')).size;
    output.close();
    await rm(directory, { recursive: true });
    return {
      requests: notifier.requests,
      events: Object.values(events).reduce((sum, count) => sum + count, 0),
      ...(written !== null && { diskRatio: (written - printed) / kept }),
    };
  },
};

/** Bytes that this process has handed to the disk; null where the system does not count them. */
function bytesWritten(): number | null {
  if (process.platform !== 'linux') return null;
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}
