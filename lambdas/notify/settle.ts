import { directionOf } from '../correlation/direction.ts';
import type { Changes } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
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
 * Makes one change of several changes of one entity's rating: from the first `from` to the last `to`. `later` are
 * ratings, removals and additions of the same panel since the first event, oldest first, inside the subscription's
 * filter or outside it. A removal that is not among `events` itself, and that no addition follows, leaves nothing to
 * send of the ratings before it. Only a downgrade is sent even so, for readers who ask for downgrades alone.
 */
export function settle(
  events: readonly PanelEvent[],
  {
    later,
    wanted,
  }: { readonly later: readonly PanelEvent[]; readonly wanted: (event: PanelEvent) => boolean },
): Settled {
  const chains = Map.groupBy(
    [...new Map([...later, ...events].map((event) => [event.id, event])).values()]
      .filter(isRated)
      .sort(byTime),
    keyOf,
  );
  const presence = Map.groupBy(later.filter(isPresence), keyOf);
  const toSend = new Set(events.filter(isRemoval).map(keyOf));
  const kept: PanelEvent[] = [];
  const changedBack: PanelEvent[] = [];
  const seen = new Set<string>();
  for (const event of events) {
    if (!isRated(event)) {
      kept.push(event);
      continue;
    }
    const key = keyOf(event);
    if (seen.has(key)) continue;
    seen.add(key);
    const own = events.filter((each): each is Classified => isRated(each) && keyOf(each) === key);
    const chain = (chains.get(key) ?? own).filter((each) => byTime(each, first(own)) >= 0);
    const merged = merge(chain);
    const last = presence.get(key)?.findLast(({ time = '' }) => time > (merged.time ?? ''));
    const removed = last !== undefined && isRemoval(last);
    const gone = removed && !toSend.has(key) && merged.data.change.direction !== 'downgraded';
    const back = merged.data.change.from !== null && merged.data.change.from === merged.data.change.to;
    if (gone) changedBack.push(...own);
    else if (chain.length === 1 && chain[0]) kept.push(chain[0]);
    else if (back || !wanted(merged)) changedBack.push(...own);
    else kept.push({ ...merged, id: own.at(-1)?.id ?? merged.id });
  }
  return { events: kept, changedBack };
}

const keyOf = ({ source, subject = '' }: PanelEvent): string => `${source} ${subject}`;
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
