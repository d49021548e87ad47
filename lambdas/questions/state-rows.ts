import type { StateEntity, VersionState } from '../panels/version-state.ts';
import { formatInstant, type Instant } from '../run/instant.ts';

/** A state with the name of its catalogue. */
export interface NamedState {
  readonly catalogue: string;
  readonly state: VersionState;
}

/** One entity of a state, as it is listed. A field is absent where the catalogue did not serve it. */
type StateRow = Readonly<Record<string, string | number | readonly string[] | null | undefined>>;

/** The entities of a state: by rating, green first, then by name. Each row says which state it is of. */
export function stateRows({ catalogue, state }: NamedState): readonly StateRow[] {
  const { panelId, panelName, hashId, version, validFrom, validTo, source, readAt, sha256 } = state;
  const of = { catalogue, panelId, hashId, panelName, version };
  const proof = { source, readAt: formatInstant(readAt), sha256 };
  const valid = { validFrom: formatInstant(validFrom), validTo: timeOf(validTo) };
  return byRating(state.entities).map((entity) => ({ ...of, ...valid, ...entityRow(entity), ...proof }));
}

/** The names of the columns of a list, in their order. */
export const stateColumns = [
  'catalogue',
  'panelId',
  'hashId',
  'panelName',
  'version',
  'validFrom',
  'validTo',
  'type',
  'name',
  'hgncId',
  'ensemblId',
  'omimIds',
  'rating',
  'tags',
  'modeOfInheritance',
  'modeOfPathogenicity',
  'penetrance',
  'phenotypes',
  'publications',
  'evidence',
  'transcript',
  'location',
  'locationGRCh37',
  'repeatedSequence',
  'normalRepeats',
  'pathogenicRepeats',
  'verboseName',
  'variantType',
  'haploinsufficiency',
  'triplosensitivity',
  'requiredOverlap',
  'fromPanelId',
  'fromPanelName',
  'fromPanelVersion',
  'source',
  'readAt',
  'sha256',
] as const;

function entityRow(entity: StateEntity): StateRow {
  const { type, name, hgncId, ensemblIds, omimIds, rating, locations, child } = entity;
  return {
    type,
    name,
    hgncId,
    ensemblId: ensemblIds.GRCh38,
    omimIds,
    rating,
    tags: entity.tags,
    modeOfInheritance: entity.modeOfInheritance,
    modeOfPathogenicity: entity.modeOfPathogenicity,
    penetrance: entity.penetrance,
    phenotypes: entity.phenotypes,
    publications: entity.publications,
    evidence: entity.evidence,
    transcript: entity.transcript,
    location: locations.GRCh38,
    locationGRCh37: locations.GRCh37,
    repeatedSequence: entity.repeatedSequence,
    normalRepeats: entity.normalRepeats,
    pathogenicRepeats: entity.pathogenicRepeats,
    verboseName: entity.verboseName,
    variantType: entity.variantType,
    haploinsufficiency: entity.haploinsufficiency,
    triplosensitivity: entity.triplosensitivity,
    requiredOverlap: entity.requiredOverlap,
    ...(child && { fromPanelId: child.id, fromPanelName: child.name, fromPanelVersion: child.version }),
  };
}

const timeOf = (at: Instant | null): string | null => (at === null ? null : formatInstant(at));

const order = ['green', 'amber', 'red', 'none', null] as const;

/** Green first; equal ratings by name, and by panel where a super panel holds one gene several times. */
export function byRating(entities: readonly StateEntity[]): readonly StateEntity[] {
  const place = ({ rating, name, type, child }: StateEntity): readonly [number, string] => [
    order.indexOf(rating),
    `${name}\n${type}\n${child?.id ?? ''}`,
  ];
  const placed = entities.map((entity) => ({ entity, place: place(entity) }));
  placed.sort(({ place: [rating, name] }, { place: [otherRating, otherName] }) => {
    if (rating !== otherRating) return rating - otherRating;
    return name < otherName ? -1 : 1;
  });
  return placed.map(({ entity }) => entity);
}
