import {
  type AttributeValue,
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import type { Clock } from '../clock/clock.ts';
import { earlier, type Instant, instantOf, later } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { factsOf } from '../subscriptions/event-facts.ts';
import { compileFilter } from '../subscriptions/filter.ts';
import { bodyIn, eventItem, type Item, timeKey } from './dynamodb-items.ts';
import { type Partition, type Source, sourcesOf } from './dynamodb-sources.ts';
import {
  type Coverage,
  type History,
  HistoryError,
  type HistoryQuery,
  type HistoryRecord,
} from './history.ts';
import { mergeOrdered } from './merge-ordered.ts';
import { withPeriod } from './periods.ts';
import { textMatcher } from './searched-words.ts';
import { COVERAGE } from './table-keys.ts';

const WRITE_ITEMS = 25;
const ATTEMPTS = 6;
const DAY_SECONDS = 86_400;

export interface DynamoHistoryOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
  /** Days for which events are kept; for ever where absent. */
  readonly retentionDays?: number;
}

/** What is kept of one catalogue: covered periods, and times of the oldest and newest event. */
interface Kept {
  readonly periods: readonly Coverage[];
  readonly oldest: Instant;
  readonly newest: Instant;
}

/** The history in DynamoDB (`dynamodb-items.ts` shows the keys). */
export function createDynamoHistory({
  dynamodb,
  table,
  clock,
  retentionDays,
}: DynamoHistoryOptions): History {
  const attempt = async <Reply>(
    action: 'Reading' | 'Writing',
    send: () => Promise<Reply>,
  ): Promise<Reply> => {
    try {
      return await send();
    } catch (cause) {
      const seen = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
      throw new HistoryError(
        `${action} the history in table "${table}": ${seen}. Nothing is lost; the next run tries again. Check that the table exists and that this role may use it.`,
        { cause },
      );
    }
  };

  const writeBatch = async (items: readonly Item[]): Promise<void> => {
    for (let at = 0; at < items.length; at += WRITE_ITEMS) {
      let left = items.slice(at, at + WRITE_ITEMS).map((Item) => ({ PutRequest: { Item } }));
      for (let tries = 1; left.length > 0; tries++) {
        const reply = await attempt('Writing', () =>
          dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [table]: left } })),
        );
        left = (reply.UnprocessedItems?.[table] ?? []) as typeof left;
        if (left.length === 0) break;
        if (tries === ATTEMPTS) {
          throw new HistoryError(
            `Writing the history in table "${table}": the table left part of the request undone ${ATTEMPTS} times. Nothing is lost; the next run tries again.`,
          );
        }
        await clock.sleep(clock.random() * 100 * 2 ** tries);
      }
    }
  };

  /** By catalogue; read once and kept, since one poller at a time writes. */
  let keptBefore: Map<string, Kept> | undefined;
  const readKept = async (): Promise<Map<string, Kept>> => {
    const kept = new Map<string, Kept>();
    for await (const item of query({ key: 'pk', value: COVERAGE }, { ascending: true })) {
      const catalogue = item.sk?.S ?? '';
      const periods = (item.periods?.L ?? []).map(({ M: period }) => ({
        catalogue,
        since: BigInt(period?.since?.N ?? 0),
        until: BigInt(period?.until?.N ?? 0),
      }));
      kept.set(catalogue, {
        periods,
        oldest: BigInt(item.oldest?.N ?? 0),
        newest: BigInt(item.newest?.N ?? 0),
      });
    }
    return kept;
  };

  const cover = async ({ catalogue, since, until }: Coverage, times: readonly Instant[]): Promise<void> => {
    // A sweep adds events and no period, while a poller may write: it takes what is there now.
    if (since === until) keptBefore = undefined;
    keptBefore ??= await readKept();
    const before = keptBefore.get(catalogue);
    const periods = withPeriod(before?.periods ?? [], { since, until }).map((period) => ({
      catalogue,
      ...period,
    }));
    const ends = [...times, ...(before ? [before.oldest, before.newest] : [since, until])];
    const kept = { periods, oldest: ends.reduce(earlier), newest: ends.reduce(later) };
    await attempt('Writing', () =>
      dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            pk: { S: COVERAGE },
            sk: { S: catalogue },
            periods: {
              L: periods.map((period) => ({
                M: { since: number(period.since), until: number(period.until) },
              })),
            },
            oldest: number(kept.oldest),
            newest: number(kept.newest),
          },
        }),
      ),
    );
    keptBefore.set(catalogue, kept);
  };

  async function* query(
    { index, key, value }: Partition,
    { ascending, from, to }: { readonly ascending: boolean; readonly from?: string; readonly to?: string },
  ): AsyncGenerator<Item> {
    let start: Item | undefined;
    do {
      const page = await attempt('Reading', () =>
        dynamodb.send(
          new QueryCommand({
            TableName: table,
            ...(index && { IndexName: index }),
            KeyConditionExpression: `#key = :key${from === undefined ? '' : ' AND sk BETWEEN :from AND :to'}`,
            ExpressionAttributeNames: { '#key': key },
            ExpressionAttributeValues: {
              ':key': { S: value },
              ...(from !== undefined && { ':from': { S: from }, ':to': { S: to ?? '' } }),
            },
            ScanIndexForward: ascending,
            ...(start && { ExclusiveStartKey: start }),
          }),
        ),
      );
      yield* page.Items ?? [];
      start = page.LastEvaluatedKey;
    } while (start);
  }

  async function* matching(
    asked: HistoryQuery,
  ): AsyncGenerator<{ event: PanelEvent; body: string; id: string }> {
    const { filter = {}, text, since, until, order, limit = Number.POSITIVE_INFINITY } = asked;
    if (limit <= 0 || (since !== undefined && until !== undefined && since >= until)) return;
    const ascending = order === 'oldest';
    const range = { ascending, from: timeKey(since ?? 0n), to: until === undefined ? '9' : timeKey(until) };
    const kept = [...(await readKept())].map(([catalogue, { oldest, newest }]) => ({
      catalogue,
      since: oldest,
      until: newest,
    }));
    const sources = sourcesOf(asked, kept).map((source) => inTurn(source, (part) => query(part, range)));
    const matches = compileFilter(filter);
    const hasText = text === undefined ? () => true : textMatcher(text);
    const now = clock.now() / 1000;
    let left = limit;
    for await (const item of mergeOrdered(sources, (one) => one.sk?.S ?? '', !ascending)) {
      // DynamoDB deletes expired items within days.
      if (Number(item.expires?.N ?? Number.POSITIVE_INFINITY) <= now) continue;
      const body = await attempt('Reading', async () => bodyIn(item));
      const event = JSON.parse(body) as PanelEvent;
      if (!matches(event) || !hasText(event)) continue;
      yield { event, body, id: event.id };
      if (--left === 0) return;
    }
  }

  return {
    async append(records, period) {
      const expires =
        retentionDays === undefined ? undefined : Math.ceil(clock.now() / 1000) + retentionDays * DAY_SECONDS;
      const kept = new Map(records.map((record) => [record.id, eventItem(record, period.until, expires)]));
      await writeBatch([...kept.values()].map(({ item }) => item));
      await cover(
        period,
        [...kept.values()].map(({ at }) => at),
      );
    },
    async *find(asked) {
      for await (const { event } of matching(asked)) yield event;
    },
    async *findWithoutRows(asked) {
      for await (const { event } of matching(asked)) {
        yield { ...event, data: { ...event.data, activities: [] } } as PanelEvent;
      }
    },
    async *findRecords(asked): AsyncGenerator<HistoryRecord> {
      for await (const { event, body, id } of matching(asked))
        yield { id, topic: factsOf(event).topic, body };
    },
    async coverage() {
      const oldest =
        retentionDays === undefined ? 0n : instantOf(clock.now() - retentionDays * DAY_SECONDS * 1000);
      const periods = [...(await readKept()).values()].flatMap((kept) => kept.periods);
      return periods
        .filter(({ until }) => until > oldest)
        .map((period) => ({ ...period, since: later(period.since, oldest) }))
        .sort((one, other) => Number(one.since - other.since) || (one.catalogue < other.catalogue ? -1 : 1));
    },
  };
}

const number = (value: bigint): AttributeValue => ({ N: String(value) });

/** The items of partitions that follow each other. */
async function* inTurn(source: Source, read: (part: Partition) => AsyncIterable<Item>): AsyncGenerator<Item> {
  for (const part of source) yield* read(part);
}
