import type { EventKindName } from '../events/changes.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { parseInstant } from '../run/instant.ts';
import { eventWords } from './event-words.ts';
import type { Row } from './notice.ts';

/** One event of an action, and the words that it adds to the sentence of the action. */
export interface ActionStep<Item> {
  readonly item: Item;
  readonly row: Row;
  /** The text between the previous step and this one. */
  readonly separator: '' | ' ' | '; ';
}

/** In microseconds. The rows of one action are milliseconds apart. */
const LONGEST_ACTION = 1_000_000n;

/**
 * Events grouped by the action of a curator that they belong to: what one person did to one entity of a panel within
 * a second, each kind of event at most once. A group has the place of its first event. An event of a panel is a group
 * of its own.
 */
export function actionsOf<Item>(
  items: readonly Item[],
  eventOf: (item: Item) => PanelEvent,
): readonly (readonly Item[])[] {
  const actions: Action<Item>[] = [];
  const open = new Map<string, Action<Item>>();
  for (const item of items) {
    const event = eventOf(item);
    const { catalogue, panel, entity, actor } = event.data;
    const at = parseInstant(event.time ?? '');
    if (entity === null || at === null) {
      actions.push({ items: [item], kinds: new Set(), at: 0n });
      continue;
    }
    const key = JSON.stringify([catalogue, panel?.id, entity.type, entity.name, actor]);
    const known = open.get(key);
    const apart = known ? (at > known.at ? at - known.at : known.at - at) : LONGEST_ACTION;
    if (known && apart < LONGEST_ACTION && !known.kinds.has(event.type)) {
      known.items.push(item);
      known.kinds.add(event.type);
      continue;
    }
    const action = { items: [item], kinds: new Set([event.type]), at };
    actions.push(action);
    open.set(key, action);
  }
  return actions.map((action) => action.items);
}

interface Action<Item> {
  readonly items: Item[];
  /** The types of its events. */
  readonly kinds: Set<string>;
  readonly at: bigint;
}

const order: readonly EventKindName[] = [
  'entity.added',
  'entity.removed',
  'entity.renamed',
  'entity.classified',
  'entity.marked-ready',
  'entity.tags-changed',
  'entity.annotated',
];

/**
 * The events of an action as one sentence: `added`, ` as amber`, ` with the tag “watchlist”`. An entity that was added
 * with a rating and tags is three events; each of them alone says that it was added.
 */
export function stepsOf<Item>(
  items: readonly Item[],
  eventOf: (item: Item) => PanelEvent,
): readonly ActionStep<Item>[] {
  const events = items.map(eventOf);
  const isAdding = events.some(isAddition);
  const isRated = events.some(isNewRating);
  return items
    .map((item) => ({ item, event: eventOf(item) }))
    .toSorted((one, other) => rankOf(one.event) - rankOf(other.event))
    .map(({ item, event }, index, all) => {
      const { row, onceAdded } = eventWords(event);
      // Without a rating, the row of the addition says all.
      const isPart = isAdding && all.length > 1 && (isRated || !isAddition(event));
      const words = isPart ? onceAdded : null;
      const separator = index === 0 ? '' : words === null ? '; ' : ' ';
      return { item, row: words === null ? row : { ...row, words }, separator };
    });
}

function rankOf(event: PanelEvent): number {
  const kind = kindOf(event.type);
  const index = kind === undefined ? -1 : order.indexOf(kind);
  return index < 0 ? order.length : index;
}

const isAddition = ({ type }: PanelEvent): boolean => type === 'gene-panel.entity.added.v1';

const isNewRating = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.classified.v1' && event.data.change.direction === 'new';
