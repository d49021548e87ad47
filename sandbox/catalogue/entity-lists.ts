import type { PanelDetails } from './panel-details.ts';
import { withoutEntities } from './panel-details.ts';

/** The types of entities by the name of their list. */
const typesOf = {
  genes: ['genes'],
  strs: ['strs'],
  regions: ['regions'],
  entities: ['genes', 'strs', 'regions'],
} as const satisfies Readonly<Record<string, readonly (keyof Held)[]>>;
/** The lists of every entity of every public panel. */
export type EntityListName = keyof typeof typesOf;

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
export function entitiesOf(
  list: EntityListName,
  ids: readonly number[],
  details: PanelDetails,
): readonly object[] {
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
export function namedIn(
  entities: readonly object[],
  query: URLSearchParams,
  byId: boolean,
): readonly object[] {
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
