import { fixedList, type PagedList } from '../../lambdas/catalogue/paged-list.ts';
import { parseCreated } from '../software/values.ts';
import type { ActivityFeed, FeedRow } from './activity-feed.ts';
import { type PanelDetails, withoutEntities } from './panel-details.ts';

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

const typesOf = {
  genes: ['genes'],
  strs: ['strs'],
  regions: ['regions'],
  entities: ['genes', 'strs', 'regions'],
} as const satisfies Readonly<Record<string, readonly (keyof Held)[]>>;
/** The lists of every entity of every public panel. */
type EntityListName = keyof typeof typesOf;

interface Held {
  readonly genes?: readonly object[];
  readonly strs?: readonly object[];
  readonly regions?: readonly object[];
}

/**
 * Every entity of the panels, each with its panel. A super panel adds none: what it lists belongs to the panels that it
 * holds. Source: docs/interfaces.md, "Lists of entities".
 *
 * @param ids of the public panels, in the order of the list
 */
function entitiesOf(list: EntityListName, ids: readonly number[], details: PanelDetails): readonly object[] {
  return ids.flatMap((id) => {
    const panel = details.present(id) as Held | undefined;
    if (!panel) return [];
    const listed = withoutEntities(panel);
    return typesOf[list]
      .flatMap((type) => panel[type] ?? [])
      .filter((entity) => !('panel' in entity))
      .map((entity) => ({ ...entity, panel: listed }));
  });
}

/**
 * The entities that `?entity_name=A,B` asks for; all without it.
 * @param byId whether a name may be an id, `HGNC:1100`: newer software only
 */
function namedIn(entities: readonly object[], query: URLSearchParams, byId: boolean): readonly object[] {
  const asked = query.get('entity_name');
  if (asked === null || asked === '') return entities;
  const names = new Set(asked.split(',').map((name) => name.trim()));
  return entities.filter((entity) => {
    const { entity_name: name, gene_data: gene } = entity as {
      readonly entity_name?: unknown;
      readonly gene_data?: { readonly hgnc_id?: unknown } | null;
    };
    return names.has(String(name)) || (byId && typeof gene?.hgnc_id === 'string' && names.has(gene.hgnc_id));
  });
}
