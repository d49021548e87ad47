import { parseCreated } from '../software/created.ts';
import type { ActivityFeed, FeedRow } from './activity-feed.ts';
import { type EntityListName, entitiesOf, namedIn } from './entity-lists.ts';
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

/** A list for a request with this query. */
export type ListFor = (query: URLSearchParams) => PagedList;

/**
 * The lists by the name in their address, without the items of hidden panels: the three of the specification and, where the
 * panels are served too, those of entities.
 *
 * @param isNewer whether the lists of entities find a gene by its HGNC id too
 */
export function listsOf(
  { feed, panels, regions, details }: Content,
  isNewer: boolean,
): Readonly<Record<string, ListFor>> {
  const visible = (panel: unknown): boolean => !feed.hidden.has(idOf(panel));
  const specified = {
    activities: () => feed,
    panels: () => fixedList('Panels List', panels().filter(visible)),
    regions: () =>
      fixedList(
        'Regions List',
        regions().filter((region) => visible(fieldOf(region, 'panel'))),
      ),
  };
  if (!details) return specified;
  const entityList =
    (name: EntityListName, title: string): ListFor =>
    (query) => {
      const all = entitiesOf(name, panels().filter(visible).map(idOf), details);
      return fixedList(title, namedIn(all, query, isNewer));
    };
  return {
    ...specified,
    genes: entityList('genes', 'Genes List'),
    strs: entityList('strs', 'STRs List'),
    entities: entityList('entities', 'Entities List'),
    // The region list of the specification may be a saved one: with a name, it is searched.
    regions: (query) =>
      query.has('entity_name') ? entityList('regions', 'Regions List')(query) : specified.regions(),
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
