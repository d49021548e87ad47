import type { ActivityFeed, FeedRow } from './activity-feed.ts';
import { parseCreated } from './created.ts';
import { fixedList, type PagedList } from './paged-list.ts';

/** What a catalogue holds. The lists of panels and regions are as they are at that moment. */
export interface Content {
  readonly feed: ActivityFeed;
  panels(): readonly unknown[];
  regions(): readonly unknown[];
}

/** The three lists by the name in their address; what belongs to a hidden panel is in none of them. */
export function listsOf({ feed, panels, regions }: Content): Readonly<Record<string, () => PagedList>> {
  const visible = (panel: unknown): boolean => !feed.hidden.has(idOf(panel));
  return {
    activities: () => feed,
    panels: () => fixedList('Panels List', panels().filter(visible)),
    regions: () =>
      fixedList(
        'Regions List',
        regions().filter((region) => visible(fieldOf(region, 'panel'))),
      ),
  };
}

function idOf(panel: unknown): number {
  return Number(fieldOf(panel, 'id'));
}

function fieldOf(item: unknown, field: string): unknown {
  return typeof item === 'object' && item !== null ? (item as Record<string, unknown>)[field] : undefined;
}

/** A row as it is served, kept by its own time; by `otherwise` where it has none that can be read. */
export function feedRow(row: unknown, otherwise: number): FeedRow {
  const created = fieldOf(row, 'created');
  const at = typeof created === 'string' ? parseCreated(created) : undefined;
  return { at: at ?? otherwise, panelId: fieldOf(row, 'panel_id'), row };
}
