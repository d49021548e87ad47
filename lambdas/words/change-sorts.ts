import type { Annotation, EventKindName } from '../events/changes.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { greenTurnOfEvent } from '../filters/green-turn.ts';
import { entitiesOfEvents } from '../filters/net-changes.ts';
import type { Tone } from './notice.ts';

/** A sort of changes that messages about a panel show together. */
export interface ChangeSort {
  readonly title: string;
  /** What follows a count in a headline: of one change, and of several. */
  readonly counted: readonly [one: string, several: string];
  readonly tone: Tone;
  readonly includes: (event: PanelEvent, kind: EventKindName | undefined) => boolean;
  /** In a headline after the names or the number of entities, such as `now green`; absent where it only has counts. */
  readonly verdict?: string;
  /** Whether the verdict needs no `is` before it. */
  readonly hasOwnVerb?: true;
  /** Whether the earlier ratings of its entities are unknown, which a headline then says. */
  readonly isOfUnknownRating?: true;
  /** Whether the row of an event says no more than the title. */
  readonly saysAll?: (event: PanelEvent) => boolean;
}

/** The sorts of changes, the most important first. A change belongs to the first sort that includes it. */
export const changeSorts: readonly ChangeSort[] = [
  {
    title: 'Now green',
    counted: ['now green', 'now green'],
    tone: 'green',
    verdict: 'now green',
    includes: (event) => greenTurnOfEvent(event) === 'now',
  },
  {
    title: 'Rated green, perhaps green before',
    counted: ['rated green, perhaps green before', 'rated green, perhaps green before'],
    tone: 'green',
    verdict: 'rated green',
    isOfUnknownRating: true,
    includes: (event) => greenTurnOfEvent(event) === 'maybe-now',
  },
  {
    title: 'No longer green',
    counted: ['no longer green', 'no longer green'],
    tone: 'red',
    verdict: 'no longer green',
    includes: (event) => greenTurnOfEvent(event) === 'no-longer',
  },
  {
    title: 'May no longer be green',
    counted: ['may no longer be green', 'may no longer be green'],
    tone: 'red',
    verdict: 'may no longer be green',
    hasOwnVerb: true,
    isOfUnknownRating: true,
    includes: (event) => greenTurnOfEvent(event) === 'maybe-no-longer',
  },
  {
    title: 'Inheritance changed',
    counted: ['change of inheritance', 'changes of inheritance'],
    tone: 'amber',
    includes: (event) => inheritanceOf(event) !== undefined,
  },
  {
    title: 'Other ratings',
    counted: ['other rating', 'other ratings'],
    tone: 'amber',
    includes: (_event, kind) => kind === 'entity.classified',
  },
  {
    title: 'Added',
    counted: ['added', 'added'],
    tone: 'plain',
    includes: (_event, kind) => kind === 'entity.added',
    saysAll: (event) =>
      event.type === 'gene-panel.entity.added.v1' &&
      !event.data.change.rating &&
      !event.data.change.copiedFrom,
  },
  {
    title: 'Removed',
    counted: ['removed', 'removed'],
    tone: 'plain',
    includes: (_event, kind) => kind === 'entity.removed',
    saysAll: (event) => event.type === 'gene-panel.entity.removed.v1' && !event.data.change.rating,
  },
  {
    title: 'Renamed',
    counted: ['renamed', 'renamed'],
    tone: 'plain',
    includes: (_event, kind) => kind === 'entity.renamed',
  },
  {
    title: 'Tags',
    counted: ['change of tags', 'changes of tags'],
    tone: 'plain',
    includes: (_event, kind) => kind === 'entity.tags-changed',
  },
  {
    title: 'Details',
    counted: ['change of details', 'changes of details'],
    tone: 'plain',
    includes: (_event, kind) => kind === 'entity.annotated',
  },
  {
    title: 'Reviews and comments',
    counted: ['review or comment', 'reviews and comments'],
    tone: 'plain',
    includes: (_event, kind) => kind?.startsWith('entity.') === true,
  },
  {
    title: 'Not recognised',
    counted: ['not recognised', 'not recognised'],
    tone: 'plain',
    includes: (_event, kind) => kind === undefined || kind === 'activity.unclassified',
  },
];

/** The change of the mode of inheritance that an event states; undefined where it states none. */
export function inheritanceOf(event: PanelEvent): Annotation | undefined {
  if (event.type !== 'gene-panel.entity.annotated.v1') return undefined;
  return event.data.change.changes.find(
    ({ field, from, to }) => field === 'modeOfInheritance' && (from === undefined || from !== to),
  );
}

/** The sort of the change that an event reports. */
export const sortOf = (event: PanelEvent): ChangeSort | undefined =>
  changeSorts.find(({ includes }) => includes(event, kindOf(event.type)));

/** The events of one entity of a panel, under any of its names. */
export interface EntityEvents {
  /** The most important one; of several equal ones, the last. */
  readonly main: PanelEvent;
  /** The others, oldest first. */
  readonly beside: readonly PanelEvent[];
}

/** Events by the entity that they are about, oldest first; an event about no entity stands alone. */
export function entityEvents(events: readonly PanelEvent[]): readonly EntityEvents[] {
  const entityOf = entitiesOfEvents(events);
  const groups = Map.groupBy(events, (event) => entityOf(event) ?? event.id);
  return [...groups.values()].map((own): EntityEvents => {
    const main = own.reduce((first, event) => (rankOf(event) <= rankOf(first) ? event : first));
    return { main, beside: own.filter((event) => event !== main) };
  });
}

/** The place of an event in the order of sorts: the lowest is the most important. */
export function rankOf(event: PanelEvent): number {
  const sort = sortOf(event);
  return sort === undefined ? changeSorts.length : changeSorts.indexOf(sort);
}

/** The events that report a change of the panel itself. */
export const panelEvents = (events: readonly PanelEvent[]): readonly PanelEvent[] =>
  events.filter(({ type }) => kindOf(type)?.startsWith('panel.'));
