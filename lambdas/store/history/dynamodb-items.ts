import { hash } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { PanelEvent } from '../../events/schemas.ts';
import { factsOf } from '../../filters/filter.ts';
import { createNameBook, type NameBook, nameKey, namingsOf } from '../../filters/names.ts';
import type { Clock } from '../../run/clock.ts';
import { inGroups } from '../../run/in-groups.ts';
import { formatInstant, type Instant, millisecondsOf, parseInstant } from '../../run/instant.ts';
import {
  ABSENT,
  type DynamoTable,
  type Item,
  type ItemKey,
  keyItem,
  number,
  text,
} from '../dynamodb-table.ts';
import { historyPartitions, timeKey } from '../table-keys.ts';
import type { HistoryRecord } from './history.ts';
import { hasOpenTime } from './read-part.ts';

/**
 * The partition of the month in which an instant lies. The table's items: a month of one catalogue is one partition, ordered
 * by time. Three indexes answer the most frequent queries without a scan:
 *
 *     pk  uk#2026-11     sk  <time>#<id>    an event
 *     panel   uk#3       sk  <time>#<id>    index byPanel
 *     entity  uk#brca1   sk  <time>#<id>    index byEntity
 *     kind    uk#entity.classified          index byKind
 *     pk  uk#ids         sk  <id>           where the event of that id is kept, if its id leaves the time open
 *     pk  uk#corrected   sk  <id>           an event that another one corrects
 *     pk  uk#names       sk  panel#3#<name> a name of a panel
 *     pk  uk#changed     sk  <recorded>#<hash>  the panels of events that were appended together
 *     pk  coverage       sk  uk             the periods that the history covers
 *     pk  uk#read        sk  <recorded>#<since>#<until>  a period that was added to them
 *
 * `recorded` is when an item was written, in microseconds, and `expires` when DynamoDB deletes it, in seconds; most have none.
 */
export const monthKey = (catalogue: string, at: Instant): string =>
  `${historyPartitions(catalogue)}${formatInstant(at).slice(0, 7)}`;

/** An index key has at most 2,048 bytes; the compiled filter distinguishes names that are equal up to this length. */
const LONGEST_NAME = 500;
/** What an index has instead of a panel's id, where the event gives none. */
export const WITHOUT_ID = 'none';
/** The value under which an index finds the events of a panel, entity or kind. */
export const indexValue = (catalogue: string, value: string | number): string =>
  `${historyPartitions(catalogue)}${String(value).slice(0, LONGEST_NAME)}`;

/** An event as it is to be kept. */
export interface KeptEvent {
  readonly item: Item;
  readonly at: Instant;
  /** Its place: the month, and the time with the id. */
  readonly key: ItemKey;
  /** Whether the same id may come with another time. */
  readonly hasOpenTime: boolean;
}

/** @param marks when the item is recorded, and when it expires */
export function eventItem({ id, body }: HistoryRecord, untimed: Instant, marks: Item = {}): KeptEvent {
  const event = JSON.parse(body) as PanelEvent;
  const { catalogue, panelId, entityNames, kind } = factsOf(event);
  const at = parseInstant(event.time) ?? untimed;
  const [name] = entityNames;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  const key = { pk: monthKey(catalogue, at), sk: `${timeKey(at)}#${id}` };
  return {
    at,
    key,
    hasOpenTime: hasOpenTime(event),
    item: {
      ...keyItem(key),
      kind: text(indexValue(catalogue, kind)),
      // A deleted panel has no id; its events are found by name.
      panel: text(indexValue(catalogue, panelId ?? WITHOUT_ID)),
      ...(name && { entity: text(indexValue(catalogue, name)) }),
      body: { B: brotliCompressSync(body, { params }) },
      ...marks,
    },
  };
}

/** @throws {Error} when the item is damaged */
export function bodyIn(item: Item): string {
  return brotliDecompressSync(item.body?.B ?? new Uint8Array()).toString('utf8');
}

/** Whether an item was recorded by an instant; every one was by now, where that is absent. */
export const wasRecorded = ({ recorded }: Item, asOf: Instant | undefined): boolean =>
  asOf === undefined || Number(recorded?.N ?? Number.POSITIVE_INFINITY) <= Number(asOf);

/** Where the item lies that says where the event of an id is kept. */
export const idKey = (pk: string, id: string): ItemKey => ({
  pk: `${pk.slice(0, pk.indexOf('#'))}#ids`,
  sk: id,
});

/** The partition with the ids of the events of a catalogue that others correct. */
export const correctedPartition = (catalogue: string): string => `${historyPartitions(catalogue)}corrected`;

/** The partition that says which panels of a catalogue have new events, by when these were recorded. */
export const changedPartition = (catalogue: string): string => `${historyPartitions(catalogue)}changed`;

/** The panel of an event as the index of panels has it. */
export const panelOf = ({ data: { panel } }: PanelEvent): number | typeof WITHOUT_ID =>
  panel?.id ?? WITHOUT_ID;

/** The id of an item's event. */
export const idIn = ({ sk }: Pick<ItemKey, 'sk'>): string => sk.slice(sk.indexOf('#') + 1);

/** The first instants of the months from one instant to another, both included. */
export function monthsBetween(since: Instant, until: Instant): readonly Instant[] {
  const months: Instant[] = [];
  const date = new Date(millisecondsOf(since));
  const last = millisecondsOf(until);
  for (let at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth()); at <= last; ) {
    months.push(BigInt(at) * 1000n);
    const next = new Date(at);
    at = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1);
  }
  return months;
}

export interface DynamoHistoryOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
  readonly clock: Clock;
  /** Days for which events are kept; without end where absent. Who only reads need not know it. */
  readonly retentionDays?: number;
  /** Reads the history as it was at this instant, by when each item was recorded; as it is where absent. */
  readonly asOf?: Instant | undefined;
}

/** How long names that were read are used, in milliseconds. */
const KEPT_FOR = 60_000;

/** A sort key has at most 1,024 bytes. */
const LONGEST_KEY = 150;
const PARALLEL = 16;

/**
 * The names in the history's table: an item for each name of a panel, for each renaming of an entity, and for each symbol of a gene.
 * @param catalogues those that the history has
 */
export function createDynamoNames(
  table: DynamoTable,
  { clock, asOf }: Pick<DynamoHistoryOptions, 'clock' | 'asOf'>,
  catalogues: () => Promise<Iterable<string>>,
) {
  /** By catalogue; of all under the empty text. */
  const read = new Map<string, { readonly names: NameBook; readonly at: number }>();
  /** The sort keys of the items, as far as this process knows, by catalogue. */
  const kept = new Map<string, Set<string>>();

  const itemsOf = (catalogue: string): AsyncIterable<Item> =>
    table.query({ pk: partitionOf(catalogue), consistent: false });

  const keptOf = async (catalogue: string): Promise<Set<string>> => {
    const known = kept.get(catalogue);
    if (known) return known;
    const keys = new Set<string>();
    for await (const { sk } of itemsOf(catalogue)) keys.add(sk?.S ?? '');
    kept.set(catalogue, keys);
    return keys;
  };

  return {
    /** Keeps the names that events of one catalogue give. */
    async keep(catalogue: string, events: readonly PanelEvent[], recorded: Instant): Promise<void> {
      if (events.length === 0) return;
      const keys = await keptOf(catalogue);
      const items = new Map(events.flatMap(namingsIn));
      const fresh = [...items].filter(([sk]) => !keys.has(sk));
      if (fresh.length === 0) return;
      const pk = partitionOf(catalogue);
      await inGroups(PARALLEL, fresh, ([sk, naming]) => {
        const value = text(JSON.stringify(naming));
        return table.putIf({ ...keyItem({ pk, sk }), recorded: number(recorded), value }, ABSENT);
      });
      for (const [sk] of fresh) keys.add(sk);
      read.clear();
    },
    /** The names of one catalogue, or of every one: a function may read its own alone. */
    async read(only?: string): Promise<NameBook> {
      const known = read.get(only ?? '');
      if (known && clock.now() - known.at < KEPT_FOR) return known.names;
      const book = createNameBook();
      for (const catalogue of only === undefined ? await catalogues() : [only]) {
        for await (const item of itemsOf(catalogue)) if (wasRecorded(item, asOf)) learnItem(book, item);
      }
      read.set(only ?? '', { names: book, at: clock.now() });
      return book;
    },
  };
}

type Namings = ReturnType<typeof namingsOf>;
/** What an item holds: one of these. */
interface KeptNaming {
  readonly naming?: Namings['namings'][number];
  readonly renaming?: Namings['renamings'][number];
  readonly identity?: Namings['identities'][number];
}

/** The items, by their sort keys, of the names that an event gives. */
function namingsIn(event: PanelEvent): readonly (readonly [sk: string, KeptNaming])[] {
  const { namings, renamings, identities } = namingsOf(event);
  return [
    ...namings.map((naming) => [`panel#${naming.id}#${sortKeyOf(naming.name)}`, { naming }] as const),
    ...renamings.map((renaming) => {
      const names = [renaming.from, renaming.to].map(sortKeyOf).join('#');
      return [`renaming#${renaming.panelId}#${names}`, { renaming }] as const;
    }),
    ...identities.map((identity) => {
      const names = [identity.hgncId, identity.name].map(sortKeyOf).join('#');
      return [`gene#${names}`, { identity }] as const;
    }),
  ];
}

/** The name in a sort key. A long one is cut, and followed by its hash. */
function sortKeyOf(name: string): string {
  const key = nameKey(name);
  return key.length <= LONGEST_KEY ? key : `${key.slice(0, LONGEST_KEY)}~${hash('sha256', key).slice(0, 32)}`;
}

function learnItem(book: NameBook, { value }: Item): void {
  const { naming, renaming, identity } = JSON.parse(value?.S ?? '{}') as KeptNaming;
  if (naming) book.learnPanel(naming);
  if (renaming) book.learnRenaming(renaming);
  if (identity) book.learnIdentity(identity);
}

const partitionOf = (catalogue: string): string => `${historyPartitions(catalogue)}names`;
