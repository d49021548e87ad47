import type { PanelEvent } from '../events/schemas.ts';
import type { EntityHistory } from '../filters/entity-history.ts';
import type { Filter } from '../filters/filter.ts';
import { entitiesOfEvents } from '../filters/folded-entities.ts';
import { instantOf, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { byTime } from './by-time.ts';
import { changesState, renamesPanel, stateKinds } from './rating-events.ts';
import { reasonNotToSend } from './reason-not-to-send.ts';

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
