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

/** What events of a kind are called: in filters and columns, and where only their number is shown, of one and of several. */
const kindWords: Readonly<Record<EventKindName, readonly [label: string, one: string, several: string]>> = {
  'entity.classified': ['rated', 'confirmed rating', 'confirmed ratings'],
  'panel.promoted': ['panel promoted', 'promotion', 'promotions'],
  'panel.signed-off': ['panel signed off, or sign-off withdrawn', 'sign-off', 'sign-offs'],
  'entity.tags-changed': ['tags changed', 'change of tags', 'changes of tags'],
  'entity.added': ['added to a panel', 'addition', 'additions'],
  'entity.removed': ['removed from a panel', 'removal', 'removals'],
  'entity.renamed': ['renamed, or symbol replaced', 'renamed', 'renamed'],
  'entity.annotated': ['annotation changed', 'annotation', 'annotations'],
  'entity.reviewed': ['reviewed', 'review', 'reviews'],
  'entity.review-deleted': ['review deleted', 'deleted review', 'deleted reviews'],
  'entity.commented': ['comment', 'comment', 'comments'],
  'entity.reviews-copied': ['reviews copied', 'copied review', 'copied reviews'],
  'entity.marked-ready': ['marked as ready', 'marked as ready', 'marked as ready'],
  'panel.created': ['panel created', 'new panel', 'new panels'],
  'panel.deleted': ['panel deleted', 'deleted panel', 'deleted panels'],
  'panel.published': ['panel became public', 'published panel', 'published panels'],
  'panel.withdrawn': ['panel no longer public', 'withdrawn panel', 'withdrawn panels'],
  'panel.changed': ['panel changed', 'change of panel details', 'changes of panel details'],
  'entity.disagreement': [
    'disagreement of catalogues',
    'disagreement of catalogues',
    'disagreements of catalogues',
  ],
  'activity.unclassified': [
    'not recognised',
    'text that was not recognised',
    'texts that were not recognised',
  ],
};

/** What happened, as people read it in filters and columns. */
export const kindLabels = Object.fromEntries(
  Object.entries(kindWords).map(([kind, [label]]) => [kind, label]),
) as Readonly<Record<EventKindName, string>>;

/** `14 changes of tags`, `1 change of tags`. */
export function countedKind(count: number, kind: EventKindName): string {
  const [, one, several] = kindWords[kind];
  return `${count} ${count === 1 ? one : several}`;
}

/** A sort of changes that messages about a panel show together. */
export interface ChangeSort {
  readonly title: string;
  readonly includes: (event: PanelEvent, kind: EventKindName | undefined) => boolean;
  readonly tone: Tone;
  /** What follows a count in a headline: of one change, and of several. */
  readonly counted: readonly [one: string, several: string];
  /** In a headline after the names or the number of entities, such as `now green`; absent where it only has counts. */
  readonly verdict?: string;
  /** Whether the verdict needs no `is` before it. */
  readonly hasOwnVerb?: true;
  /** Whether the earlier ratings of its entities are unknown, which a headline then says. */
  readonly isOfUnknownRating?: true;
  /** Whether the row of an event says no more than the title. */
  readonly saysAll?: (event: PanelEvent) => boolean;
}

/** A sort with its title, in small letters, for a count. */
const sort = (
  title: string,
  includes: ChangeSort['includes'],
  own: Partial<Omit<ChangeSort, 'title' | 'includes'>> = {},
): ChangeSort => ({
  ...{ title, includes, tone: 'plain' },
  counted: [title.toLowerCase(), title.toLowerCase()],
  ...own,
});

const ofKind =
  (wanted: EventKindName): ChangeSort['includes'] =>
  (_event, kind) =>
    kind === wanted;

const ofGreen = (turn: GreenTurn): ChangeSort => {
  const { words, tone, isCertain } = greenTurns[turn];
  return sort(capitalize(words), (event) => greenTurnOfEvent(event) === turn && !isPast(event), {
    ...{ tone, verdict: turn === 'maybe-now' ? 'rated green' : words },
    ...(turn === 'maybe-no-longer' && { hasOwnVerb: true }),
    ...(!isCertain && { isOfUnknownRating: true }),
  });
};

/** What two catalogues disagree about, as a heading. */
export const DISAGREEMENTS = 'Disagreements of catalogues';

/** The sorts of changes, the most important first. A change belongs to the first sort that includes it. */
export const changeSorts: readonly ChangeSort[] = [
  ...greenTurnNames.map(ofGreen),
  sort('Found late, and so no longer', isPast, {
    counted: ['change found late, and so no longer', 'changes found late, and so no longer'],
  }),
  sort('Mode of inheritance changed', (event) => inheritanceOf(event) !== null, {
    tone: 'amber',
    counted: ['change of inheritance', 'changes of inheritance'],
  }),
  sort(DISAGREEMENTS, isDisagreement, {
    tone: 'amber',
    counted: ['disagreement of catalogues', 'disagreements of catalogues'],
  }),
  sort('Other ratings', ofKind('entity.classified'), {
    tone: 'amber',
    counted: ['other rating', 'other ratings'],
  }),
  sort('Added', ofKind('entity.added'), {
    saysAll: (event) =>
      event.type === 'gene-panel.entity.added.v1' &&
      !event.data.change.rating &&
      !event.data.change.copiedFrom,
  }),
  sort('Removed', ofKind('entity.removed'), {
    saysAll: (event) => event.type === 'gene-panel.entity.removed.v1' && !event.data.change.rating,
  }),
  sort('Renamed', ofKind('entity.renamed')),
  sort('Tags', ofKind('entity.tags-changed'), { counted: ['change of tags', 'changes of tags'] }),
  sort('Details', ofKind('entity.annotated'), { counted: ['change of details', 'changes of details'] }),
  sort('Reviews and comments', (_event, kind) => kind?.startsWith('entity.') === true, {
    counted: ['review or comment', 'reviews and comments'],
  }),
  sort('Not recognised', (_event, kind) => kind === undefined || kind === 'activity.unclassified'),
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
