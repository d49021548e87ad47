import { hash } from 'node:crypto';
import type { Rating } from '../events/changes.ts';
import { inOrder, timeOf } from '../events/order.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { summarize, withoutCorrected } from '../events/summary.ts';
import { type AnyFact, sameValue, untouched } from './difference.ts';
import { entityFacts, type Moved } from './entity-facts.ts';
import {
  entitiesNamed,
  type FollowedEntity,
  type FollowedPanel,
  follow,
  followFrom,
  nameKey,
} from './followed-panel.ts';
import { panelFacts } from './panel-facts.ts';
import type { ShownPanel } from './shown.ts';

/** An event, and the change that it should have stated. */
export interface Disagreement {
  readonly event: PanelEvent;
  readonly change: PanelEvent['data']['change'];
}

interface Followed {
  /** The panel as it was shown before the events. */
  readonly before: ShownPanel;
  /** In the order in which a panel is followed through them. */
  readonly events: readonly PanelEvent[];
  /** Whether what was shown before may hold an event already: an archive is made while the next version is saved. */
  readonly mayBeHeld: (event: PanelEvent) => boolean;
  /** What events led to before the first of these; asked for where what was shown before may hold one of them already. */
  readonly led: () => FollowedPanel | null;
}

/** The events that say something else of what was so before them than the panel showed, or the events in between led to. */
export function disagreementsOf({ before, events, mayBeHeld, led }: Followed): readonly Disagreement[] {
  const panel = followFrom(before);
  /** What events of these stated, by entity and fact. */
  const stated = new Set<string>();
  return ratedFirst(events).flatMap((event) => {
    const [known] = membersOf(panel, event);
    const corrected = { ...event };
    for (const fact of known ? entityFacts : panelFacts) {
      const facts = known?.facts ?? panel.facts;
      const key = `${known?.type} ${known?.name} ${fact.name}`;
      const value = facts.get(fact.name);
      const isDoubtful = !stated.has(key) && mayBeHeld(event) && isHeld(fact, event, value);
      const so = isDoubtful ? ledTo(led(), event, fact) : value;
      if (so !== undefined) change(corrected, fact.corrected(corrected, so));
      if (fact.led(event, value) !== untouched) stated.add(key);
    }
    follow(panel, event);
    const so = withoutNothing(corrected.data.change);
    return corrected.data === event.data || statesNothing(so) ? [] : [{ event, change: so }];
  });
}

/** The rating that an annotation states is the one that its row gave, where it gave one. */
function ratedFirst(events: readonly PanelEvent[]): readonly PanelEvent[] {
  const isAnnotation = ({ type }: PanelEvent): number => (type === 'gene-panel.entity.annotated.v1' ? 1 : 0);
  return events.toSorted(
    (one, other) => Number(timeOf(one) - timeOf(other)) || isAnnotation(one) - isAnnotation(other),
  );
}

function change(event: { data: PanelEvent['data'] }, to: PanelEvent['data']['change']): void {
  if (to !== event.data.change) event.data = { ...event.data, change: to } as PanelEvent['data'];
}

/** Tags that were there before leave an event about them true in what it leads to: a change of nothing is not published. */
const statesNothing = (so: PanelEvent['data']['change']): boolean =>
  'added' in so && 'removed' in so && isNothing(so);

const isNothing = ({ added = [], removed = [] }: Moved): boolean => added.length + removed.length === 0;

/** A change without the lists to which it added nothing, where it states others: a bulk upload names the items that were there, too. */
function withoutNothing(so: PanelEvent['data']['change']): PanelEvent['data']['change'] {
  if (!('changes' in so)) return so;
  const changes = so.changes.filter(
    (one) => !('added' in one || 'removed' in one) || 'to' in one || !isNothing(one),
  );
  return changes.length === 0 ? so : ({ ...so, changes } as typeof so);
}

/** Whether a value is what an event leads to, so that it may have been shown after the event. */
function isHeld(fact: AnyFact, event: PanelEvent, value: unknown): boolean {
  const after = fact.led(event, value);
  return after !== untouched && after !== undefined && value !== undefined && sameValue(after, value);
}

function ledTo(panel: FollowedPanel | null, event: PanelEvent, fact: AnyFact): unknown {
  return panel ? membersOf(panel, event)[0]?.facts.get(fact.name) : undefined;
}

/** The entity of a panel that an event is about; none where several have its name. */
function membersOf(panel: FollowedPanel, { data: { entity } }: PanelEvent): readonly FollowedEntity[] {
  if (!entity) return [];
  const named = entitiesNamed(panel, entity);
  return named.length === 1 && named[0]?.present !== false ? named : [];
}

/**
 * The event that corrects another: of its type, place and rows, with what is true. The same disagreement found again gives the same
 * id.
 * @param late whether an event of its entity with a later place was published already
 */
export function correctionOf({ event, change: corrected }: Disagreement, late: boolean): PanelEvent {
  const kind = kindOf(event.type) ?? 'activity.unclassified';
  const { correctedChange: _before, ...data } = event.data;
  const summary = `Correction: ${summarize({ ...data, kind, change: corrected })}`;
  const id = hash('sha256', JSON.stringify(['correction.v1', event.id, corrected]), 'hex').slice(0, 32);
  return {
    ...event,
    id,
    data: {
      ...data,
      summary,
      late,
      change: corrected,
      corrects: event.id,
      correctedChange: event.data.change,
    },
  } as PanelEvent;
}

/**
 * An event of a version that was read late, which takes the place of one that published the same change of a later version; the event
 * itself where there is none.
 */
export function takingPlaceOf(later: PanelEvent | undefined, event: PanelEvent): PanelEvent {
  if (!later) return event;
  const { id: corrects, data } = later;
  const summary = `Correction: ${event.data.summary}`;
  const corrected = { correctedChange: data.change, correctedVersion: data.panel?.version ?? undefined };
  return { ...event, data: { ...event.data, summary, corrects, ...corrected } } as PanelEvent;
}

/** Two events of one entity of a panel, where the later one states another rating before than the earlier one led to. */
interface Contradiction {
  readonly before: PanelEvent;
  readonly event: PanelEvent;
}

interface Led {
  readonly rating: Rating | 'absent';
  readonly by: PanelEvent;
}

/**
 * The contradictions in the history of panels, by `time`: the rating that an event states for before it is the one to which the event
 * before led, or is unknown. What was corrected counts as corrected.
 */
export function contradictionsIn(events: Iterable<PanelEvent>): readonly Contradiction[] {
  const panels = Map.groupBy(
    withoutCorrected([...events]),
    ({ source, data }) => `${source} ${data.panel?.id}`,
  );
  return [...panels.values()].flatMap((own) => contradictionsOfPanel(inOrder(own)));
}

function contradictionsOfPanel(events: readonly PanelEvent[]): readonly Contradiction[] {
  const led = new Map<string, Led>();
  return events.flatMap((event): readonly Contradiction[] => {
    const { entity } = event.data;
    if (event.type === 'gene-panel.panel.created.v1') led.clear();
    if (!entity) return [];
    const key = keyOf(entity.type, entity.name);
    const before = led.get(key);
    switch (event.type) {
      case 'gene-panel.entity.added.v1':
        led.delete(key);
        return [];
      case 'gene-panel.entity.renamed.v1': {
        const former = keyOf(entity.type, event.data.change.from);
        const rated = led.get(former);
        led.delete(former);
        if (rated) led.set(key, rated);
        return [];
      }
      case 'gene-panel.entity.removed.v1':
        led.set(key, { rating: 'absent', by: event });
        return contradicts(before, event.data.change.rating) ? [{ before: before.by, event }] : [];
      case 'gene-panel.entity.classified.v1': {
        const { from, to, direction } = event.data.change;
        if (to === null) led.delete(key);
        else led.set(key, { rating: to, by: event });
        const stated = direction === 'new' ? 'absent' : from;
        return contradicts(before, stated) ? [{ before: before.by, event }] : [];
      }
      default:
        return [];
    }
  });
}

const keyOf = (type: string, name: string): string => `${type} ${nameKey(name)}`;

const contradicts = (before: Led | undefined, stated: Led['rating'] | null): before is Led =>
  before !== undefined && stated !== null && before.rating !== stated;
