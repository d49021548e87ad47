import type { PanelEvent } from '../events/schemas.ts';
import type { EntityHistory } from '../filters/entity-history.ts';
import type { Filter } from '../filters/filter.ts';
import { entitiesOfEvents } from '../filters/net-changes.ts';
import { instantOf, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { Outbox } from './outbox.ts';
import { changesState, reasonNotToSend, renamesPanel, stateKinds } from './wanted-events.ts';

/** The order of events by their time, oldest first. */
export const byTime = (one: PanelEvent, other: PanelEvent): number =>
  (one.time ?? '').localeCompare(other.time ?? '');

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
    const newest = [...(await newestOf(own, until, history)), ...ofPanel].sort(byTime).at(-1);
    if (last && newest && (newest.time ?? '') >= (last.time ?? ''))
      renamed.set(last, onPanelOf(last, newest));
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

/** The most ratings that the history gives for one message. */
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
  const since = parseInstant(first?.time);
  const id = first?.data.panel?.id ?? null;
  if (!first || since === null || id === null) return [];
  const last = new Date(begun).toISOString();
  const ratings = (await outbox.keptRatings()).filter(({ time = '' }) => time <= last);
  if (!history) return ratings.sort(byTime);
  const found = history.find({
    catalogue: first.data.catalogue,
    since,
    until: instantOf(begun) + 1n,
    filter: { panels: [id], types: [...stateKinds] },
    order: 'oldest',
    limit: MOST_RATINGS,
  });
  for await (const event of found) if (changesState(event)) ratings.push(event);
  return ratings.sort(byTime);
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
    const period = { catalogue, since, until: instantOf(Date.parse(until)), order: 'oldest' } as const;
    const begin = own.reduce((first, { time = '' }) => (time < first ? time : first), '~');
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
    const renamings = [...known, ...notInHistory.filter(renames)].sort(byTime);
    const genes = namesOf(own, renamings);
    const about = { panels, ...(genes.length <= MOST_NAMES && { genes }) };
    const others = notInHistory.filter(({ data }) => data.entity);
    const afterLate: PanelEvent[] = [];
    for await (const event of history.find({ ...period, filter: { ...about, types: [...stateKinds] } })) {
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
  const entityOf = entitiesOfEvents([...own, ...others].sort(byTime));
  const firsts = new Map<EntityHistory | null, string>();
  for (const event of own) {
    const entity = entityOf(event);
    const { time = '' } = event;
    if (time < (firsts.get(entity) ?? '~')) firsts.set(entity, time);
  }
  return others.filter((event) => (event.time ?? '') >= (firsts.get(entityOf(event)) ?? '~'));
}
