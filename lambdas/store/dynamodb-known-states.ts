import type * as z from 'zod';
import { inGroups } from '../run/in-groups.ts';
import type { Instant } from '../run/instant.ts';
import { type Item, number, orCorrupt } from './dynamodb-call.ts';
import type { DynamoPosition } from './dynamodb-position.ts';
import { ABSENT, asRead, type DynamoTable, keyItem } from './dynamodb-table.ts';
import { packedBody, packedIn } from './items.ts';
import {
  type EntityState,
  entitySchema,
  type KnownStates,
  type Learnt,
  type PanelState,
  panelIdOf,
  panelKey,
  panelSchema,
  type SavedState,
  silentAfter,
  statesAfter,
} from './known-states.ts';
import { beganItem, isOfThisBeginning } from './ledger-items.ts';
import { eventsSchema } from './published.ts';
import type { StateStore } from './store.ts';

/** A run that another has overtaken must not replace a newer state by an older one. */
const NOT_NEWER = 'attribute_not_exists(pk) OR version <= :version';

const PARALLEL = 8;

const silentKey = (id: number): string => `silent#${id}`;

/**
 * The attributes of a state, with the version of the position that saves it. `unratedSince` has those of an entity of which nothing is
 * known but that its rating is not.
 */
export function stateItem(state: EntityState | PanelState, version: number): Item {
  const isUnrated = 'rating' in state && state.rating === null && state.unpaired.length === 0;
  return {
    version: number(version),
    value: packedBody(state),
    ...(isUnrated && { unratedSince: number(state.at) }),
  };
}

/** The states of entities and panels, and the events without a row, in a partition of their own. */
export function createDynamoKnownStates(
  table: DynamoTable,
  pk: string,
  { began, isBegun, outdateReaders }: Pick<DynamoPosition, 'began' | 'isBegun' | 'outdateReaders'>,
) {
  const itemsOf = (sks: readonly string[]) => table.getAll(sks.map((sk) => ({ pk, sk })));
  const valueIn = <Shape extends z.ZodType>({ value }: Item, schema: Shape): z.output<Shape> =>
    orCorrupt(table.where, () => schema.parse(packedIn(value)));
  const statesOf = async <Shape extends z.ZodType>(
    keys: readonly string[],
    schema: Shape,
  ): Promise<Map<string, z.output<Shape>>> => {
    const own = [...(await itemsOf(keys))].filter(([, item]) => isOfThisBeginning(item, began()));
    return new Map(own.map(([key, item]) => [key, valueIn(item, schema)]));
  };
  const silent: StateStore['silent'] = async (ids) => {
    const items = await itemsOf(ids.map(silentKey));
    return new Map(
      ids.map((id) => {
        const item = items.get(silentKey(id));
        return [id, item ? valueIn(item, eventsSchema) : []];
      }),
    );
  };

  return {
    /**
     * Saves states, unless a run with a later version of the position saved newer ones. `run` names the one that begins the
     * catalogue with them.
     */
    async save({ entities, panels }: KnownStates, version: number, run?: string): Promise<void> {
      const states = [...entities, ...[...panels].map(([id, state]) => [panelKey(id), state] as const)];
      const condition = {
        ConditionExpression: NOT_NEWER,
        ExpressionAttributeValues: { ':version': number(version) },
      };
      await inGroups(PARALLEL, states, ([sk, state]) =>
        table.putIf({ ...keyItem({ pk, sk }), ...stateItem(state, version), ...beganItem(run) }, condition),
      );
    },

    /** Deletes the states of entities that lost their rating before an instant. */
    async forgetBefore(instant: Instant): Promise<void> {
      const also = {
        FilterExpression: 'unratedSince < :before',
        ExpressionAttributeValues: { ':before': number(instant) },
      };
      for await (const { sk, version = number(0) } of table.query({ pk, also }))
        await table.remove({ pk, sk: sk?.S ?? '' }, asRead(version));
    },

    entities: (keys: readonly string[]) => statesOf(keys, entitySchema),
    panels: async (ids: readonly number[]) =>
      new Map(
        [...(await statesOf(ids.map(panelKey), panelSchema))].map(([key, state]) => [panelIdOf(key), state]),
      ),
    silent,

    async learn(learnt: Learnt): Promise<void> {
      // No poll has begun: what it begins with is for it to decide.
      if (!(await isBegun())) return;
      const { ratings, versions, asOf } = learnt;
      const items = await itemsOf([...ratings.keys(), ...[...versions.keys()].map(panelKey)]);
      const savedOf = (key: string): SavedState | undefined => {
        const item = items.get(key);
        return item && { savedAt: Number(item.version?.N ?? 0), state: packedIn(item.value) };
      };
      for (const [sk, state] of orCorrupt(table.where, () => statesAfter(learnt, savedOf))) {
        const before = items.get(sk);
        await table.putIf(
          { ...keyItem({ pk, sk }), ...stateItem(state, asOf) },
          before ? asRead(before.version ?? number(0)) : ABSENT,
        );
      }
      const kept = await silent([...learnt.silent.keys()]);
      for (const [id, events] of learnt.silent) {
        const value = packedBody(silentAfter(kept.get(id) ?? [], events));
        await table.put({ ...keyItem({ pk, sk: silentKey(id) }), value });
      }
      if (ratings.size + versions.size > 0) await outdateReaders();
    },
  };
}
