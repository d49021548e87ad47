import { hash } from 'node:crypto';
import type { DetailedEntity, PanelDetail } from '../catalogue/schemas.ts';
import type { Rating } from '../events/changes.ts';
import { type Instant, parseInstant } from '../run/instant.ts';
import { type Proof, type StateEntity, stateEntityFields, type VersionState } from './version-state.ts';

interface Reading {
  readonly source: VersionState['source'];
  readonly readAt: Instant;
  readonly proof: Proof;
}

/** The state that a response of the catalogue shows. `validTo` is unknown from one response alone. */
export function stateFromDetail(panel: PanelDetail, { source, readAt, proof }: Reading): VersionState {
  const entities = [...panel.genes, ...(panel.strs ?? []), ...(panel.regions ?? [])].map(stateEntity);
  return {
    panelId: panel.id,
    panelName: panel.name,
    hashId: panel.hash_id ?? null,
    status: panel.status ?? null,
    types: panel.types?.map(({ slug }) => slug) ?? [],
    relevantDisorders: panel.relevant_disorders ?? [],
    childPanels: [...(panel.child_panel_ids ?? childrenIn(panel.id, entities))],
    version: panel.version,
    whole: ['gene', ...(panel.strs ? ['str' as const] : []), ...(panel.regions ? ['region' as const] : [])],
    validFrom: parseInstant(panel.version_created) ?? readAt,
    validTo: null,
    source,
    readAt,
    sha256: contentHash(entities),
    entityCount: entities.length,
    greenCount: entities.filter(({ rating }) => rating === 'green').length,
    proof,
    entities,
  };
}

/** The panels that entities come from: older software does not list those of a super panel. */
function childrenIn(own: number, entities: readonly StateEntity[]): readonly number[] {
  const ids = new Set(entities.flatMap(({ child }) => (child && child.id !== own ? [child.id] : [])));
  return [...ids].sort((one, other) => one - other);
}

/** Fields that a state keeps as they are served, where they are. */
const asServed = [
  { field: 'tags', served: 'tags' },
  { field: 'evidence', served: 'evidence' },
  { field: 'phenotypes', served: 'phenotypes' },
  { field: 'publications', served: 'publications' },
  { field: 'transcript', served: 'transcript' },
  { field: 'modeOfInheritance', served: 'mode_of_inheritance' },
  { field: 'modeOfPathogenicity', served: 'mode_of_pathogenicity' },
  { field: 'penetrance', served: 'penetrance' },
  { field: 'chromosome', served: 'chromosome' },
  { field: 'repeatedSequence', served: 'repeated_sequence' },
  { field: 'normalRepeats', served: 'normal_repeats' },
  { field: 'pathogenicRepeats', served: 'pathogenic_repeats' },
  { field: 'verboseName', served: 'verbose_name' },
  { field: 'variantType', served: 'type_of_variants' },
  { field: 'haploinsufficiency', served: 'haploinsufficiency_score' },
  { field: 'triplosensitivity', served: 'triplosensitivity_score' },
  { field: 'requiredOverlap', served: 'required_overlap_percentage' },
] as const satisfies readonly { readonly field: keyof StateEntity; readonly served: keyof DetailedEntity }[];

function stateEntity(served: DetailedEntity): StateEntity {
  const gene = served.gene_data ?? null;
  const ofGene = newestReleases(gene?.ensembl_genes ?? []);
  const { chromosome = null } = served;
  const spanOf = (coordinates: readonly [number, number] | null | undefined): string | null =>
    coordinates ? `${chromosome ?? '?'}:${coordinates.join('-')}` : null;
  const isGene = served.entity_type === 'gene';
  const stated: Omit<StateEntity, 'child'> = {
    type: served.entity_type,
    name: served.entity_name,
    hgncId: gene?.hgnc_id ?? null,
    ensemblIds: { GRCh37: ofGene.GRCh37.id, GRCh38: ofGene.GRCh38.id },
    omimIds: gene?.omim_gene ?? [],
    locations: {
      GRCh37: isGene ? ofGene.GRCh37.location : spanOf(served.grch37_coordinates),
      GRCh38: isGene ? ofGene.GRCh38.location : spanOf(served.grch38_coordinates),
    },
    rating: ratingOfLevel(served.confidence_level),
  };
  const entity: Partial<Record<keyof StateEntity, unknown>> = stated;
  // A field without a value would be written as such by some stores and dropped by others.
  for (const { field, served: name } of asServed) {
    const value = served[name];
    if (value !== undefined) entity[field] = value;
  }
  entity.child = served.panel
    ? { id: served.panel.id, name: served.panel.name ?? null, version: served.panel.version ?? null }
    : null;
  return entity as StateEntity;
}

/** The catalogue's confidence level as a rating: 3 and 4 are green; null where it is not served. */
function ratingOfLevel(level: string | null | undefined): Rating | null {
  switch (level) {
    case '4':
    case '3':
      return 'green';
    case '2':
      return 'amber';
    case '1':
      return 'red';
    case '0':
      return 'none';
    default:
      return null;
  }
}

type Ensembl = NonNullable<NonNullable<DetailedEntity['gene_data']>['ensembl_genes']>;

interface EnsemblGene {
  readonly id: string | null;
  readonly location: string | null;
}

/** The gene of the newest Ensembl release in each genome build. The catalogue writes `GRch37`. */
function newestReleases(genes: Ensembl): { readonly GRCh37: EnsemblGene; readonly GRCh38: EnsemblGene } {
  const newestOf = (build: string): EnsemblGene => {
    const [, releases = []] = genes.find(([name]) => name.toLowerCase() === build) ?? [];
    const [first] = releases;
    const newest = releases.reduce(
      (one, other) => (Number(other[0]) > Number(one?.[0]) ? other : one),
      first,
    );
    return { id: newest?.[1]?.ensembl_id ?? null, location: newest?.[1]?.location ?? null };
  };
  return { GRCh37: newestOf('grch37'), GRCh38: newestOf('grch38') };
}

const fieldsInOrder = stateEntityFields.toSorted();

/** The SHA-256 of entities in canonical form: neither their order nor that of their lists matters. */
export function contentHash(entities: readonly StateEntity[]): string {
  return hash('sha256', entities.map(canonical).sort().join('\n'), 'hex');
}

function canonical(entity: StateEntity): string {
  const fields: unknown[] = [];
  for (const field of fieldsInOrder) {
    const value = entity[field];
    if (value === undefined) continue;
    fields.push([field, Array.isArray(value) && value.length > 1 ? value.toSorted() : value]);
  }
  return JSON.stringify(fields);
}
