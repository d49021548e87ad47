import { kindOf } from '../events/kinds.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { EntityChange } from '../filters/entity-history.ts';
import { entitiesOfEvents } from '../filters/folded-entities.ts';
import type { PanelChanges } from '../filters/net-changes.ts';
import { contextPhrase } from './beside-words.ts';
import { inheritanceOf } from './change-sorts.ts';
import { type Phrase, phraseText } from './phrase.ts';

type PanelPlace = Pick<PanelChanges, 'catalogue' | 'id'>;

/** A change of the mode of inheritance within a period, of an entity whose rating the period did not change. */
export interface InheritanceChange {
  readonly panel: PanelPlace;
  readonly from: string | null;
  readonly to: string | null;
  /** The last event of it. */
  readonly event: PanelEvent;
}

/** The events of a period by the entities that they are about, under the names that these have in the end. */
export interface DigestEntities {
  /** The last event that states or changes the rating of an entity, or its place on the panel. */
  stateEvent(panel: PanelPlace, change: EntityChange): PanelEvent | undefined;
  /** What else the period changed of an entity, oldest first. What it returns counts as shown. */
  beside(panel: PanelPlace, change: EntityChange): readonly Phrase[];
  /** Changes of inheritance of entities that were not asked for by `beside`. They count as shown. */
  inheritance(): readonly InheritanceChange[];
  /** Events that correct others, of entities and of panels. They count as shown. */
  corrections(): readonly PanelEvent[];
  /** Whether an event was shown. */
  wasShown(event: PanelEvent): boolean;
}

/** The most lines below one entity; further events are counted. */
const MOST_LINES = 6;

const stateKinds: ReadonlySet<string> = new Set([
  'entity.classified',
  'entity.added',
  'entity.removed',
  'entity.renamed',
]);

/**
 * @param events oldest first
 * @param unasked ids of those that the reader did not ask for, which others need to be true
 */
export function digestEntities(
  events: readonly PanelEvent[],
  unasked: ReadonlySet<string> = new Set(),
): DigestEntities {
  const entityOf = entitiesOfEvents(events);
  const byEntity = new Map<string, PanelEvent[]>();
  for (const event of events) {
    const entity = entityOf(event);
    const { catalogue, panel } = event.data;
    if (!entity || typeof panel?.id !== 'number') continue;
    const key = keyOf({ catalogue, id: panel.id }, entity.now());
    const own = byEntity.get(key);
    if (own) own.push(event);
    else byEntity.set(key, [event]);
  }
  const allShown = new Set<PanelEvent>();
  const asked = new Set<string>();

  return {
    stateEvent: (panel, { entity }) =>
      byEntity.get(keyOf(panel, entity))?.findLast(({ type }) => stateKinds.has(kindOf(type) ?? '')),
    beside(panel, { entity }) {
      const key = keyOf(panel, entity);
      asked.add(key);
      const others = (byEntity.get(key) ?? []).filter(({ type }) => !stateKinds.has(kindOf(type) ?? ''));
      const shown = others.slice(-MOST_LINES);
      for (const event of shown) allShown.add(event);
      const lines = new Map(shown.map(contextPhrase).map((words) => [phraseText(words), words]));
      return [...lines.values()];
    },
    inheritance: () =>
      [...byEntity].flatMap(([key, own]): readonly InheritanceChange[] => {
        const changes = own.flatMap((event) => inheritanceOf(event) ?? []);
        const event = own.findLast((each) => inheritanceOf(each) !== undefined);
        const [first] = changes;
        const last = changes.at(-1);
        if (asked.has(key) || !event || !first || !last) return [];
        const [from, to] = [textOf(first.from), textOf(last.to)];
        if (from !== null && from === to) return [];
        for (const each of own) if (inheritanceOf(each)) allShown.add(each);
        const { catalogue, panel } = event.data;
        return [{ panel: { catalogue, id: panel?.id ?? 0 }, from, to, event }];
      }),
    corrections() {
      const corrections = events.filter(({ id, data }) => data.corrects !== undefined && !unasked.has(id));
      for (const event of corrections) allShown.add(event);
      return corrections;
    },
    wasShown: (event) => allShown.has(event),
  };
}

const keyOf = ({ catalogue, id }: PanelPlace, { type, name }: EntityChange['entity']): string =>
  `${catalogue} ${id} ${type} ${name.toUpperCase()}`;

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
