import { directionOf } from '../correlation/direction.ts';
import type { Changes } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { losesItsRating } from '../subscriptions/entity-history.ts';
import { type EntityLineage, entityLineages } from '../subscriptions/entity-lineages.ts';
import { byTime } from './by-time.ts';
import { isPresence, isRated, isRemoval } from './rating-events.ts';

type Classified = PanelEvent<'entity.classified'>;

/** What remained of changes that followed each other within a set time. */
interface Settled {
  readonly events: readonly PanelEvent[];
  /** Events that gave nothing to send: the rating went back, or on to one outside the filter, or its entity was removed. */
  readonly changedBack: readonly PanelEvent[];
}

/**
 * Makes one change of several changes of one entity's rating: from the first `from` to the last `to`, under the name that
 * the entity has in the end. `later` are the events of the same panel since the first event that change the state of an
 * entity, oldest first, inside the subscription's filter or outside it. Nothing is sent of a rating that a removal, or
 * the loss of the source that gave it, has overtaken; only a downgrade is sent even so, for readers who ask for downgrades
 * alone. What was added and removed again gives nothing.
 */
export function settle(
  events: readonly PanelEvent[],
  {
    later,
    wanted,
  }: { readonly later: readonly PanelEvent[]; readonly wanted: (event: PanelEvent) => boolean },
): Settled {
  const all = [...new Map([...later, ...events].map((event) => [event.id, event])).values()].sort(byTime);
  const lineages = entityLineages(all);
  const chains = Map.groupBy(all.filter(isRated), (event) => lineages.of(event));
  const presence = Map.groupBy(all.filter(isPresence), (event) => lineages.of(event));
  const clearings = Map.groupBy(all.filter(isAnnotated), (event) => lineages.of(event));
  const toSend = Map.groupBy(events.filter(isPresence), (event) => lineages.of(event));
  const kept: PanelEvent[] = [];
  const changedBack: PanelEvent[] = [];
  const seen = new Set<EntityLineage | null>();
  for (const event of events) {
    const lineage = lineages.of(event);
    const own = toSend.get(lineage) ?? [];
    const cameAndWent = wasAddedAndRemoved(own);
    if (!isRated(event)) {
      (cameAndWent && isPresence(event) ? changedBack : kept).push(event);
      continue;
    }
    if (seen.has(lineage)) continue;
    seen.add(lineage);
    const ratings = events.filter(
      (each): each is Classified => isRated(each) && lineages.of(each) === lineage,
    );
    const chain = (chains.get(lineage) ?? ratings).filter((each) => byTime(each, first(ratings)) >= 0);
    const merged = underItsName(merge(chain), lineage);
    const { from, to, direction } = merged.data.change;
    const after = ({ time = '' }: PanelEvent): boolean => time > (merged.time ?? '');
    const last = presence.get(lineage)?.findLast(after);
    const removed = last !== undefined && isRemoval(last) && direction !== 'downgraded';
    const cleared = clearings
      .get(lineage)
      ?.some((each) => after(each) && losesItsRating(each, to ?? undefined));
    const back = from !== null && from === to;
    if (cameAndWent || removed || cleared) changedBack.push(...ratings);
    else if (chain.length === 1) kept.push(merged);
    else if (back || !wanted(merged)) changedBack.push(...ratings);
    else kept.push({ ...merged, id: ratings.at(-1)?.id ?? merged.id });
  }
  return { events: kept, changedBack };
}

/** Whether the first event of an entity's coming and going, oldest first, is an addition, and the last a removal. */
const wasAddedAndRemoved = (own: readonly PanelEvent[]): boolean => {
  const [begin] = own;
  const end = own.at(-1);
  return begin !== undefined && end !== undefined && !isRemoval(begin) && isRemoval(end);
};

/** The event about the entity under the name that it has now. */
function underItsName(event: Classified, lineage: EntityLineage | null): Classified {
  const { entity } = event.data;
  if (lineage === null || lineage.entity.name === entity.name) return event;
  const subject = event.subject?.replace(/[^/]*$/, () => lineage.entity.name);
  return {
    ...event,
    ...(subject !== undefined && { subject }),
    data: { ...event.data, entity: lineage.entity },
  };
}

const isAnnotated = (event: PanelEvent): event is PanelEvent<'entity.annotated'> =>
  event.type === 'gene-panel.entity.annotated.v1';
const first = (events: readonly Classified[]): Classified => [...events].sort(byTime)[0] as Classified;

function merge(chain: readonly Classified[]): Classified {
  const newest = chain.at(-1) as Classified;
  const oldest = chain[0] as Classified;
  const { from, direction } = oldest.data.change;
  const { to } = newest.data.change;
  const change: Changes['entity.classified'] = {
    from,
    to,
    direction: direction === 'new' ? direction : directionOf(from, to),
  };
  return { ...newest, data: { ...newest.data, change } };
}
