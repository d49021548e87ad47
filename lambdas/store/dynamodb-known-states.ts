import { inGroups } from '../run/in-groups.ts';
import type { Instant } from '../run/instant.ts';
import { beganItem, isOfThisBeginning } from './began.ts';
import { type Item, number, text } from './dynamodb-call.ts';
import { asRead, type DynamoTable } from './dynamodb-table.ts';
import { entityItem, panelItem, readEntity, readPanel } from './known-items.ts';
import type { EntityState, KnownStates, PanelState } from './known-states.ts';
import { panelIdOf, panelKey } from './panel-key.ts';
import type { StateStore } from './store.ts';

interface DynamoKnownStates extends Pick<StateStore, 'entities' | 'panels'> {
  /**
   * Saves states, unless a run with a later version of the position saved newer ones. `began` names the run that begins
   * the catalogue with them.
   */
  save(states: KnownStates, version: number, began?: string): Promise<void>;
  /** Deletes the states of entities that lost their rating before an instant. */
  forgetBefore(instant: Instant): Promise<void>;
}

/** A run that another has overtaken must not replace a newer state by an older one. */
const NOT_NEWER = 'attribute_not_exists(pk) OR version <= :version';

/** Writes at the same time. */
const PARALLEL = 8;

/** The states of entities and panels, in a partition of their own. */
export function createDynamoKnownStates(
  table: DynamoTable,
  pk: string,
  began: () => string | undefined,
): DynamoKnownStates {
  const getOwn = async (keys: readonly string[]): Promise<readonly (readonly [string, Item])[]> =>
    [...(await table.getAll(keys.map((sk) => ({ pk, sk }))))].filter(([, item]) =>
      isOfThisBeginning(item, began()),
    );

  return {
    async save({ entities, panels }, version, run) {
      const items = [
        ...[...entities].map(([key, state]) => ({ sk: text(key), ...entityItem(state, version) })),
        ...[...panels].map(([id, state]) => ({ sk: text(panelKey(id)), ...panelItem(state, version) })),
      ];
      const condition = {
        ConditionExpression: NOT_NEWER,
        ExpressionAttributeValues: { ':version': number(version) },
      };
      const common = { pk: text(pk), ...beganItem(run) };
      await inGroups(PARALLEL, items, (item) => table.putIf({ ...common, ...item }, condition));
    },

    async forgetBefore(instant) {
      const also = {
        // A panel's state has a version of the panel, or facts; silent events have neither a time.
        FilterExpression:
          '#at < :before AND attribute_not_exists(rating) AND attribute_not_exists(unpaired) AND attribute_not_exists(panelVersion) AND attribute_not_exists(stated)',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':before': number(instant) },
      };
      for await (const { sk, version = number(0) } of table.query({ pk, also }))
        await table.remove({ pk, sk: sk?.S ?? '' }, asRead(version));
    },

    async entities(keys) {
      const entities = new Map<string, EntityState>();
      for (const [key, item] of await getOwn(keys)) entities.set(key, readEntity(item, table.where));
      return entities;
    },

    async panels(ids) {
      const panels = new Map<number, PanelState>();
      for (const [key, item] of await getOwn(ids.map(panelKey))) {
        panels.set(panelIdOf(key), readPanel(item, table.where));
      }
      return panels;
    },
  };
}
