import { type EventKindName, eventKinds } from '../events/changes.ts';
import {
  compareInOrder,
  comparePlaces,
  inOrder,
  OPEN_TRANSACTION,
  placeOf,
  timeOf,
} from '../events/order.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import { firstStated } from '../events/summary.ts';
import type { EntityHistory } from '../filters/entity-history.ts';
import { compileFilter, type Filter } from '../filters/filter.ts';
import { type NameBook, type Names, noNames } from '../filters/names.ts';
import { entitiesOfEvents } from '../filters/net-changes.ts';
import { formatInstant, instantOf, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { Outbox } from './outbox.ts';
import { filtersOfSubscription, type Subscription } from './subscription.ts';

/** The newest event of the panel of some events up to `begun`, in milliseconds since the epoch, if the history has one. */
export async function newestOf(
  [first]: readonly PanelEvent[],
  begun: number,
  history: Pick<History, 'find'> | null,
): Promise<readonly PanelEvent[]> {
  const id = first?.data.panel?.id ?? null;
  if (!history || !first || id === null) return [];
  const { catalogue } = first.data;
  const until = instantOf(begun) + 1n;
  const found = history.find({ catalogue, until, filter: { panels: [id] }, order: 'newest', limit: 1 });
  for await (const event of found) return [event];
  return [];
}

/** Each look-up is a query; the panels of a burst keep the names that their events have. */
const MOST_PANELS = 50;

/**
 * Events of several panels, oldest first, the last of each panel under the name that the panel has then.
 * @param until in milliseconds since the epoch
 * @param kept events that the history may not have yet
 */
export async function underPresentNames(
  events: readonly PanelEvent[],
  until: number,
  { history, kept }: { readonly history: Pick<History, 'find'> | null; readonly kept: readonly PanelEvent[] },
): Promise<readonly PanelEvent[]> {
  const ofPanels = Map.groupBy(events, ({ source, data }) => `${source} ${data.panel?.id ?? ''}`);
  const renamed = new Map<PanelEvent, PanelEvent>();
  for (const own of [...ofPanels.values()].slice(0, MOST_PANELS)) {
    const last = own.at(-1);
    const ofPanel = kept.filter(
      ({ source, time = '', data }) =>
        source === last?.source && data.panel?.id === last.data.panel?.id && Date.parse(time) <= until,
    );
    const newest = inOrder([...(await newestOf(own, until, history)), ...ofPanel]).at(-1);
    if (last && newest && compareInOrder(newest, last) >= 0) renamed.set(last, onPanelOf(last, newest));
  }
  return events.map((event) => renamed.get(event) ?? event);
}

/** An event on its panel under the name that the panel has in another event. */
export function onPanelOf<Event extends PanelEvent>(
  event: Event,
  { data: { panel: named } }: PanelEvent,
): Event {
  const { panel } = event.data;
  if (!panel || !named || named.name === panel.name) return event;
  return { ...event, data: { ...event.data, panel: { ...panel, name: named.name } } };
}

interface RatingsSources {
  readonly outbox: Outbox;
  readonly history: Pick<History, 'find'> | null;
}

const MOST_RATINGS = 5_000;

/**
 * The events that change the state of an entity, or the name, on the panel of some events: from the first of them among these events to `begun`, when their delivery was begun (milliseconds since the epoch). Oldest first; those outside the
 * subscription's filter are among them.
 */
export async function ratingsSince(
  events: readonly PanelEvent[],
  begun: number,
  { outbox, history }: RatingsSources,
): Promise<readonly PanelEvent[]> {
  const first = events.find(changesState);
  const at = parseInstant(first?.time);
  const id = first?.data.panel?.id ?? null;
  if (!first || at === null || id === null) return [];
  const last = new Date(begun).toISOString();
  const ratings = (await outbox.keptRatings()).filter(({ time = '' }) => time <= last);
  if (!history) return inOrder(ratings);
  const found = history.find({
    catalogue: first.data.catalogue,
    // A row of another transaction may be stamped before this one and come after it.
    since: at - OPEN_TRANSACTION,
    until: instantOf(begun) + 1n,
    filter: { panels: [id], types: [...stateKinds] },
    order: 'oldest',
    limit: MOST_RATINGS,
  });
  for await (const event of found)
    if (changesState(event) && comparePlaces(placeOf(event), placeOf(first)) >= 0) ratings.push(event);
  return inOrder(ratings);
}

interface OutsideOptions {
  readonly filter: Filter;
  /** The end of the digest's period, ISO 8601. */
  readonly until: string;
  /** Events that were published in the last days, which the history may not have yet. */
  readonly kept: readonly PanelEvent[];
  readonly history: Pick<History, 'find'> | null;
}

/** The most genes that a query names; for more of them, it reads all ratings of the panels. */
const MOST_NAMES = 100;

/**
 * The events that a digest does not have and that change the state of the entities that it is about: those that its filter leaves out,
 * and those of an earlier digest after a change that was found late. A gene that turned green and then amber, or was then removed or
 * renamed, is not green in the end under that name, also where the filter asks for `to: green` alone.
 */
export async function ratingsOutsideFilter(
  events: readonly PanelEvent[],
  { filter, until, kept, history }: OutsideOptions,
): Promise<readonly PanelEvent[]> {
  const rated = events.filter((event) => changesState(event) && (leavesStatesOut(filter) || event.data.late));
  if (!history || rated.length === 0) return [];
  const unwanted = reasonNotToSend(filter);
  const found: PanelEvent[] = [];
  for (const [catalogue, own] of Map.groupBy(rated, ({ data }) => data.catalogue)) {
    const since = parseInstant(own.map(({ time = '' }) => time).sort()[0]);
    const panels = [...new Set(own.flatMap(({ data }) => data.panel?.id ?? []))];
    if (since === null || panels.length === 0) continue;
    // A row of another transaction may be stamped before one of these and come after it.
    const open = since - OPEN_TRANSACTION;
    const period = { catalogue, since, until: instantOf(Date.parse(until)), order: 'oldest' } as const;
    const begin = formatInstant(open);
    const notInHistory = kept.filter(
      ({ time = '', data }) =>
        data.catalogue === catalogue &&
        panels.includes(data.panel?.id ?? Number.NaN) &&
        begin <= time &&
        Date.parse(time) < Date.parse(until),
    );
    const known: PanelEvent[] = [];
    const types = ['entity.renamed', 'panel.changed'] as const;
    for await (const event of history.find({ ...period, filter: { panels, types } })) known.push(event);
    const notKnown = notInHistory.filter((event) => renames(event) && timeOf(event) >= since);
    const renamings = inOrder([...known, ...notKnown]);
    const genes = namesOf(own, renamings);
    const about = { panels, ...(genes.length <= MOST_NAMES && { genes }) };
    const others = notInHistory.filter(({ data }) => data.entity);
    const afterLate: PanelEvent[] = [];
    for await (const event of history.find({
      ...period,
      since: open,
      filter: { ...about, types: [...stateKinds] },
    })) {
      if (!event.data.entity || !changesState(event)) continue;
      // What the filter wants and the digest does not have belongs to another digest.
      (unwanted(event) === 'filter' ? others : afterLate).push(event);
    }
    const ofPanels = renamings.filter((event) => renamesPanel(event) && unwanted(event) === 'filter');
    const late = own.filter(({ data }) => data.late);
    found.push(...ofPanels, ...ofTheSameEntities(own, others), ...ofTheSameEntities(late, afterLate));
  }
  const present = new Set(events.map(({ id }) => id));
  return [...new Map(found.map((event) => [event.id, event])).values()].filter(({ id }) => !present.has(id));
}

const renames = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.renamed.v1' || renamesPanel(event);

/** The names of the entities of some events, and those that later renamings, oldest first, gave them. */
function namesOf(events: readonly PanelEvent[], renamings: readonly PanelEvent[]): readonly string[] {
  const names = new Set(events.flatMap(({ data }) => data.entity?.name ?? []));
  for (const event of renamings) {
    if (event.type !== 'gene-panel.entity.renamed.v1') continue;
    const { from, to } = event.data.change;
    if (names.has(from)) names.add(to);
  }
  return [...names];
}

/** Whether a filter may leave out what changes the state of an entity after an event that it lets pass. */
const leavesStatesOut = ({
  panels,
  panelTypes,
  rCodes,
  genes,
  entityTypes,
  catalogues,
  ...others
}: Filter): boolean => Object.values(others).some((key) => key !== undefined);

/** Those of `others` that are about entities of `own`, under any name, and not before their first event there. */
function ofTheSameEntities(own: readonly PanelEvent[], others: readonly PanelEvent[]): readonly PanelEvent[] {
  const entityOf = entitiesOfEvents(inOrder([...own, ...others]));
  const firsts = new Map<EntityHistory | null, PanelEvent>();
  for (const event of inOrder(own)) {
    const entity = entityOf(event);
    if (!firsts.has(entity)) firsts.set(entity, event);
  }
  return others.filter((event) => {
    const first = firsts.get(entityOf(event));
    return first !== undefined && comparePlaces(placeOf(event), placeOf(first)) >= 0;
  });
}

/** The kinds of events after which what was published of an entity, or a panel's name, may no longer hold, or holds again. */
const stateKinds = [
  'entity.classified',
  'entity.removed',
  'entity.added',
  'entity.renamed',
  'entity.annotated',
  'panel.changed',
] as const;

/** Whether an event changes the rating of an entity; one that confirms it does not. */
export const isRated = (event: PanelEvent): event is PanelEvent<'entity.classified'> =>
  event.type === 'gene-panel.entity.classified.v1' && event.data.change.direction !== 'unchanged';

/** Whether an event takes an entity off its panel. */
export const isRemoval = (event: PanelEvent): boolean => event.type === 'gene-panel.entity.removed.v1';

/** Whether an event says that an entity is on its panel, or no longer. */
export const isPresence = (event: PanelEvent): boolean =>
  isRemoval(event) || event.type === 'gene-panel.entity.added.v1';

/** Whether an event renames an entity, or removes sources of which one may have given the rating. */
const renamesOrClears = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.renamed.v1' ||
  (event.type === 'gene-panel.entity.annotated.v1' &&
    event.data.change.changes.some(({ field }) => field === 'sources'));

/** Whether an event gives a panel another name. */
export const renamesPanel = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.panel.changed.v1' &&
  event.data.change.changes.some(({ field }) => field === 'name');

const changesState = (event: PanelEvent): boolean =>
  isRated(event) || isPresence(event) || renamesOrClears(event) || renamesPanel(event);

/** Why a subscription does not send an event; null where it does. */
export type ReasonNotToSend = 'filter' | 'unchanged' | 'review' | 'disagreement' | null;

/**
 * Decides which events a subscription sends. Ratings that were only confirmed, reviews, and disagreements of catalogues are left out
 * unless the filter asks for them by name: most people want to know what changed. A correction is sent too where the event that it corrects was:
 * its reader has something false.
 */
export function reasonNotToSend(
  filter: Filter,
  names: Names = noNames,
): (event: PanelEvent) => ReasonNotToSend {
  const matches = compileFilter(filter, names);
  const unchanged = filter.direction?.includes('unchanged') ?? false;
  const asked = topicsAsked(filter);
  const reasonOf = (event: PanelEvent): ReasonNotToSend => {
    const kind = kindOf(event.type);
    if (kind === undefined || !matches(event)) return 'filter';
    if (event.type === 'gene-panel.entity.classified.v1') {
      return !unchanged && event.data.change.direction === 'unchanged' ? 'unchanged' : null;
    }
    const { topic } = eventKinds[kind];
    if (topic === 'reviews' && !asked.has(topic)) return 'review';
    return topic === 'disagreements' && !asked.has(topic) ? 'disagreement' : null;
  };
  return (event) => {
    const reason = reasonOf(event);
    const first = reason === null ? null : firstStated(event);
    return first !== null && reasonOf(first) === null ? null : reason;
  };
}

/** Decides which events a subscription takes, as `reasonNotToSend` does for each of its filters. */
export function reasonNotToTake(
  subscription: Pick<Subscription, 'filter' | 'whenSignedOff'>,
  names: Names = noNames,
): (event: PanelEvent) => ReasonNotToSend {
  const [own, ...others] = filtersOfSubscription(subscription).map((each) => reasonNotToSend(each, names));
  return (event) => (others.some((unwanted) => unwanted(event) === null) ? null : (own?.(event) ?? null));
}

function topicsAsked({ topics = [], types = [] }: Filter): ReadonlySet<string> {
  const named = types.map((type) => kindOf(type) ?? (type as EventKindName));
  return new Set([...topics, ...named.map((kind) => eventKinds[kind].topic)]);
}

/** Whether a filter asks for what catalogues disagree about. */
export const asksForDisagreements = (filter: Filter): boolean => topicsAsked(filter).has('disagreements');

/** What a subscription does with an event: send it, keep it because it may overtake what waits, or nothing. */
type Interest = 'wanted' | 'kept' | 'none';

/**
 * Decides about events for all subscriptions, by the names that panels and entities have when an event arrives.
 * @param names the names that are known so far; without them a filter compares those that an event has
 */
export function interestsOf(
  subscriptions: readonly Subscription[],
  names?: () => Promise<NameBook>,
): (event: PanelEvent) => Promise<readonly Interest[]> {
  const asksForNames = subscriptions
    .flatMap(filtersOfSubscription)
    .some(({ panels, genes }) => panels ?? genes);
  let compiled = compile(subscriptions, noNames);
  return async (event) => {
    if (names && asksForNames) {
      const known = await names();
      known.learnEvent(event);
      if (known !== compiled.names || known.revision !== compiled.revision)
        compiled = compile(subscriptions, known);
    }
    return compiled.tests.map(({ unwanted, mayRevert }) =>
      unwanted(event) === null ? 'wanted' : mayRevert(event) ? 'kept' : 'none',
    );
  };
}

const compile = (subscriptions: readonly Subscription[], names: Names) => ({
  names,
  revision: names.revision,
  tests: subscriptions.map((subscription) => ({
    unwanted: reasonNotToTake(subscription, names),
    mayRevert: mayRevert(subscription, names),
  })),
});

/**
 * Whether an event outside the filter of a subscription may change what waits for its message: a change to amber, or a
 * removal, where the filter asks for green; an addition after the removal; a new name; the loss of a source.
 */
function mayRevert({ filter }: Subscription, names: Names): (event: PanelEvent) => boolean {
  // Also without a time to settle: of many changes, those beyond a few wait. And a history may lag behind a digest.
  const { to: _to, from: _from, direction: _direction, topics: _topics, types: _types, ...rest } = filter;
  const { green: _green, inheritanceFrom: _before, inheritanceTo: _now, ...others } = rest;
  const matches = compileFilter(others, names);
  return (event) => changesState(event) && matches(event);
}
