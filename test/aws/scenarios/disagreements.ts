import assert from 'node:assert/strict';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand } from '@aws-sdk/client-sqs';
import { createDynamoPanelStates } from '../../../lambdas/panels/dynamodb-panel-states.ts';
import { contentHash } from '../../../lambdas/panels/state-from-detail.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { instantOf } from '../../../lambdas/run/instant.ts';
import { createDynamoDocuments } from '../../../lambdas/store/items-dynamodb.ts';
import { partitionOf } from '../../../lambdas/store/table-keys.ts';
import type { Deployment } from '../deployment.ts';
import { subscribeInbox } from '../inbox.ts';
import { addresses } from '../message-settings.ts';
import { deliverBatches } from '../queue-batches.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** The digests of the scenarios before are of one day later. */
const TWO_DAYS_MS = 50 * 60 * 60 * 1000;

/** A catalogue is compared with another one of the stage, of which the checks write what a panel holds. */
export async function checkDisagreements(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { checks, clients, receivers } = context;
  const { dynamodb } = clients;
  const inbox = await subscribeInbox(clients, {
    name: 'archived-disagreements',
    topicArn: deployment.outputs.TopicDisagreements ?? '',
    filter: { catalogue: ['archived'] },
  });
  const [archived, open] = ['archived', 'open'].map((catalogue) =>
    createDynamoPanelStates({ dynamodb, table: deployment.outputs.HistoryTable ?? '', catalogue, clock }),
  );
  const functions = await Promise.all(
    ['poll-archived', 'sweep-archived', 'prove-archived', 'notify'].map((name) =>
      startFunction(context, { deployment, name }),
    ),
  );
  const [poll, sweep, prove, notify] = functions as [
    RunningFunction,
    RunningFunction,
    RunningFunction,
    RunningFunction,
  ];
  const table = prove.deployed.environment.TABLE_NAME ?? '';
  const documents = createDynamoDocuments({
    ...{ dynamodb, table, catalogue: 'archived' },
    ...{ runId: 'test', clock },
  });
  const { QueueUrl: queueUrl = '' } = await clients.sqs.send(
    new GetQueueUrlCommand({ QueueName: `${stackName}-notify` }),
  );
  const send = async (aheadMs = 0): Promise<void> => {
    await deliverBatches(clients.sqs, { queueUrl, runtime: notify.runtime });
    await done(notify, { send: 'due' }, aheadMs);
  };
  // Where another scenario read the list of panels of "open", it was empty: all of them would be hidden.
  const listing = { pk: { S: `${partitionOf('open')}#panels` }, sk: { S: 'listing' } };
  await dynamodb.send(new DeleteItemCommand({ TableName: table, Key: listing }));
  try {
    for (const each of [poll, sweep, prove]) await done(each);
    await send();
    // Trial messages, where another scenario sent some.
    for (const address of [addresses.disagreements, addresses.disagreementsDaily])
      await receivers.takeMails(address);
    await send(TWO_DAYS_MS);
    await checks.check('a digest without a disagreement says what was not compared', async () => {
      const [digest] = await receivers.takeMails(addresses.disagreementsDaily);
      assert.match(digest?.subject ?? '', /nothing found in what was read$/);
      assert.match(
        digest?.text?.replace(/\s+/g, ' ') ?? '',
        /Not compared: What the panels of open hold has not been read yet\./,
      );
    });

    const { state, notGreen } = await panelWithout(archived);
    const later = { version: '999.0', validFrom: instantOf(clock.now()), validTo: null };
    const entities = state.entities.map((each) =>
      each === notGreen ? { ...each, rating: 'green' as const } : each,
    );
    await open?.save(state);
    await done(prove);
    await checks.check('the first comparison of two panels publishes nothing', async () =>
      assert.deepEqual(await inbox.empty(), []),
    );

    const names = ['disagreements open', `disagreements open ${state.panelId} ${state.panelId}`];
    const before = await Promise.all(names.map((name) => documents.load(name)));
    const greens = state.greenCount + 1;
    await open?.save({ ...state, ...later, entities, sha256: contentHash(entities), greenCount: greens });
    await done(prove);
    await done(prove);
    const [published, ...more] = await inbox.empty();
    await checks.check('what became green in the other one is published once', () => {
      assert.deepEqual(more, []);
      const { type, data } = published?.event ?? {};
      assert.equal(type, 'gene-panel.entity.disagreement.v1');
      assert.deepEqual([data?.panel?.id, data?.entity?.name], [state.panelId, notGreen.name]);
      assert.deepEqual(data?.change && 'there' in data.change && data.change.there, {
        ...(data?.change && 'there' in data.change && data.change.there),
        ...{ rating: 'green', catalogue: 'open', name: notGreen.name },
      });
    });

    await send();
    await checks.check('the subscription to disagreements gets its message', async () => {
      const mails = await receivers.takeMails(addresses.disagreements);
      assert.equal(mails.length, 1);
      assert.match(mails[0]?.subject ?? '', new RegExp(`${notGreen.name}.*open`));
    });

    // As after the tables were restored to an earlier time.
    for (const [place, name] of names.entries()) {
      const kept = await documents.load(name);
      await documents.save(name, kept?.version ?? 0, before[place]?.body ?? '');
    }
    await done(prove);
    await send();
    await checks.check(
      'found again it has the same id and content, and gives no second message',
      async () => {
        assert.deepEqual(
          (await inbox.empty()).map(({ event }) => event),
          [published?.event],
        );
        assert.deepEqual(await receivers.takeMails(addresses.disagreements), []);
      },
    );
    await checks.check('all by the rights of the functions’ own roles', () => {
      assert.deepEqual(
        functions.flatMap(({ guard }) => [...guard.refused]),
        [],
      );
    });
  } finally {
    for (const each of functions) await each.stop();
  }
}

/** A panel that holds a gene which is not green. */
async function panelWithout(states: ReturnType<typeof createDynamoPanelStates> | undefined) {
  for (const { panelId } of (await states?.panels()) ?? []) {
    const state = await states?.newest(panelId);
    const notGreen = state?.entities.find(
      ({ rating, type }) => type === 'gene' && (rating === 'amber' || rating === 'red'),
    );
    if (state && notGreen) return { state, notGreen };
  }
  throw new Error('no panel holds an amber or red gene');
}

async function done({ runtime }: RunningFunction, event: object = {}, aheadMs = 0): Promise<void> {
  const outcome = await runtime.invoke(event, { aheadMs });
  assert.ok(outcome.ok, JSON.stringify(outcome));
}
