import assert from 'node:assert/strict';
import { CreateEventBusCommand, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import { readEvents } from '../../../consumer/notifier.ts';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import type { Deployment } from '../deployment.ts';
import { subscribeInbox } from '../inbox.ts';
import { eventBus } from '../message-settings.ts';
import { deliverBatches } from '../queue-batches.ts';
import { classified } from '../rows.ts';
import { startFunction, startPoller } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** The same events on a bus of EventBridge, from a bus that does not exist yet to a rule with a target. */
export async function checkEventBus(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { checks, clients, catalogues } = context;
  const { eventBridge, sqs } = clients;
  const topicArn = deployment.outputs.TopicClassifications ?? '';
  const inbox = await subscribeInbox(clients, { name: 'beside-the-bus', topicArn });
  const { QueueUrl: queueUrl = '' } = await sqs.send(
    new GetQueueUrlCommand({ QueueName: `${stackName}-event-bus` }),
  );
  const row = (gene: string, second: number, rating: Parameters<typeof classified>[2]) =>
    classified(`2026-02-01T10:10:0${second}Z`, gene, rating);
  catalogues.open.addRows([
    row('FANCM', 1, 'Green List (high evidence)'),
    row('BARD1', 2, 'Red List (low evidence)'),
  ]);
  // SQS hides what was received for some minutes; the checks do not wait for that.
  await sqs.send(
    new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: { VisibilityTimeout: '0' } }),
  );
  const poller = await startPoller(context, { deployment, catalogue: 'open' });
  const forward = await startFunction(context, { deployment, name: 'event-bus' });
  try {
    await checks.check('a poll publishes, although the bus of the settings does not exist', async () => {
      const outcome = await poller.runtime.invoke({});
      assert.equal(outcome.ok, true, JSON.stringify(outcome));
    });
    const published = await inbox.empty();
    await checks.check('and every event stays in the queue', async () => {
      await assert.rejects(deliverBatches(sqs, { queueUrl, runtime: forward.runtime }), /were not taken in/);
    });

    await eventBridge.send(new CreateEventBusCommand({ Name: eventBus }));
    const Name = 'green-genes';
    const pattern = {
      source: [stackName],
      'detail-type': ['gene-panel.entity.classified.v1'],
      detail: { data: { catalogue: ['open'], change: { to: ['green'] } } },
    };
    await eventBridge.send(
      new PutRuleCommand({ Name, EventBusName: eventBus, EventPattern: JSON.stringify(pattern) }),
    );
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'green-genes' }));
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
    );
    const Targets = [{ Id: 'queue', Arn: Attributes.QueueArn }];
    await eventBridge.send(new PutTargetsCommand({ Rule: Name, EventBusName: eventBus, Targets }));
    await deliverBatches(sqs, { queueUrl, runtime: forward.runtime });

    await checks.check(
      'once the bus exists, a rule hands on the events that match, as they were published',
      async () => {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
        );
        const records = Messages.map(({ MessageId = '', Body = '' }) => ({
          messageId: MessageId,
          body: Body,
        }));
        const read = readEvents({ Records: records });
        const events = read.flatMap((arrival) => (arrival.kind === 'event' ? [arrival.event] : []));
        assert.equal(events.length, records.length);
        const wanted = published.map(({ event }) => event).filter(isNew);
        assert.equal(wanted.length, 1);
        assert.deepEqual(events.filter(isNew), wanted);
      },
    );
    await checks.check('with only the rights of the function’s own role', () => {
      assert.deepEqual(forward.guard.refused, []);
      assert.deepEqual([...forward.guard.used], ['events:PutEvents']);
    });
  } finally {
    await poller.stop();
    await forward.stop();
  }
}

const isNew = ({ subject }: Pick<PanelEvent, 'subject'>): boolean => subject === 'panels/55/gene/FANCM';
