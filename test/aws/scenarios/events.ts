import assert from 'node:assert/strict';
import { eventSchema, kindOf } from '../../../lambdas/events/schemas.ts';
import type { Deployment } from '../deployment.ts';
import { type Received, subscribeInbox } from '../inbox.ts';
import { classified, promoted, tagged, unrecognisedText } from '../rows.ts';
import { startPoller } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

const briefly = (received: readonly Received[]) =>
  received.map(({ event }) => `${event.type} ${event.subject}`);

/** What subscribers get, by topic and by filter, from the first poll on. */
export async function checkEvents(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { clients, checks } = context;
  const { open } = context.catalogues;
  const { outputs } = deployment;
  const topic = (name: string): string => outputs[`Topic${name}`] ?? '';
  const all = await subscribeInbox(clients, { name: 'all', topicArn: topic('Classifications') });
  const green = await subscribeInbox(clients, {
    name: 'green',
    topicArn: topic('Classifications'),
    filter: { ratingTo: ['green'], panelId: [{ numeric: ['=', 55] }] },
  });
  const promotions = await subscribeInbox(clients, { name: 'promotions', topicArn: topic('Promotions') });
  const tags = await subscribeInbox(clients, {
    name: 'tags',
    topicArn: topic('Tags'),
    filter: { entityName: ['ATM'] },
  });
  const unclassified = await subscribeInbox(clients, {
    name: 'unclassified',
    topicArn: topic('Unclassified'),
  });

  open.addRows([
    classified('2026-02-01T10:00:00.000001Z', 'BRCA1', 'Green List (high evidence)'),
    classified('2026-02-01T10:00:10Z', 'ATM', 'Red List (low evidence)'),
    promoted('2026-02-01T10:00:20.5Z', 5),
    tagged('2026-02-01T10:00:30Z', 'ATM', 'watchlist'),
    tagged('2026-02-01T10:00:40Z', 'BRCA2', 'watchlist'),
    unrecognisedText('2026-02-01T10:00:50Z'),
    classified('2026-02-01T10:01:00Z', 'BRCA1', 'Red List (low evidence)'),
  ]);
  const poller = await startPoller(context, { deployment, catalogue: 'open' });
  try {
    const first = await poller.runtime.invoke({});
    const received = await all.empty();
    await checks.check('a first poll from a given time publishes everything since then', () => {
      assert.equal(first.ok, true, JSON.stringify(first));
      assert.deepEqual(briefly(received), [
        'gene-panel.entity.classified.v1 panels/55/gene/BRCA1',
        'gene-panel.entity.classified.v1 panels/55/gene/ATM',
        'gene-panel.entity.classified.v1 panels/55/gene/BRCA1',
      ]);
    });
    await checks.check('oldest first, to the microsecond', () => {
      assert.deepEqual(
        received.map(({ event }) => event.time),
        ['2026-02-01T10:00:00.000001Z', '2026-02-01T10:00:10.000000Z', '2026-02-01T10:01:00.000000Z'],
      );
    });
    await checks.check('each a CloudEvent that its schema accepts, with a unique id', () => {
      for (const { event } of received) {
        const kind = kindOf(event.type);
        assert.ok(kind, event.type);
        eventSchema(kind).parse(event);
      }
      assert.equal(new Set(received.map(({ event }) => event.id)).size, received.length);
    });
    await checks.check('with the attributes that filters need, and no person’s name', () => {
      assert.deepEqual(received[2]?.attributes, {
        type: 'gene-panel.entity.classified.v1',
        catalogue: 'open',
        panelId: '55',
        entityType: 'gene',
        entityName: 'BRCA1',
        ratingFrom: 'green',
        ratingTo: 'red',
        direction: 'downgraded',
      });
    });
    await checks.check('a filter policy passes only matching events', async () => {
      assert.deepEqual(briefly(await green.empty()), [
        'gene-panel.entity.classified.v1 panels/55/gene/BRCA1',
      ]);
      assert.deepEqual(briefly(await tags.empty()), ['gene-panel.entity.tags-changed.v1 panels/55/gene/ATM']);
    });
    await checks.check('each family has its topic', async () => {
      assert.deepEqual(briefly(await promotions.empty()), ['gene-panel.panel.promoted.v1 panels/55']);
      const [odd, ...others] = await unclassified.empty();
      assert.equal(odd?.event.type, 'gene-panel.activity.unclassified.v1');
      assert.deepEqual(others, []);
    });
    await checks.check('the log holds metrics in the format that CloudWatch reads', () => {
      const metrics = poller.runtime.log
        .filter((line) => line.startsWith('{"_aws"'))
        .map((line) => JSON.parse(line));
      const [run] = metrics.filter((line) => 'ActivitiesRead' in line);
      assert.equal(run?._aws.CloudWatchMetrics[0].Namespace, stackName);
      assert.deepEqual(
        [run?.Catalogue, run?.ActivitiesRead, run?.SuccessfulPolls, run?.FeedCount, run?.Unclassified],
        ['open', 7, 1, 7, 1],
      );
    });

    await poller.runtime.invoke({});
    await checks.check('a poll without new rows publishes nothing', async () => {
      assert.deepEqual(briefly(await all.empty()), []);
    });
    open.addRows([classified('2026-02-01T10:02:00Z', 'PALB2', 'Green List (high evidence)')]);
    await poller.runtime.invoke({});
    await checks.check('a new row is published once, to all subscribers whose filters match', async () => {
      const expected = ['gene-panel.entity.classified.v1 panels/55/gene/PALB2'];
      assert.deepEqual(briefly(await all.empty()), expected);
      assert.deepEqual(briefly(await green.empty()), expected);
    });
    await checks.check('with only the rights of the function’s own role', () => {
      assert.deepEqual(poller.guard.refused, []);
    });
    await checks.check('and needs each of these rights', () => {
      const granted = poller.rights.flatMap(({ actions }) => actions);
      const idle = granted.filter(
        (action) => /^(dynamodb|sns):/.test(action) && !poller.guard.used.has(action),
      );
      // Of both tables: what is older than the retention is forgotten once a day, and nothing here is so old; and states that are not kept.
      // Polls share these rights with sweeps and proofs, which update the position once they have published.
      assert.deepEqual(idle, ['dynamodb:DeleteItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']);
    });
  } finally {
    await poller.stop();
  }
}
