import assert from 'node:assert/strict';
import { GetQueueUrlCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { startRun } from '../asynchronous.ts';
import type { Deployment } from '../deployment.ts';
import { subscribeInbox } from '../inbox.ts';
import { classified } from '../rows.ts';
import { startPoller } from '../running-function.ts';
import { stackName } from '../stage.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** A catalogue that is down: the run becomes a dead letter, and nothing is lost. */
export async function checkFailure(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { clients, checks } = context;
  const { open } = context.catalogues;
  const inbox = await subscribeInbox(clients, {
    name: 'after-failure',
    topicArn: deployment.outputs.TopicClassifications ?? '',
  });
  const poller = await startPoller(context, { deployment, catalogue: 'open' });
  try {
    open.addRows([classified('2026-02-01T10:10:00Z', 'CHEK2', 'Green List (high evidence)')]);
    open.fail({ kind: 'status', status: 403 }, { times: 1000 });
    await checks.check('a run that fails twice goes to the queue of failed runs', async () => {
      const outcome = await startRun(poller.runtime, { deployed: poller.deployed, clients });
      assert.equal(outcome.ok, false);
      const { QueueUrl } = await clients.sqs.send(
        new GetQueueUrlCommand({ QueueName: `${stackName}-failed-runs` }),
      );
      const { Messages = [] } = await clients.sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
      );
      assert.equal(Messages.length, 1);
      const letter = JSON.parse(Messages[0]?.Body ?? '');
      assert.equal(letter.requestContext.approximateInvokeCount, 2);
      assert.match(letter.responsePayload.errorType, /^Catalogue/);
    });
    await checks.check(
      'nothing was published meanwhile, and everything is published afterwards',
      async () => {
        assert.deepEqual(await inbox.empty(), []);
        open.clearFaults();
        const outcome = await startRun(poller.runtime, { deployed: poller.deployed, clients });
        assert.equal(outcome.ok, true, JSON.stringify(outcome));
        const received = await inbox.empty();
        assert.deepEqual(
          received.map(({ event }) => event.subject),
          ['panels/55/gene/CHEK2'],
        );
      },
    );
  } finally {
    await poller.stop();
  }
}
