import assert from 'node:assert/strict';
import { topics } from '../../../lambdas/events/kinds.ts';
import type { Deployment } from '../deployment.ts';
import { type Inbox, subscribeInbox } from '../inbox.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

/** A super panel is promoted without a row in the log: the sweep finds it. */
export async function checkSweep(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { checks, clients } = context;
  const { madeUp } = context.catalogues;
  const inboxOf = (topic: string): Promise<Inbox> =>
    subscribeInbox(clients, {
      name: `made-up-${topic}`,
      topicArn: deployment.outputs[`Topic${topic.charAt(0).toUpperCase()}${topic.slice(1)}`] ?? '',
      filter: { catalogue: ['made-up'] },
    });
  const inboxes = await Promise.all(topics.map(inboxOf));
  const promotions = inboxes[topics.indexOf('promotions')] as Inbox;
  const others = inboxes.filter((inbox) => inbox !== promotions);
  const act = async (kind: string): Promise<void> => {
    const address = new URL('/sandbox/act', madeUp.url);
    const response = await fetch(address, { method: 'POST', body: JSON.stringify({ kind }) });
    assert.equal(response.status, 200, await response.text());
  };

  const sweep = await startFunction(context, { deployment, name: 'sweep-made-up' });
  const poll = await startFunction(context, { deployment, name: 'poll-made-up' });
  try {
    await succeeds(poll);
    await succeeds(sweep);
    await checks.check('a first sweep keeps what is listed and publishes nothing', async () => {
      assert.deepEqual((await Promise.all(inboxes.map((inbox) => inbox.empty()))).flat(), []);
    });

    await act('promote a super panel silently');
    await succeeds(sweep);
    await checks.check('a promotion without a row is published to the topic of promotions', async () => {
      const [received, ...more] = await promotions.empty();
      assert.equal(received?.event.type, 'gene-panel.panel.promoted.v1');
      assert.ok(received && 'via' in received.event.data.change);
      assert.equal(received.event.data.change.via, 'listing');
      assert.deepEqual(more, []);
    });
    await succeeds(sweep);
    await succeeds(poll);
    await checks.check('once, also after later runs', async () => {
      assert.deepEqual(await promotions.empty(), []);
    });

    await Promise.all(others.map((inbox) => inbox.empty()));
    await act('rate');
    await succeeds(poll);
    await checks.check('an event after it carries the facts of its panel', async () => {
      const events = (await Promise.all(inboxes.map((inbox) => inbox.empty()))).flat();
      assert.ok(events.length > 0);
      for (const { event } of events) {
        const { types, relevantDisorders, signedOff } = event.data.panel ?? {};
        assert.ok(Array.isArray(types) && Array.isArray(relevantDisorders), JSON.stringify(event.data.panel));
        assert.equal(typeof signedOff, 'boolean');
      }
    });
    await checks.check('all by the rights of the two functions’ own roles', () => {
      assert.deepEqual([...sweep.guard.refused, ...poll.guard.refused], []);
    });
  } finally {
    await sweep.stop();
    await poll.stop();
  }
}

async function succeeds({ runtime }: RunningFunction): Promise<void> {
  const outcome = await runtime.invoke({});
  assert.equal(outcome.ok, true, JSON.stringify(outcome));
}
