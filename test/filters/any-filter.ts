import fc from 'fast-check';
import { directions, eventKindNames, ratings } from '../../lambdas/events/changes.ts';
import { topics } from '../../lambdas/events/kinds.ts';
import { entityTypes, typeName } from '../../lambdas/events/schemas.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { filterSchema } from '../../lambdas/filters/filter-schema.ts';
import { greenTurnNames } from '../../lambdas/filters/green-turn.ts';
import { pools } from '../events/any-event.ts';

const some = <Value>(values: readonly Value[]): fc.Arbitrary<Value[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

/** As a laboratory keeps it in a file: more names than a key or a query takes. */
const manyGenes = Array.from({ length: 3_000 }, (_, at) => `GENE${at}`);
const genes = fc
  .tuple(some(pools.entityNames), fc.boolean())
  .map(([names, many]) => (many ? [...manyGenes, ...names] : names));

/** A filter with a few keys, whose values come from the pools of `anyEvent`. */
export const anyFilter: fc.Arbitrary<Filter> = fc
  .record(
    {
      catalogues: some(pools.catalogues),
      panels: some([...pools.panelIds, ...pools.panelNames]),
      panelTypes: some(pools.panelTypes),
      rCodes: some(['R59', 'R59.3', 'R5', 'R208', 'r54']),
      genes,
      entityTypes: some(entityTypes),
      topics: some(topics),
      types: some([...eventKindNames, ...eventKindNames.map(typeName)]),
      from: some([...ratings, 'unknown']),
      to: some([...ratings, 'unknown']),
      direction: some(directions),
      green: some(greenTurnNames),
      inheritanceFrom: some(['mono', 'BI', 'unknown', ...pools.modes]),
      inheritanceTo: some(['both', 'x', ...pools.modes]),
      tags: some(pools.tags),
      actors: some(pools.actors.filter(Boolean)),
      late: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((filter) => Object.entries(filter))
  .chain((entries) => fc.subarray(entries, { maxLength: Math.min(4, entries.length) }))
  .map((entries) => filterSchema.parse(Object.fromEntries(entries)));
