import { isDeepStrictEqual } from 'node:util';
import type { Instant } from '../run/instant.ts';
import { type Item, number, text } from '../store/dynamodb-call.ts';
import { type ItemKey, inParts, keyItem, type TableOptions } from '../store/dynamodb-table.ts';
import { toJson } from '../store/packed.ts';
import { damagedState } from '../store/state-error.ts';
import { historyPartitions } from '../store/table-keys.ts';
import { byBeginning, MOST_AT_ONCE } from './by-beginning.ts';
import { createPanelStateTable, stateKey } from './dynamodb-table.ts';
import { holdingsOf } from './holdings-of.ts';
import type { PanelStateStore, VersionKey } from './panel-state-store.ts';
import { packEntities, unpackEntities } from './state-entity.ts';
import { isValidAt } from './valid-at.ts';
import {
  type Holding,
  holdingSchema,
  type SignOff,
  signOffSchema,
  summarySchema,
  type VersionState,
  type VersionSummary,
} from './version-state.ts';

interface DynamoPanelStatesOptions extends TableOptions {
  readonly catalogue: string;
  /** Days for which states that are not the newest of their panel are kept after they ended; without end where absent. */
  readonly retentionDays?: number;
}

const DAY_MICROSECONDS = 86_400_000_000n;

/** A kept version: its summary, and where its entities lie. */
interface Head {
  readonly sk: string;
  readonly summary: VersionSummary;
  readonly parts: number;
}

/** The states of the panels of one catalogue, in the history's table (`table-keys.ts` shows the keys). */
export function createDynamoPanelStates(options: DynamoPanelStatesOptions): PanelStateStore {
  const { catalogue, clock, retentionDays } = options;
  const table = createPanelStateTable(options);
  const partitions = panelStatePartitions(catalogue);

  const parsed = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      const what = `a panel state of catalogue "${catalogue}" in table "${options.table}"`;
      throw damagedState(what, cause, 'Restore the table to an earlier time (point-in-time recovery).');
    }
  };
  const headIn = (item: Item): Head => ({
    sk: item.sk?.S ?? '',
    summary: parsed(() => summarySchema.parse(JSON.parse(item.value?.S ?? ''))),
    parts: Number(item.parts?.N ?? 0),
  });
  /** Oldest first. */
  const heads = async (
    panelId: number,
    query: Omit<Parameters<typeof table.list>[0], 'pk'> = {},
  ): Promise<Head[]> =>
    (await table.list({ pk: partitions.states(panelId), ...query }))
      .map(headIn)
      .sort((one, other) => byBeginning(one.summary, other.summary));
  const newestHeads = (panelId: number, until?: Instant): Promise<Head[]> => {
    const range = until === undefined ? {} : { from: '0', to: stateKey({ version: '~', validFrom: until }) };
    return heads(panelId, { ...range, newestFirst: true, limit: MOST_AT_ONCE });
  };
  const newestHead = async (panelId: number, until?: Instant): Promise<Head | undefined> =>
    (await newestHeads(panelId, until)).at(-1);

  const partKey = ({ sk, summary }: Pick<Head, 'sk' | 'summary'>, part: number): string =>
    `${sk}#${summary.sha256}#${String(part).padStart(3, '0')}`;

  const stateOf = async (head: Head | undefined): Promise<VersionState | null> => {
    if (!head) return null;
    const prefix = `${head.sk}#${head.summary.sha256}#`;
    const items = await table.list({ pk: partitions.parts(head.summary.panelId), prefix });
    return parsed(() => {
      if (items.length !== head.parts)
        throw new Error(`${items.length} of its ${head.parts} parts are there`);
      const packed = Buffer.concat(items.map((item) => item.body?.B ?? new Uint8Array()));
      return { ...head.summary, entities: unpackEntities(packed) };
    });
  };

  const valueItem = (pk: string, sk: string, value: object): Item => ({
    ...keyItem({ pk, sk }),
    value: text(toJson(value)),
  });
  const putHead = (summary: VersionSummary, parts: number) =>
    table.put({
      ...valueItem(partitions.states(summary.panelId), stateKey(summary), summary),
      parts: number(parts),
    });
  const putNewest = (summary: VersionSummary) =>
    table.put(valueItem(partitions.panels, panelKey(summary.panelId), summary));

  /** Written before the state itself: a run that dies in between writes them again. */
  const replaceHoldings = async (state: VersionState, before: VersionState | null): Promise<void> => {
    const old = before ? holdingsOf(before) : new Map<string, Holding>();
    const now = holdingsOf(state);
    const sk = panelKey(state.panelId);
    const gone = [...old.keys()].filter((identity) => !now.has(identity));
    const changed = [...now].filter(([identity, holding]) => !isDeepStrictEqual(old.get(identity), holding));
    const { holders } = partitions;
    await table.putAll(changed.map(([identity, holding]) => valueItem(holders(identity), sk, holding)));
    await table.removeAll(gone.map((identity) => ({ pk: holders(identity), sk })));
  };

  /** The newest versions before and after one is kept. */
  const newestWith = async (head: Head): Promise<{ readonly before?: Head; readonly after: Head }> => {
    const kept = await newestHeads(head.summary.panelId);
    const others = kept.filter(({ sk }) => sk !== head.sk);
    const after = [...others, head]
      .sort((one, other) => byBeginning(one.summary, other.summary))
      .at(-1) as Head;
    const before = kept.at(-1);
    return { after, ...(before && { before }) };
  };

  const removeHeads = async (removed: readonly Head[]): Promise<void> => {
    const keys = removed.flatMap((head) => [
      { pk: partitions.states(head.summary.panelId), sk: head.sk },
      ...partsOf(head),
    ]);
    await table.removeAll(keys);
  };
  const partsOf = (head: Head): readonly ItemKey[] =>
    Array.from({ length: head.parts }, (_, part) => ({
      pk: partitions.parts(head.summary.panelId),
      sk: partKey(head, part),
    }));

  const signOffsOf = async (panelId?: number): Promise<readonly SignOff[]> => {
    const prefix = panelId === undefined ? {} : { prefix: `${panelKey(panelId)}#` };
    const items = await table.list({ pk: partitions.signOffs, ...prefix });
    return items.map((item): SignOff => parsed(() => signOffSchema.parse(JSON.parse(item.value?.S ?? ''))));
  };

  const removeOld = async (panelId: number, newest: VersionSummary): Promise<void> => {
    if (retentionDays === undefined) return;
    const oldest = BigInt(clock.now()) * 1000n - BigInt(retentionDays) * DAY_MICROSECONDS;
    const ended = (await heads(panelId)).filter(
      ({ summary: { validFrom, validTo } }) =>
        validTo !== null && validTo < oldest && validFrom < newest.validFrom,
    );
    if (ended.length === 0) return;
    const signedOff = new Set((await signOffsOf(panelId)).map(({ version }) => version));
    await removeHeads(ended.filter(({ summary }) => !signedOff.has(summary.version)));
  };

  const exactly = async ({ panelId, version, validFrom }: VersionKey): Promise<Head | undefined> => {
    const item = await table.get({ pk: partitions.states(panelId), sk: stateKey({ version, validFrom }) });
    return item && headIn(item);
  };

  return {
    async save({ entities, ...summary }) {
      const state: VersionState = { ...summary, entities };
      const { panelId } = summary;
      const packedParts = inParts(packEntities(entities));
      const head: Head = {
        sk: stateKey(summary),
        summary,
        parts: packedParts.length,
      };
      const replaced = await exactly(summary);
      const { before, after } = await newestWith(head);
      await table.putAll(
        partsOf(head).map((key, part) => ({
          ...keyItem(key),
          body: { B: packedParts[part] ?? new Uint8Array() },
        })),
      );
      const newest = after.sk === head.sk ? state : after.sk === before?.sk ? null : await stateOf(after);
      if (newest) await replaceHoldings(newest, await stateOf(before));
      await putHead(summary, head.parts);
      if (newest) await putNewest(after.summary);
      if (replaced && replaced.summary.sha256 !== summary.sha256) await table.removeAll(partsOf(replaced));
      if (newest) await removeOld(panelId, after.summary);
    },
    async note(key, change) {
      const head = await exactly(key);
      if (!head) return;
      const noted: Head = { ...head, summary: { ...head.summary, ...change } };
      const { before, after } = await newestWith(noted);
      const other = after.sk === before?.sk ? null : await stateOf(after);
      if (other) await replaceHoldings(other, await stateOf(before));
      await putHead(noted.summary, noted.parts);
      if (other || after.sk === noted.sk) await putNewest(after.summary);
    },
    async find(panelId, version) {
      const found = (await heads(panelId)).findLast(({ summary }) => summary.version === version);
      return stateOf(found);
    },
    read: async (key) => stateOf(await exactly(key)),
    async at(panelId, instant) {
      const head = await newestHead(panelId, instant);
      return head && isValidAt(head.summary, instant) ? stateOf(head) : null;
    },
    newest: async (panelId) => stateOf(await newestHead(panelId)),
    versions: async (panelId) => (await heads(panelId)).map(({ summary }) => summary),
    panels: async () => (await table.list({ pk: partitions.panels })).map((item) => headIn(item).summary),
    holdings: async (identity) =>
      (await table.list({ pk: partitions.holders(identity) })).map((item) =>
        parsed(() => holdingSchema.parse(JSON.parse(item.value?.S ?? ''))),
      ),
    saveSignOffs: (signOffs) =>
      table.putAll(
        signOffs.map((one) =>
          valueItem(partitions.signOffs, `${panelKey(one.panelId)}#${one.date}#${one.version}`, one),
        ),
      ),
    signOffs: signOffsOf,
  };
}

/** A key has at most 2,048 bytes; two names that are equal up to this length would be one. */
const LONGEST_IDENTITY = 500;

/**
 * The partitions of panel states in the history's table, for catalogue `uk`:
 *
 *     pk  uk#states#3           sk  <valid from>#<version>                    a version without its entities
 *     pk  uk#state-parts#3      sk  <valid from>#<version>#<SHA-256>#<part>   its entities, packed
 *     pk  uk#state-panels       sk  <panel>                                   the newest version of a panel
 *     pk  uk#holders#HGNC:1100  sk  <panel>                                   the gene on that panel now
 *     pk  uk#sign-offs          sk  <panel>#<date>#<version>                  a signed-off version
 */
function panelStatePartitions(catalogue: string) {
  const own = historyPartitions(catalogue);
  return {
    states: (panelId: number): string => `${own}states#${panelId}`,
    parts: (panelId: number): string => `${own}state-parts#${panelId}`,
    panels: `${own}state-panels`,
    holders: (identity: string): string => `${own}holders#${identity.slice(0, LONGEST_IDENTITY)}`,
    signOffs: `${own}sign-offs`,
  } as const;
}

/** Ids in the order of numbers. */
const panelKey = (panelId: number): string => String(panelId).padStart(10, '0');
