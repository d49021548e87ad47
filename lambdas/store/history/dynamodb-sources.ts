import { eventKindNames, eventKinds } from '../../events/changes.ts';
import { isHgncId } from '../../filters/entity-names.ts';
import { type NormalizedFilter, normalized } from '../../filters/filter.ts';
import { kindsOfKeys } from '../../filters/filter-policy.ts';
import { type Names, noNames } from '../../filters/names.ts';
import { earlier, later } from '../../run/instant.ts';
import { indexValue, monthKey, monthsBetween, WITHOUT_ID } from './dynamodb-items.ts';
import type { Coverage, HistoryQuery } from './history.ts';
import { historyIndexes } from './table-keys.ts';

/** One partition of the table or of an index; the events asked for are in the partitions of one of the sources. */
interface Partition {
  /** Name of the index; the table itself where absent. */
  readonly index?: string;
  /** Name of the partition key. */
  readonly key: string;
  readonly value: string;
}

/** Partitions that are read one after the other, in the order of the query. */
export type Source = readonly Partition[];

/** More values than these are left to the compiled filter: reading the months costs less. */
const MOST_VALUES = 20;

/**
 * Where the events of a query are: with genes, panels or types, in the partitions of an index, else in the months.
 * `kept` has, for each catalogue, the times of its oldest and newest event.
 */
export function sourcesOf(
  query: HistoryQuery,
  kept: readonly Coverage[],
  known: Names = noNames,
): readonly Source[] {
  const wanted = normalized(query.filter ?? {}, known);
  const catalogues = kept.filter(
    ({ catalogue }) =>
      (query.catalogue === undefined || query.catalogue === catalogue) &&
      (wanted.catalogues === undefined || wanted.catalogues.includes(catalogue)),
  );
  return catalogues.flatMap((period) => {
    const { catalogue } = period;
    const kinds = kindsOf(wanted);
    // Events are kept under the name of their entity, not under its id.
    const names = wanted.possibleGenes?.filter((name) => !isHgncId(name));
    if (few(names) && !query.filter?.genes?.some(isHgncId)) {
      // A replaced symbol is kept under one of its names.
      return [
        ...names.map((name) => [partition('entity', catalogue, name)]),
        [partition('kind', catalogue, 'entity.renamed')],
      ];
    }
    if (few(wanted.panelIds) && wanted.panelNames?.length === 0) {
      return [...wanted.panelIds, WITHOUT_ID].map((id) => [partition('panel', catalogue, id)]);
    }
    if (kinds && kinds.length < eventKindNames.length) {
      return kinds.map((kind) => [partition('kind', catalogue, kind)]);
    }
    return [monthsOf(query, period)];
  });
}

function few<Value>(values: readonly Value[] | undefined): values is readonly Value[] {
  return values !== undefined && values.length <= MOST_VALUES;
}

function partition(key: keyof typeof historyIndexes, catalogue: string, value: string | number): Partition {
  return { index: historyIndexes[key], key, value: indexValue(catalogue, value) };
}

function monthsOf({ since, until, order }: HistoryQuery, kept: Coverage): Source {
  const from = since === undefined ? kept.since : later(since, kept.since);
  const to = until === undefined ? kept.until : earlier(until, kept.until);
  const months = monthsBetween(from, to).map((at) => ({ key: 'pk', value: monthKey(kept.catalogue, at) }));
  return order === 'oldest' ? months : months.reverse();
}

/** The kinds that topics and types leave; ratings and directions are those of `entity.classified` alone. */
function kindsOf(wanted: NormalizedFilter): readonly string[] | undefined {
  const { kinds, topics, from, to, direction } = wanted;
  const possible = [
    kinds,
    topics && eventKindNames.filter((kind) => topics.includes(eventKinds[kind].topic)),
    ...kindsOfKeys(wanted),
    (from ?? to ?? direction) && (['entity.classified'] as const),
  ].filter((some) => some !== undefined);
  if (possible.length === 0) return undefined;
  return eventKindNames.filter((kind) => possible.every((some) => some.some((one) => one === kind)));
}
