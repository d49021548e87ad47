import assert from 'node:assert/strict';
import * as z from 'zod';
import { updateArchiveRecord } from '../../../lambdas/panels/archive-record.ts';
import { createDynamoPanelStates } from '../../../lambdas/panels/dynamodb-panel-states.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { createDynamoDocuments } from '../../../lambdas/store/items-dynamodb.ts';
import type { Deployment } from '../deployment.ts';
import { subscribeInbox } from '../inbox.ts';
import { laterSecond } from '../later-second.ts';
import { type RunningFunction, startFunction } from '../running-function.ts';
import type { ScenarioContext } from './scenario-context.ts';

const reportSchema = z.object({
  outcome: z.string(),
  requests: z.number(),
  proven: z.number(),
  events: z.number(),
  panelsLeft: z.number(),
  statesOff: z.boolean(),
});
const actedSchema = z.object({ done: z.array(z.object({ panel: z.object({ id: z.number() }) })).min(1) });

/** What panels hold is read, and a change that no row states is published from it. */
export async function checkStates(context: ScenarioContext, deployment: Deployment): Promise<void> {
  const { checks, clients } = context;
  const { archived } = context.catalogues;
  const inbox = await subscribeInbox(clients, {
    name: 'archived-classifications',
    topicArn: deployment.outputs.TopicClassifications ?? '',
    filter: { catalogue: ['archived'] },
  });
  const act = async (panel?: number): Promise<number> => {
    const body = JSON.stringify({ kind: 'rate a gene as administrator', panel });
    const response = await fetch(new URL('/sandbox/act', archived.url), { method: 'POST', body });
    const { done } = actedSchema.parse(await response.json());
    return done[0]?.panel.id ?? 0;
  };
  const states = createDynamoPanelStates({
    dynamodb: clients.dynamodb,
    table: deployment.outputs.HistoryTable ?? '',
    catalogue: 'archived',
    clock,
  });

  const functions = await Promise.all(
    ['poll', 'sweep', 'prove'].map((job) => startFunction(context, { deployment, name: `${job}-archived` })),
  );
  const [poll, sweep, prove] = functions as [RunningFunction, RunningFunction, RunningFunction];
  try {
    await resultOf(poll);
    await resultOf(sweep);
    const baseline = reportSchema.parse(await resultOf(prove));
    await checks.check('a first run reads each panel once, and publishes nothing', async () => {
      const kept = await states.panels();
      assert.ok(kept.length > 5);
      assert.deepEqual(
        { outcome: baseline.outcome, requests: baseline.requests >= kept.length, events: baseline.events },
        { outcome: 'done', requests: true, events: 0 },
      );
      assert.ok(kept.every(({ proof }) => proof.kind === 'baseline'));
      assert.deepEqual(await inbox.empty(), []);
    });
    await checks.check('a further run asks the catalogue for nothing', async () => {
      const { requests } = reportSchema.parse(await resultOf(prove));
      assert.equal(requests, 0);
    });

    const first = await act();
    // The archive of a version is there once the next one began.
    assert.equal(await act(first), first);
    // The relay shows panels as of the list that is kept.
    await laterSecond(archived.url);
    await resultOf(sweep);
    await resultOf(prove);
    const published = (await inbox.empty()).map(({ event }) => event);
    await checks.check(
      'a rating that no row states is published from the archive of its version',
      async () => {
        const own = published.filter(({ data }) => data.panel?.id === first);
        assert.equal(own.length, 1, JSON.stringify(published));
        assert.ok(own[0] && 'via' in own[0].data.change);
        assert.equal(own[0].data.change.via, 'snapshot');
        assert.deepEqual(own[0].data.activities, []);
        const state = await states.find(first, own[0].data.panel?.version ?? '');
        assert.deepEqual(state?.proof, { kind: 'explained', events: 1 });
        assert.match(own[0].data.entity?.hgncId ?? '', /^HGNC:\d+$/);
      },
    );
    await resultOf(prove);
    await resultOf(poll);
    await resultOf(sweep);
    await resultOf(prove);
    await checks.check('once, also after later runs', async () => {
      const later = (await inbox.empty()).map(({ event }) => event.id);
      const ids = [...published.map(({ id }) => id), ...later];
      assert.equal(new Set(ids).size, ids.length);
    });
    await checks.check(
      'states that were served no more are asked for at once where a person asks',
      async () => {
        const table = prove.deployed.environment.TABLE_NAME ?? '';
        const { dynamodb } = clients;
        const documents = createDynamoDocuments({
          dynamodb,
          table,
          catalogue: 'archived',
          runId: 'test',
          clock,
        });
        const now = clock.now();
        const off = { since: now, until: now + 7 * 24 * 3_600_000, why: 'answered HTML' };
        await updateArchiveRecord(documents, (record) => ({ ...record, off }));
        const runs = [await resultOf(prove), await resultOf(prove, { askAgain: true })];
        const [refused, asked] = runs.map((run) => reportSchema.parse(run).statesOff);
        assert.deepEqual([refused, asked], [true, false]);
      },
    );
    await checks.check('all by the rights of the three functions’ own roles', () => {
      assert.deepEqual(
        functions.flatMap(({ guard }) => [...guard.refused]),
        [],
      );
    });
  } finally {
    for (const each of functions) await each.stop();
  }
}

async function resultOf({ runtime }: RunningFunction, event: object = {}): Promise<unknown> {
  const outcome = await runtime.invoke(event);
  assert.ok(outcome.ok, JSON.stringify(outcome));
  return outcome.result;
}
