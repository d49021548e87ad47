import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { request } from 'undici';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { systemClock as clock } from '../../lambdas/clock/clock.ts';
import { minutes } from '../../lambdas/clock/instant.ts';
import { anonymous } from '../../lambdas/http/access.ts';
import { silentLog as log } from '../../lambdas/log/log.ts';
import { poll } from '../../lambdas/poll/poll.ts';
import { createPublisher } from '../../lambdas/publishing/publisher.ts';
import { createSnsClient } from '../../lambdas/publishing/sns-client.ts';
import { createStateStore } from '../../lambdas/state/dynamodb.ts';
import { snsRegion } from '../../sandbox/sns/endpoint.ts';
import { createMemoryStore, emptyTable } from '../state/memory-store.ts';

/** One way through a backlog, in a process of its own, so that its memory is its own. */
interface Given {
  readonly mode: 'parse' | 'publish' | 'local';
  readonly rows: number;
  readonly catalogue: string;
  readonly dynamodb: string;
  readonly table: string;
  readonly sns: string;
  readonly topicArns: Parameters<typeof createPublisher>[0]['topicArns'];
}

export interface BacklogRun {
  readonly milliseconds: number;
  readonly cpuMilliseconds: number;
  readonly peakMegabytes: number;
  readonly requests: number;
  readonly events: number;
}

process.on('message', async (given: Given) => {
  const started = clock.now();
  const cpu = process.cpuUsage();
  const { requests, events } = await ways[given.mode](given);
  const { user, system } = process.cpuUsage(cpu);
  process.send?.({
    milliseconds: clock.now() - started,
    cpuMilliseconds: (user + system) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    requests,
    events,
  } satisfies BacklogRun);
  process.disconnect();
});

interface Way {
  readonly requests: number;
  readonly events: number;
}

const ways: Readonly<Record<Given['mode'], (given: Given) => Promise<Way>>> = {
  parse: async ({ catalogue, rows }) => {
    const pages = Math.ceil(rows / 100);
    let parsed = 0;
    for (let page = pages; page >= 1; page--) {
      const { body } = await request(`${catalogue}/api/v1/activities/?page=${page}`);
      parsed += (JSON.parse(await body.text()) as { results: unknown[] }).results.length;
    }
    return { requests: pages, events: parsed };
  },
  publish: async (given) =>
    publish(given, {
      store: createMemoryStore(emptyTable(), async () => {}),
      publisher: { publish: async () => [] },
    }),
  local: async (given) => {
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const dynamodb = new DynamoDBClient({ endpoint: given.dynamodb, region: 'local', credentials });
    const sns = createSnsClient({ endpoint: given.sns, region: snsRegion, credentials });
    return publish(given, {
      store: createStateStore({ dynamodb, table: given.table, catalogue: 'bench', runId: 'bench', clock }),
      publisher: createPublisher({ sns, topicArns: given.topicArns, clock, log }),
    });
  },
};

async function publish(
  { catalogue: baseUrl }: Given,
  kept: Pick<Parameters<typeof poll>[0], 'store' | 'publisher'>,
): Promise<Way> {
  const catalogue = createCatalogue({ baseUrl, access: anonymous, clock, log });
  let events = 0;
  await poll({
    ...kept,
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
}
