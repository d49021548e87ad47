import type { Rating } from '../events/changes.ts';
import { withoutCorrected } from '../events/corrections.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { inOrder } from './event-order.ts';
import { nameKey } from './followed-panel.ts';

/** Two events of one entity of a panel, where the later one states another rating before than the earlier one led to. */
interface Contradiction {
  readonly before: PanelEvent;
  readonly event: PanelEvent;
}

/** What an event led to. */
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
