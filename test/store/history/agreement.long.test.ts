import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { eventKindNames, eventKinds } from '../../../lambdas/events/changes.ts';
import { kindOf, type PanelEvent } from '../../../lambdas/events/schemas.ts';
import { compileFilter, type Filter } from '../../../lambdas/filters/filter.ts';
import { policyOf } from '../../../lambdas/filters/filter-policy.ts';
import { filterSchema } from '../../../lambdas/filters/filter-schema.ts';
import { attributesOf } from '../../../lambdas/publishing/message.ts';
import { systemClock as clock } from '../../../lambdas/run/clock.ts';
import { createDynamoHistory } from '../../../lambdas/store/history/dynamodb.ts';
import type { History } from '../../../lambdas/store/history/history.ts';
import { createSqliteHistory } from '../../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { anyEvent } from '../../events/any-event.ts';
import { anyFilter } from '../../filters/any-filter.ts';
import { passes } from '../../filters/sns-policy.ts';
import { openLocalDynamoDb } from '../local-dynamodb.ts';
import { keep } from './behaviour.ts';
import { createHistoryTable } from './create-history-table.ts';

test('filters over every key give the same events on SQLite, on DynamoDB, to subscribers and in filter policies', async () => {
  const made = fc.sample(anyEvent, { seed: 3, numRuns: 500 });
  const events = [...new Map(made.map((event) => [event.id, event])).values()];
  expect(new Set(events.map(({ type }) => kindOf(type)))).toStrictEqual(new Set(eventKindNames));
  const file = openStateFile();
  onTestFinished(() => file.close());
  const stores = [createSqliteHistory(file), await dynamoHistory()];
  for (const store of stores) await keep(store, events);

  const matched = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyFilter, async (filter) => {
      const names = await (stores[0] as History).names();
      const matches = compileFilter(filter, names);
      const wanted = events
        .filter(matches)
        .map(({ id }) => id)
        .sort();
      for (const store of stores) expect(await idsIn(store, filter)).toStrictEqual(wanted);
      const matchesAlone = compileFilter(filter);
      for (const event of events) expectDelivery(filter, event, matchesAlone(event));
      for (const key of Object.keys(filter)) matched.set(key, (matched.get(key) ?? 0) + wanted.length);
    }),
    { numRuns: 200, seed: 4, examples: eachKeyAlone().map((filter) => [filter]) },
  );
  expect([...matched.keys()].sort()).toStrictEqual(Object.keys(filterSchema.shape).sort());
  for (const [, found] of matched) expect(found).toBeGreaterThan(0);
});

/** For each key of the language a filter with that key and no other; for `late` one with either value. */
function eachKeyAlone(): readonly Filter[] {
  const filters = fc.sample(anyFilter, { seed: 5, numRuns: 300 });
  const keys = Object.keys(filterSchema.shape).filter((key) => key !== 'late');
  const lists = keys.map((key) => {
    const values = filters.flatMap((filter) => (filter[key as keyof Filter] ?? []) as readonly unknown[]);
    return { [key]: values.slice(0, 3) };
  });
  return [...lists, { late: true }, { late: false }].map((filter) => filterSchema.parse(filter));
}

async function dynamoHistory(): Promise<History> {
  const { dynamodb, suffix, close } = await openLocalDynamoDb();
  onTestFinished(close);
  const table = await createHistoryTable(dynamodb, `agreement${suffix}`);
  return createDynamoHistory({ dynamodb, table, clock });
}

async function idsIn(history: History, filter: Filter): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of history.findWithoutRows({ filter })) ids.push(id);
  return ids.sort();
}

/** No event that matches is kept back by SNS, and no other is delivered where the policy says the whole filter. */
function expectDelivery(filter: Filter, event: PanelEvent, wanted: boolean): void {
  const { topic } = eventKinds[kindOf(event.type) ?? 'activity.unclassified'];
  const found = policyOf(filter, topic);
  const delivered = found !== null && passes(found.policy, attributesOf(event));
  if (wanted || found?.exact) expect({ id: event.id, topic, delivered }).toMatchObject({ delivered: wanted });
}
