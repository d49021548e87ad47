import { request } from 'undici';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';
import { createMemoryStore, emptyTable } from '../store/memory-store.ts';
import { peakMegabytes } from './peak-memory.ts';

/** One way through a backlog, in a process of its own, so that its memory is its own. */
/** What one run of the backlog does. */
export interface BacklogTask {
  readonly mode: 'parse' | 'publish';
  readonly rows: number;
  readonly catalogue: string;
}

export interface BacklogRun {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
  readonly requests: number;
  readonly events: number;
}

process.on('message', async (given: BacklogTask) => {
  const started = clock.now();
  const cpu = process.cpuUsage();
  const { requests, events } = await ways[given.mode](given);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    milliseconds: clock.now() - started,
    cpuMilliseconds: (user + system) / 1000,
    peakMegabytes: peakMegabytes(),
    requests,
    events,
  } satisfies BacklogRun);
  process.disconnect();
});

interface Way {
  readonly requests: number;
  readonly events: number;
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
};
