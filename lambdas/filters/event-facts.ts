import type { Direction, Rating } from '../events/changes.ts';
import { inheritanceGroupOf } from '../events/inheritance.ts';
import { type EventKindName, eventKinds, kindOf } from '../events/kinds.ts';
import { rCodesIn } from '../events/r-codes.ts';
import type { Entity, EventPanel, PanelEvent } from '../events/schemas.ts';
import type { Topic } from '../events/topics.ts';
import { onceForText } from '../run/once-for-text.ts';
import { inheritanceOf } from './entity-history.ts';
import { type GreenTurn, greenTurnOfEvent } from './green-turn.ts';
import { nameKey } from './name-key.ts';

/** What filters compare, read from an event once. Names are in the form that `nameKey` gives. */
export interface EventFacts {
  readonly catalogue: string;
  readonly kind: EventKindName;
  readonly topic: Topic;
  readonly panelId: number | null;
  /** The panel's name; for a renamed panel also the name before. */
  readonly panelNames: readonly string[];
  readonly panelTypes: readonly string[];
  /** Codes of the test directory, upper case, without a sub-code: `R59` for `R59.3` too. */
  readonly rCodes: readonly string[];
  readonly entityType: string | null;
  /** The entity's name, for a renamed or replaced entity both names; then its HGNC id, where the event states it. */
  readonly entityNames: readonly string[];
  readonly from: Rating | 'unknown' | null;
  readonly to: Rating | 'unknown' | null;
  readonly direction: Direction | null;
  /** What the change means for the green list; null where it means nothing. */
  readonly green: GreenTurn | null;
  /** The mode of inheritance before and after, as its group and the catalogue's text; empty where the event changes none. */
  readonly inheritanceFrom: readonly string[];
  readonly inheritanceTo: readonly string[];
  readonly tags: readonly string[];
  readonly actor: string | null;
  readonly late: boolean;
}

/**
 * The facts of an event that filters compare.
 * @throws {TypeError} when the type of the event is not one of this project
 */
export function factsOf(event: PanelEvent): EventFacts {
  const { catalogue, panel, entity, actor, late } = event.data;
  const kind = kindOf(event.type);
  if (kind === undefined) throw new TypeError(`Unknown event type ${JSON.stringify(event.type)}`);
  const { from, to, direction } = ratingFacts(event);
  const { inheritanceFrom, inheritanceTo } = inheritanceFacts(event);
  // One literal: an object that is put together of others takes several times as long to make.
  return {
    catalogue,
    kind,
    topic: eventKinds[kind].topic,
    panelId: panel?.id ?? null,
    panelNames: panel ? panelNamesOf(event, panel.name) : none,
    panelTypes: panel?.types?.length ? oneListOf(panel.types.join('\n')) : none,
    rCodes: panel?.relevantDisorders?.length ? rCodesIn(panel.relevantDisorders) : none,
    entityType: entity?.type ?? null,
    entityNames: entity ? withId(entityNamesOf(event, entity.name), entity) : none,
    from,
    to,
    direction,
    green: greenTurnOfEvent(event),
    inheritanceFrom,
    inheritanceTo,
    tags: tagsOf(event),
    actor: actor === null ? null : keyOf(actor),
    late,
  };
}

/** Thousands of events have the same names: who keeps their facts keeps each of them once. */
const MOST_NAMES = 5_000;
const keyOf = onceForText(MOST_NAMES, nameKey);
const keyListOf = onceForText(MOST_NAMES, (name): readonly string[] => [keyOf(name)]);
const oneListOf = onceForText(MOST_NAMES, (types): readonly string[] => types.split('\n'));

const withId = (names: readonly string[], { hgncId }: { readonly hgncId?: string | undefined }) =>
  hgncId === undefined ? names : [...names, keyOf(hgncId)];

const none: readonly string[] = [];
const unrated = { from: null, to: null, direction: null } as const;

function ratingFacts(event: PanelEvent): Pick<EventFacts, 'from' | 'to' | 'direction'> {
  if (event.type !== 'gene-panel.entity.classified.v1') return unrated;
  const { from, to, direction } = event.data.change;
  return { from: from ?? 'unknown', to: to ?? 'unknown', direction };
}

/** What filters compare of modes of inheritance: the group, and the catalogue's text in one letter case. */
const inheritanceKeys = (mode: string | null): readonly string[] => [
  inheritanceGroupOf(mode),
  ...(mode === null || mode === '' ? [] : [nameKey(mode)]),
];

const sameInheritance = { inheritanceFrom: none, inheritanceTo: none } as const;

function inheritanceFacts(event: PanelEvent): Pick<EventFacts, 'inheritanceFrom' | 'inheritanceTo'> {
  const change = inheritanceOf(event);
  if (change === null) return sameInheritance;
  return { inheritanceFrom: inheritanceKeys(change.from), inheritanceTo: inheritanceKeys(change.to) };
}

function entityNamesOf(event: PanelEvent, name: string): readonly string[] {
  if (event.type !== 'gene-panel.entity.renamed.v1') return keyListOf(name);
  const { from, to } = event.data.change;
  return [...new Set([name, from, to].map(nameKey))];
}

function panelNamesOf(event: PanelEvent, name: string): readonly string[] {
  if (event.type !== 'gene-panel.panel.changed.v1') return keyListOf(name);
  const others = event.data.change.changes.flatMap(({ field, from, to }) =>
    field === 'name' ? [from, to].filter((side) => typeof side === 'string') : [],
  );
  return [...new Set([name, ...others].map(nameKey))];
}

function tagsOf(event: PanelEvent): readonly string[] {
  if (event.type === 'gene-panel.entity.tags-changed.v1') {
    const { added, removed } = event.data.change;
    return [...added, ...removed].map(nameKey);
  }
  return event.type === 'gene-panel.entity.added.v1' ? (event.data.change.tags ?? none).map(nameKey) : none;
}

/** An event that a filter of panels and entities can look at. */
export const eventAbout = (panel: EventPanel, entity: Entity | null, catalogue: string): PanelEvent =>
  ({
    type: 'gene-panel.entity.marked-ready.v1',
    data: { catalogue, panel, entity, actor: null, late: false, change: {}, summary: '', activities: [] },
  }) as object as PanelEvent;
