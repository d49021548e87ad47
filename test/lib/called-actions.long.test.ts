import { expect, test } from 'vitest';
import { sourcesOfFunction } from './error-codes.ts';
import { calledBy } from './proofs/function-needs.ts';

/** How the SDK names what IAM names otherwise. */
const actionsOfCommands: Readonly<Record<string, string>> = {
  PublishBatch: 'Publish',
  DeleteObjects: 'DeleteObject',
  ListObjectsV2: 'ListBucket',
};

/** The actions of IAM for the calls in a source: `new GetItemCommand(…)`, `paginateQuery(…)`. */
const actionsIn = (source: string): readonly string[] =>
  [
    ...source.matchAll(/\bnew ([A-Z]\w+)Command\(/g),
    ...source.matchAll(/\bpaginate(Query|ListObjectsV2)\(/g),
  ].map(([, name = '']) => actionsOfCommands[name] ?? name);

/** In the bundle, and never called: `notify` reads the history, the panel states and the panel lists, and writes nothing to them. */
const uncalled: Readonly<Record<string, readonly string[]>> = {
  notify: ['BatchWriteItem', 'UpdateItem'],
  // Of the stores that poll and prove write to, it reads alone; what it keeps of people is put, replaced and removed whole.
  page: ['BatchWriteItem', 'UpdateItem'],
  // Of the same stores it reads alone, beside its lease.
  relay: ['BatchWriteItem', 'DeleteItem', 'UpdateItem'],
};

test.each(Object.entries(calledBy))('the rights of %s are those that its code uses', async (name, calls) => {
  const sources = [...(await sourcesOfFunction(`lambdas/functions/${name}/handler.ts`)).values()];
  expect([...new Set(sources.flatMap(actionsIn))].sort()).toEqual(
    [...new Set([...Object.values(calls).flat(), ...(uncalled[name] ?? [])])].sort(),
  );
});
