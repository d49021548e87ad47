import { hash } from 'node:crypto';
import { type EventKindName, eventKindNames } from '../../events/changes.ts';
import type { PanelEvent } from '../../events/schemas.ts';
import { compileFilter, factsOf, normalized } from '../../filters/filter.ts';
import { possibleKinds } from '../../filters/filter-policy.ts';
import { isHgncId, type Names, noNames } from '../../filters/names.ts';
import { DAY_SECONDS } from '../../run/clock.ts';
import { inGroups } from '../../run/in-groups.ts';
import { earlier, type Instant, instantOf, later } from '../../run/instant.ts';
import {
  ABSENT,
  createTable,
  type DynamoTable,
  type Item,
  type ItemKey,
  type ItemQuery,
  keyItem,
  number,
  text,
} from '../dynamodb-table.ts';
import { historyIndexes, timeKey } from '../table-keys.ts';
import { createDynamoCoverage } from './dynamodb-coverage.ts';
import {
  bodyIn,
  changedPartition,
  correctedPartition,
  createDynamoNames,
  type DynamoHistoryOptions,
  eventItem,
  idIn,
  idKey,
  indexValue,
  type KeptEvent,
  monthKey,
  monthsBetween,
  panelOf,
  WITHOUT_ID,
  wasRecorded,
} from './dynamodb-items.ts';
import {
  type Coverage,
  type History,
  HistoryError,
  type HistoryQuery,
  type HistoryRecord,
  textMatcher,
  withoutRows,
} from './history.ts';

interface FoundEvent {
  readonly event: PanelEvent;
  readonly body: string;
  /** Seconds since the epoch after which the event counts as removed; absent where it is kept without end. */
  readonly expires?: number;
}

/**
 * The events of each panel, for what is kept by panel and follows them.
 * @throws {HistoryError} from every method, when the store cannot be read
 */
export interface PanelEvents {
  /**
   * The panels of events that were recorded since an instant, of every catalogue, and when the last ones were; only that where no
   * instant is given.
   */
  changedSince(since: Instant | null): Promise<{
    readonly panels: ReadonlySet<ReturnType<typeof panelOf>>;
    readonly last: Instant;
  }>;
  /**
   * The events of some kinds on some panels, or on every one, oldest first and with empty `activities`, each with when it expires. An
   * index shows an event some time after it was recorded.
   */
  eventsOf(
    panels: ReadonlySet<ReturnType<typeof panelOf>> | null,
    types: readonly EventKindName[],
  ): AsyncIterable<Omit<FoundEvent, 'body'>>;
}

/** The history in DynamoDB (`dynamodb-items.ts` shows the keys). */
export function createDynamoHistory(options: DynamoHistoryOptions): History & PanelEvents {
  const { clock, retentionDays, asOf } = options;
  const table = createTable(options, {
    where: `the history in table "${options.table}"`,
    unchanged: 'Nothing is lost',
    failed: (...error) => new HistoryError(...error),
  });
  // DynamoDB deletes expired items within days.
  const isExpired = ({ expires }: Item): boolean =>
    Number(expires?.N ?? Number.POSITIVE_INFINITY) <= clock.now() / 1000;
  const coverage = createDynamoCoverage(table, { ...options, isExpired });
  const firstBodies = createFirstBodies(table);

  /** @param range bounds of sort keys, both included, and the order in which to read */
  async function* inTurn(partitions: Source, range: Pick<ItemQuery, 'from' | 'to' | 'newestFirst'>) {
    for (const { index: name, key, value } of partitions)
      yield* table.query({ pk: value, ...range, index: { name, key }, consistent: false });
  }

  const readBody = (item: Item): string => {
    try {
      return bodyIn(item);
    } catch (cause) {
      throw table.unreadable(cause);
    }
  };

  const names = createDynamoNames(table, options, async () => (await coverage.read()).keys());

  const correctedIn = async (catalogues: readonly string[]): Promise<ReadonlySet<string>> => {
    const ids = new Set<string>();
    for (const catalogue of catalogues) {
      const items = table.query({ pk: correctedPartition(catalogue), consistent: false });
      for await (const item of items) if (wasRecorded(item, asOf)) ids.add(item.sk?.S ?? '');
    }
    return ids;
  };

  async function* matching(
    query: HistoryQuery,
    panels: Parameters<PanelEvents['eventsOf']>[0] = null,
  ): AsyncGenerator<FoundEvent> {
    const { filter = {}, text: words, since, until, order, limit = Number.POSITIVE_INFINITY } = query;
    if (limit <= 0 || (since !== undefined && until !== undefined && since >= until)) return;
    const newestFirst = order !== 'oldest';
    const range = { newestFirst, from: timeKey(since ?? 0n), to: until === undefined ? '9' : timeKey(until) };
    const kept = [...(await coverage.read())].map(([catalogue, { oldest, newest }]) => ({
      ...{ catalogue, since: oldest, until: newest },
    }));
    const known = filter.genes || filter.panels ? await names.read(query.catalogue) : noNames;
    const asked = kept.map(({ catalogue }) => catalogue).filter((one) => one === (query.catalogue ?? one));
    const corrected = await correctedIn(query.withCorrected ? [] : asked);
    const places: readonly Source[] = panels
      ? asked.flatMap((catalogue) => [...panels].map((panel) => [partition('panel', catalogue, panel)]))
      : sourcesOf(query, kept, known);
    const sources = places.map((source) => inTurn(source, range));
    const matches = compileFilter(filter, known);
    const hasWords = words === undefined ? () => true : textMatcher(words);
    let left = limit;
    for await (const item of mergeOrdered(sources, newestFirst)) {
      if (isExpired(item) || !wasRecorded(item, asOf)) continue;
      const body = readBody(item);
      const event = JSON.parse(body) as PanelEvent;
      if (corrected.has(event.id) || !matches(event) || !hasWords(event)) continue;
      yield { event, body, ...(item.expires && { expires: Number(item.expires.N) }) };
      if (--left === 0) return;
    }
  }

  return {
    async append(records, period) {
      const expires =
        retentionDays === undefined ? undefined : Math.ceil(clock.now() / 1000) + retentionDays * DAY_SECONDS;
      // What is appended together is known from one instant on: the period is never known without its events.
      const recorded = instantOf(clock.now());
      const marks = {
        recorded: number(recorded),
        ...(expires !== undefined && { expires: number(expires) }),
      };
      const byId = new Map(records.map((record) => [record.id, eventItem(record, period.until, marks)]));
      const kept = [...byId.values()];
      const events = records.map(({ body }) => JSON.parse(body) as PanelEvent);
      const panels = JSON.stringify([...new Set(events.map(panelOf))]);
      // Written first: what follows the events must miss none of them, and reads those again that were recorded a short time ago.
      if (events.length > 0)
        await table.put({
          pk: text(changedPartition(period.catalogue)),
          sk: text(`${timeKey(recorded)}#${hash('sha256', JSON.stringify(records.map(({ id }) => id)))}`),
          ...marks,
          value: text(panels),
        });
      await firstBodies.put(kept);
      for (const { data } of events) {
        if (data.corrects === undefined) continue;
        const key = { pk: correctedPartition(data.catalogue), sk: data.corrects };
        await table.putIf({ ...keyItem(key), ...marks }, ABSENT);
      }
      await names.keep(period.catalogue, events, recorded);
      const times = kept.map(({ at }) => at);
      await coverage.add(period, times, marks);
    },
    async bodiesOf(records) {
      const items = await firstBodies.get(records.map((record) => eventItem(record, 0n)));
      return new Map([...items].map(([id, item]) => [id, readBody(item)]));
    },
    async *find(query) {
      for await (const { event } of matching(query)) yield event;
    },
    async *findWithoutRows(query) {
      for await (const { event } of matching(query)) yield withoutRows(event);
    },
    async *findRecords(query): AsyncGenerator<HistoryRecord> {
      for await (const { event, body } of matching({ ...query, withCorrected: true })) {
        yield { id: event.id, topic: factsOf(event).topic, body };
      }
    },
    async changedSince(since) {
      const panels = new Set<ReturnType<typeof panelOf>>();
      let last = 0n;
      for (const catalogue of (await coverage.read()).keys()) {
        const range = since === null ? { newestFirst: true, limit: 1 } : { from: timeKey(since) };
        for await (const { sk, value } of table.query({ pk: changedPartition(catalogue), ...range })) {
          last = later(last, BigInt(sk?.S?.split('#')[0] ?? 0));
          for (const panel of JSON.parse(value?.S ?? '[]')) panels.add(panel);
        }
      }
      return { panels, last };
    },
    async *eventsOf(panels, types) {
      for await (const { event, expires } of matching({ filter: { types }, order: 'oldest' }, panels))
        yield { event: withoutRows(event), ...(expires !== undefined && { expires }) };
    },
    names: (_whose, catalogue) => names.read(catalogue),
    entityKeys: async () => null,
    states: async () => null,
    async coverage() {
      return [...(await coverage.read()).values()]
        .flatMap(({ periods }) => periods)
        .sort((one, other) => Number(one.since - other.since) || (one.catalogue < other.catalogue ? -1 : 1));
    },
  };
}

const PARALLEL = 16;

/**
 * Keeps one item for each id. The key of an item begins with the time of its event. Where the id leaves that time open,
 * another item remembers the first key: it is written first, so that a second event of the id gets the same key.
 */
function createFirstBodies(table: DynamoTable) {
  const keyIn = ({ monthKey, timeKey }: Item): ItemKey => ({ pk: monthKey?.S ?? '', sk: timeKey?.S ?? '' });

  const firstKeyOf = async ({ item, key }: KeptEvent): Promise<ItemKey> => {
    const place = idKey(key.pk, idIn(key));
    const first = { ...keyItem(place), monthKey: text(key.pk), timeKey: text(key.sk) };
    const isFirst = await table.putIf({ ...first, ...(item.expires && { expires: item.expires }) }, ABSENT);
    if (isFirst) return key;
    return keyIn((await table.get(place)) ?? first);
  };

  return {
    async put(events: readonly KeptEvent[]): Promise<void> {
      await inGroups(PARALLEL, events, async (event) => {
        const key = event.hasOpenTime ? await firstKeyOf(event) : event.key;
        await table.putIf({ ...event.item, ...keyItem(key) }, ABSENT);
      });
    },
    /** The items that are kept under the ids of these events, by id. */
    async get(events: readonly KeptEvent[]): Promise<ReadonlyMap<string, Item>> {
      const open = events.filter(({ hasOpenTime }) => hasOpenTime);
      const firstKeys = await table.getAll(open.map(({ key }) => idKey(key.pk, idIn(key))));
      const keys = [...events.map(({ key }) => key), ...[...firstKeys.values()].map(keyIn)];
      const once = [...new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key])).values()];
      const items = await table.getAll(once);
      return new Map([...items.values()].map((item) => [idIn({ sk: item.sk?.S ?? '' }), item]));
    },
  };
}

/**
 * Merges sources that are each ordered by their sort keys into one with the same order; items of one key are given once.
 * Of each source, only as much is read as is needed.
 */
async function* mergeOrdered(
  sources: readonly AsyncGenerator<Item>[],
  descending: boolean,
): AsyncGenerator<Item> {
  const keyOf = ({ sk }: Item): string => sk?.S ?? '';
  const heads: { readonly from: AsyncGenerator<Item>; item: Item; key: string }[] = [];
  for (const from of sources) {
    const { done, value } = await from.next();
    if (!done) heads.push({ from, item: value, key: keyOf(value) });
  }
  const isBefore = (one: string, other: string): boolean => (descending ? one > other : one < other);
  let given: string | undefined;
  while (heads.length > 0) {
    const head = heads.reduce((first, next) => (isBefore(next.key, first.key) ? next : first));
    if (head.key !== given) yield head.item;
    given = head.key;
    const { done, value } = await head.from.next();
    if (done) heads.splice(heads.indexOf(head), 1);
    else [head.item, head.key] = [value, keyOf(value)];
  }
}

/** One partition of the table or of an index; the events asked for are in the partitions of one of the sources. */
interface Partition {
  readonly index?: string;
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
  const kinds = possibleKinds(wanted);
  return catalogues.flatMap((period) => {
    const { catalogue } = period;
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
