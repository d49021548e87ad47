import { parseCreated } from '../software/created.ts';
import type { ActivityFeed, FeedRow } from './activity-feed.ts';
import { fixedList, type PagedList } from './paged-list.ts';
import type { PanelDetails } from './panel-details.ts';

/** The content of a catalogue. `panels` and `regions` give the present items. */
export interface Content {
  readonly feed: ActivityFeed;
  panels(): readonly unknown[];
  regions(): readonly unknown[];
  /** What the detail endpoints answer from; absent where they are missing. */
  readonly details?: PanelDetails;
}

/** The three lists by the name in their address, without the items of hidden panels. */
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

/** Makes a row of the log. It is placed by its `created`, or by `otherwise` where that is not a time. */
export function feedRow(row: unknown, otherwise: number): FeedRow {
  const created = fieldOf(row, 'created');
  const at = typeof created === 'string' ? parseCreated(created) : undefined;
  return { at: at ?? otherwise, panelId: fieldOf(row, 'panel_id'), row };
}
