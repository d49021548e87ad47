import type { Direction } from '../events/changes.ts';
import { type EventKindName, isDisagreement } from '../events/kinds.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { inheritanceOf } from '../filters/entity-history.ts';
import { type GreenTurn, greenTurnNames, greenTurnOfEvent, greenTurns } from '../filters/green-turn.ts';
import { entitiesOfEvents } from '../filters/net-changes.ts';
import { capitalize } from '../run/text.ts';
import type { Tone } from './notice.ts';
import { isPast } from './value-words.ts';

/** How a rating changed, as people read it in filters and columns. */
export const directionLabels: Readonly<Record<Direction, string>> = {
  upgraded: 'upgraded',
  downgraded: 'downgraded',
  new: 'newly added',
  unchanged: 'confirmed',
  unknown: 'earlier rating unknown',
};

/** What happened, as people read it in filters and columns. */
export const kindLabels: Readonly<Record<EventKindName, string>> = {
  'entity.classified': 'rated',
  'panel.promoted': 'panel promoted',
  'panel.signed-off': 'panel signed off, or sign-off withdrawn',
  'entity.tags-changed': 'tags changed',
  'entity.added': 'added to a panel',
  'entity.removed': 'removed from a panel',
  'entity.renamed': 'renamed, or symbol replaced',
  'entity.annotated': 'annotation changed',
  'entity.reviewed': 'reviewed',
  'entity.review-deleted': 'review deleted',
  'entity.commented': 'comment',
  'entity.reviews-copied': 'reviews copied',
  'entity.marked-ready': 'marked as ready',
  'panel.created': 'panel created',
  'panel.deleted': 'panel deleted',
  'panel.published': 'panel became public',
  'panel.withdrawn': 'panel no longer public',
  'panel.changed': 'panel changed',
  'entity.disagreement': 'disagreement of catalogues',
  'activity.unclassified': 'not recognised',
};

/** What is shown by its number alone: the words for one, and for several. */
type CountedWords = readonly [one: string, several: string];

/** What events of a kind are called, where only their number is shown. */
export const kindWords: Readonly<Record<EventKindName, CountedWords>> = {
  'entity.classified': ['confirmed rating', 'confirmed ratings'],
  'entity.added': ['addition', 'additions'],
  'entity.removed': ['removal', 'removals'],
  'entity.renamed': ['renamed', 'renamed'],
  'entity.tags-changed': ['change of tags', 'changes of tags'],
  'entity.annotated': ['annotation', 'annotations'],
  'entity.reviewed': ['review', 'reviews'],
  'entity.review-deleted': ['deleted review', 'deleted reviews'],
  'entity.commented': ['comment', 'comments'],
  'entity.reviews-copied': ['copied review', 'copied reviews'],
  'entity.marked-ready': ['marked as ready', 'marked as ready'],
  'panel.promoted': ['promotion', 'promotions'],
  'panel.signed-off': ['sign-off', 'sign-offs'],
  'panel.created': ['new panel', 'new panels'],
  'panel.deleted': ['deleted panel', 'deleted panels'],
  'panel.published': ['published panel', 'published panels'],
  'panel.withdrawn': ['withdrawn panel', 'withdrawn panels'],
  'panel.changed': ['change of panel details', 'changes of panel details'],
  'entity.disagreement': ['disagreement of catalogues', 'disagreements of catalogues'],
  'activity.unclassified': ['text that was not recognised', 'texts that were not recognised'],
};

/** `14 changes of tags`, `1 change of tags`. */
export const countedWords = (count: number, [one, several]: CountedWords): string =>
  `${count} ${count === 1 ? one : several}`;

/** A sort of changes that messages about a panel show together. */
export interface ChangeSort {
  readonly title: string;
  /** What follows a count in a headline: of one change, and of several; the title where absent. */
  readonly counted?: readonly [one: string, several: string];
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

const ofGreen = (turn: GreenTurn): ChangeSort => ({
  title: capitalize(greenTurns[turn].words),
  tone: greenTurns[turn].tone,
  verdict: turn === 'maybe-now' ? 'rated green' : greenTurns[turn].words,
  ...(turn === 'maybe-no-longer' && { hasOwnVerb: true }),
  includes: (event) => greenTurnOfEvent(event) === turn && !isPast(event),
  ...(!greenTurns[turn].isCertain && { isOfUnknownRating: true }),
});

/** What two catalogues disagree about, as a heading. */
export const DISAGREEMENTS = 'Disagreements of catalogues';

/** The sorts of changes, the most important first. A change belongs to the first sort that includes it. */
export const changeSorts: readonly ChangeSort[] = [
  ...greenTurnNames.map(ofGreen),
  {
    title: 'Found late, and so no longer',
    counted: ['change found late, and so no longer', 'changes found late, and so no longer'],
    tone: 'plain',
    includes: isPast,
  },
  {
    title: 'Mode of inheritance changed',
    counted: ['change of inheritance', 'changes of inheritance'],
    tone: 'amber',
    includes: (event) => inheritanceOf(event) !== null,
  },
  {
    title: DISAGREEMENTS,
    counted: kindWords['entity.disagreement'],
    tone: 'amber',
    includes: isDisagreement,
  },
  {
    title: 'Other ratings',
    counted: ['other rating', 'other ratings'],
    tone: 'amber',
    includes: (_event, kind) => kind === 'entity.classified',
  },
  {
    title: 'Added',
    tone: 'plain',
    includes: (_event, kind) => kind === 'entity.added',
    saysAll: (event) =>
      event.type === 'gene-panel.entity.added.v1' &&
      !event.data.change.rating &&
      !event.data.change.copiedFrom,
  },
  {
    title: 'Removed',
    tone: 'plain',
    includes: (_event, kind) => kind === 'entity.removed',
    saysAll: (event) => event.type === 'gene-panel.entity.removed.v1' && !event.data.change.rating,
  },
  {
    title: 'Renamed',
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
    tone: 'plain',
    includes: (_event, kind) => kind === undefined || kind === 'activity.unclassified',
  },
];

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
