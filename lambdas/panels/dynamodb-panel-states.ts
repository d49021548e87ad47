import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { inGroups } from '../run/in-groups.ts';
import type { TableOptions } from '../store/dynamodb-table.ts';
import { timeKey } from '../store/history/dynamodb-items.ts';
import { type KeptItem, type NewItem, readValue } from '../store/items.ts';
import { createDynamoItems } from '../store/items-dynamodb.ts';
import { damagedState } from '../store/state-error.ts';
import { historyPartitions } from '../store/table-keys.ts';
import { MOST_AT_ONCE } from './by-beginning.ts';
import { holdingsOf } from './holdings-of.ts';
import {
  createPanelStates,
  type PanelStateStore,
  type StateChange,
  type StateRows,
  type VersionKey,
  type WantedVersions,
} from './panel-state-store.ts';
import { entitiesIn } from './state-entity.ts';
import {
  type Holding,
  holdingSchema,
  signOffSchema,
  summarySchema,
  type VersionSummary,
} from './version-state.ts';

interface DynamoPanelStatesOptions extends TableOptions {
  readonly catalogue: string;
  /** Days for which states that are not the newest of their panel are kept after they ended; without end where absent. */
  readonly retentionDays?: number | undefined;
}

/** The states of the panels of one catalogue, in the history's table (`panelStatePartitions` shows the keys). */
export const createDynamoPanelStates = (options: DynamoPanelStatesOptions): PanelStateStore =>
  createPanelStates(createStateRows(options), { ...options.clock, ...options });

/** Removals at the same time. */
const PARALLEL = 25;

function createStateRows({ catalogue, ...options }: DynamoPanelStatesOptions): StateRows {
  const items = createDynamoItems({ ...options, what: 'panel states' });
  const partitions = panelStatePartitions(catalogue);
  const valueIn = <Shape extends z.ZodType>(item: KeptItem, schema: Shape): z.infer<Shape> =>
    readValue(item, { schema, place: items.place });

  async function versions(panelId: number, wanted: WantedVersions): Promise<readonly VersionSummary[]> {
    const isLast = wanted !== 'all' && 'lastUntil' in wanted;
    const upTo =
      isLast && wanted.lastUntil !== null && stateKey({ version: '~', validFrom: wanted.lastUntil });
    const range = isLast ? { last: MOST_AT_ONCE, ...(upTo && { upTo }) } : '';
    const kept = (await items.list(partitions.states(panelId), range)).map((item) =>
      valueIn(item, summarySchema),
    );
    return typeof wanted === 'object' && 'version' in wanted
      ? kept.filter(({ version }) => version === wanted.version)
      : kept;
  }

  async function summaryOf(key: VersionKey): Promise<VersionSummary | null> {
    const item = await items.get(partitions.states(key.panelId), stateKey(key));
    return item && valueIn(item, summarySchema);
  }

  async function entitiesOf(summary: VersionSummary) {
    const { partition, id } = entitiesKey(summary);
    const item = await items.get(partition, id);
    try {
      if (!item) throw new Error('its entities are missing');
      return entitiesIn(item.value);
    } catch (cause) {
      throw damagedState(`"${id}" of ${items.place.name}`, cause, items.place.repair);
    }
  }

  const entitiesKey = (summary: VersionSummary): Pick<NewItem, 'partition' | 'id'> => ({
    partition: partitions.entities(summary.panelId),
    id: `${stateKey(summary)}#${summary.sha256}`,
  });

  async function replaceHoldings({ before, holds }: Pick<StateChange, 'before' | 'holds'>): Promise<void> {
    if (!holds) return;
    const state = 'entities' in holds ? holds : { ...holds, entities: await entitiesOf(holds) };
    const now = holdingsOf(state);
    const old = before
      ? holdingsOf({ ...before, entities: await entitiesOf(before) })
      : new Map<string, Holding>();
    const id = panelKey(state.panelId);
    const changed = [...now].filter(([identity, holding]) => !isDeepStrictEqual(old.get(identity), holding));
    const { holders } = partitions;
    await items.put(...changed.map(([identity, value]) => ({ partition: holders(identity), id, value })));
    const gone = [...old.keys()].filter((identity) => !now.has(identity));
    await inGroups(PARALLEL, gone, (identity) => items.remove(holders(identity), id));
  }

  return {
    versions,
    async read(key) {
      const summary = await summaryOf(key);
      return summary && { ...summary, entities: await entitiesOf(summary) };
    },
    async write(key, decide) {
      const { panelId } = key;
      const replaced = await summaryOf(key);
      const change = decide({ replaced, newest: await versions(panelId, { lastUntil: null }) });
      if (!change) return;
      const { summary, entities, newest } = change;
      // The version is written after what it holds: a run that dies in between writes both again.
      if (entities) await items.put({ ...entitiesKey(summary), value: entities });
      await replaceHoldings(change);
      await items.put({ partition: partitions.states(panelId), id: stateKey(summary), value: summary });
      if (newest) await items.put({ partition: partitions.panels, id: panelKey(panelId), value: newest });
      if (replaced && replaced.sha256 !== summary.sha256) await removeEntities(replaced);
    },
    async remove(removed) {
      await inGroups(PARALLEL, removed, async (summary) => {
        await items.remove(partitions.states(summary.panelId), stateKey(summary));
        await removeEntities(summary);
      });
    },
    panels: async () => (await items.list(partitions.panels)).map((item) => valueIn(item, summarySchema)),
    holdings: async (identity) =>
      (await items.list(partitions.holders(identity))).map((item) => valueIn(item, holdingSchema)),
    saveSignOffs: (signOffs) =>
      items.put(
        ...signOffs.map((value) => ({
          partition: partitions.signOffs,
          id: `${panelKey(value.panelId)}#${value.date}#${value.version}`,
          value,
        })),
      ),
    async signOffs(panelId) {
      const prefix = panelId === undefined ? '' : `${panelKey(panelId)}#`;
      return (await items.list(partitions.signOffs, prefix)).map((item) => valueIn(item, signOffSchema));
    },
  };

  function removeEntities(summary: VersionSummary): Promise<void> {
    const { partition, id } = entitiesKey(summary);
    return items.remove(partition, id);
  }
}

/** A key has at most 2,048 bytes; two names that are equal up to this length would be one. */
const LONGEST_IDENTITY = 500;

/**
 * The partitions of panel states in the history's table, for catalogue `uk`:
 *
 *     pk  uk#states#3           sk  <valid from>#<version>             a version without its entities
 *     pk  uk#state-entities#3   sk  <valid from>#<version>#<SHA-256>   its entities
 *     pk  uk#state-panels       sk  <panel>                            the newest version of a panel
 *     pk  uk#holders#HGNC:1100  sk  <panel>                            the gene on that panel now
 *     pk  uk#sign-offs          sk  <panel>#<date>#<version>           a signed-off version
 */
function panelStatePartitions(catalogue: string) {
  const own = historyPartitions(catalogue);
  return {
    states: (panelId: number): string => `${own}states#${panelId}`,
    entities: (panelId: number): string => `${own}state-entities#${panelId}`,
    panels: `${own}state-panels`,
    holders: (identity: string): string => `${own}holders#${identity.slice(0, LONGEST_IDENTITY)}`,
    signOffs: `${own}sign-offs`,
  } as const;
}

/** Ids in the order of numbers. */
const panelKey = (panelId: number): string => String(panelId).padStart(10, '0');

/** Versions in the order in which they began. */
export const stateKey = ({ version, validFrom }: Pick<VersionKey, 'version' | 'validFrom'>): string =>
  `${timeKey(validFrom)}#${version}`;
