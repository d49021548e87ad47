import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PanelEvent } from '../../events/schemas.ts';
import { factsOf } from '../../filters/event-facts.ts';
import { compileFilter, type Filter } from '../../filters/filter.ts';
import { type Names, noNames } from '../../filters/names.ts';
import type { Clock } from '../../run/clock.ts';
import { instantOf, later } from '../../run/instant.ts';
import { type Item, number, text } from '../attribute-values.ts';
import { createDynamoCoverage } from './dynamodb-coverage.ts';
import { createFirstBodies } from './dynamodb-first-bodies.ts';
import { bodyIn, correctedPartition, eventItem, timeKey } from './dynamodb-items.ts';
import { createDynamoNames } from './dynamodb-names.ts';
import { type Partition, type Source, sourcesOf } from './dynamodb-sources.ts';
import { ABSENT, createHistoryTable, historyUnavailable } from './dynamodb-table.ts';
import type { History, HistoryQuery, HistoryRecord } from './history.ts';
import { mergeOrdered } from './merge-ordered.ts';
import { textMatcher } from './searched-words.ts';

const DAY_SECONDS = 86_400;

export interface DynamoHistoryOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
  /** Days for which events are kept; without end where absent. */
  readonly retentionDays?: number;
}

interface FoundEvent {
  readonly event: PanelEvent;
  readonly body: string;
}

/** Bounds of sort keys, both included, and the order in which to read. */
interface Range {
  readonly from: string;
  readonly to: string;
  readonly ascending: boolean;
}

/** The history in DynamoDB (`dynamodb-items.ts` shows the keys). */
export function createDynamoHistory(options: DynamoHistoryOptions): History {
  const { clock, retentionDays } = options;
  const table = createHistoryTable(options);
  const coverage = createDynamoCoverage(table);
  const firstBodies = createFirstBodies(table);

  const queryPartition = (
    { index, key, value }: Partition,
    { from, to, ascending }: Range,
  ): AsyncIterable<Item> =>
    table.query({
      ...(index && { IndexName: index }),
      KeyConditionExpression: '#key = :key AND sk BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#key': key },
      ExpressionAttributeValues: { ':key': text(value), ':from': text(from), ':to': text(to) },
      ScanIndexForward: ascending,
    });

  /** The items of partitions that follow each other. */
  async function* inTurn(partitions: Source, range: Range): AsyncGenerator<Item> {
    for (const partition of partitions) yield* queryPartition(partition, range);
  }

  const readBody = (item: Item): string => {
    try {
      return bodyIn(item);
    } catch (cause) {
      throw historyUnavailable(cause, { action: 'Reading', table: options.table });
    }
  };

  const names = createDynamoNames({
    table,
    clock,
    catalogues: async () => [...(await coverage.read()).keys()],
  });
  const namesFor = async ({ panels, genes }: Filter, catalogue: string | undefined): Promise<Names> =>
    genes || panels ? names.read(catalogue) : noNames;

  const correctedIn = async (catalogues: readonly string[]): Promise<ReadonlySet<string>> => {
    const ids = new Set<string>();
    for (const catalogue of catalogues) {
      const items = table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': text(correctedPartition(catalogue)) },
      });
      for await (const { sk } of items) ids.add(sk?.S ?? '');
    }
    return ids;
  };

  async function* matching(query: HistoryQuery): AsyncGenerator<FoundEvent> {
    const { filter = {}, text: words, since, until, order, limit = Number.POSITIVE_INFINITY } = query;
    if (limit <= 0 || (since !== undefined && until !== undefined && since >= until)) return;
    const ascending = order === 'oldest';
    const range = { ascending, from: timeKey(since ?? 0n), to: until === undefined ? '9' : timeKey(until) };
    const kept = [...(await coverage.read())].map(([catalogue, { oldest, newest }]) => ({
      catalogue,
      since: oldest,
      until: newest,
    }));
    const known = await namesFor(filter, query.catalogue);
    const asked = kept.flatMap(({ catalogue }) =>
      query.catalogue === undefined || query.catalogue === catalogue ? [catalogue] : [],
    );
    const corrected = await correctedIn(query.withCorrected ? [] : asked);
    const sources = sourcesOf(query, kept, known).map((source) => inTurn(source, range));
    const matches = compileFilter(filter, known);
    const hasWords = words === undefined ? () => true : textMatcher(words);
    const now = clock.now() / 1000;
    let left = limit;
    for await (const item of mergeOrdered(sources, (one) => one.sk?.S ?? '', !ascending)) {
      // DynamoDB deletes expired items within days.
      if (Number(item.expires?.N ?? Number.POSITIVE_INFINITY) <= now) continue;
      const body = readBody(item);
      const event = JSON.parse(body) as PanelEvent;
      if (corrected.has(event.id) || !matches(event) || !hasWords(event)) continue;
      yield { event, body };
      if (--left === 0) return;
    }
  }

  return {
    async append(records, period) {
      const expires =
        retentionDays === undefined ? undefined : Math.ceil(clock.now() / 1000) + retentionDays * DAY_SECONDS;
      const kept = [
        ...new Map(records.map((record) => [record.id, eventItem(record, period.until, expires)])).values(),
      ];
      await firstBodies.put(kept);
      const events = records.map(({ body }) => JSON.parse(body) as PanelEvent);
      for (const { data } of events) {
        if (data.corrects === undefined) continue;
        const pk = text(correctedPartition(data.catalogue));
        const item = {
          pk,
          sk: text(data.corrects),
          ...(expires !== undefined && { expires: number(expires) }),
        };
        await table.putIf(item, ABSENT);
      }
      await names.keep(period.catalogue, events);
      await coverage.add(
        period,
        kept.map(({ at }) => at),
      );
    },
    async bodiesOf(records) {
      const items = await firstBodies.get(records.map((record) => eventItem(record, 0n)));
      return new Map([...items].map(([id, item]) => [id, readBody(item)]));
    },
    async *find(query) {
      for await (const { event } of matching(query)) yield event;
    },
    async *findWithoutRows(query) {
      for await (const { event } of matching(query)) {
        yield { ...event, data: { ...event.data, activities: [] } } as PanelEvent;
      }
    },
    async *findRecords(query): AsyncGenerator<HistoryRecord> {
      for await (const { event, body } of matching({ ...query, withCorrected: true })) {
        yield { id: event.id, topic: factsOf(event).topic, body };
      }
    },
    names: () => names.read(),
    entityKeys: async () => null,
    states: async () => null,
    async coverage() {
      const oldest =
        retentionDays === undefined ? 0n : instantOf(clock.now() - retentionDays * DAY_SECONDS * 1000);
      const periods = [...(await coverage.read()).values()].flatMap((catalogue) => catalogue.periods);
      return periods
        .filter(({ until }) => until > oldest)
        .map((period) => ({ ...period, since: later(period.since, oldest) }))
        .sort((one, other) => Number(one.since - other.since) || (one.catalogue < other.catalogue ? -1 : 1));
    },
  };
}
