import { enumerate } from '../events/enumerate.ts';
import { type EventKindName, kindOf } from '../events/kinds.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { NetChanges } from '../filters/net-changes.ts';
import { countedWords, kindWords } from './counted-kinds.ts';
import type { DigestEntities } from './digest-entities.ts';
import { entityName } from './entity-name.ts';
import type { Block } from './notice.ts';
import { phrase } from './phrase.ts';

/** So many genes, STRs and regions are named beside their number; more are only counted. */
const MOST_NAMED = 3;

interface ShownBefore {
  readonly entities: DigestEntities;
  /** Whether groups stand before. */
  readonly also: boolean;
}

/** What a digest shows by its number, with the names where they are few: `Also: 14 changes of tags, 1 review (BRCA1).` */
export function restBlock(
  { panels, withoutPanel }: NetChanges,
  events: readonly PanelEvent[],
  { entities, also }: ShownBefore,
): readonly Block[] {
  const counts = new Map<EventKindName, number>();
  const add = (kind: EventKindName, count: number): void =>
    void counts.set(kind, (counts.get(kind) ?? 0) + count);
  for (const { rest } of panels) {
    for (const [kind, count] of Object.entries(rest)) add(kind as EventKindName, count);
  }
  add('activity.unclassified', withoutPanel);
  const phrases = [...counts].flatMap(([kind, count]) => {
    const ofKind = events.filter(({ type }) => kindOf(type) === kind);
    const left = count - ofKind.filter((event) => isCounted(event) && entities.wasShown(event)).length;
    if (left <= 0) return [];
    const words = countedWords(left, kindWords[kind]);
    const names = new Set(
      ofKind.filter((event) => isCounted(event) && !entities.wasShown(event)).flatMap(nameOf),
    );
    return [names.size > 0 && names.size <= MOST_NAMED ? `${words} (${[...names].join(', ')})` : words];
  });
  if (phrases.length === 0) return [];
  return [{ kind: 'text', text: phrase`${also ? 'Also: ' : ''}${enumerate(phrases)} on your panels.` }];
}

/** Of ratings, those that confirm one are counted; the others have rows. */
const isCounted = (event: PanelEvent): boolean =>
  event.type !== 'gene-panel.entity.classified.v1' || event.data.change.direction === 'unchanged';

const nameOf = ({ data }: PanelEvent): readonly string[] => (data.entity ? [entityName(data.entity)] : []);
