import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/**
 * What the panels of a catalogue truly held, read from its archive without the code that is held against it: no schema, no
 * comparison and no order of `lambdas` is used here.
 */

/** A response of a detail endpoint. */
export type Detail = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly version: string;
  readonly version_created: string;
};

/** A row of the log. */
export type LogRow = Readonly<Record<string, unknown>> & {
  readonly created: string;
  readonly panel_id: number;
  readonly panel_version: string | null;
  readonly text: string;
};

/** The bodies of a catalogue that were saved. */
export interface SavedArchive {
  /** Newest first, as they are served. */
  readonly activities: readonly LogRow[];
  readonly current: Readonly<Record<string, Detail>>;
  /** By `<panel id>@<version>`. */
  readonly versions: Readonly<Record<string, Detail>>;
  readonly signedOff: readonly Readonly<Record<string, unknown>>[];
}

/** Where the archive of the real software is, beside the repository; a clone may lack it. */
export const archiveOfSamples = join(import.meta.dirname, '../../../shared/samples/versions');

export const hasSamples = existsSync(archiveOfSamples);

/** Reads a directory of `activities.json.gz`, `current.json.gz`, `versions.json.gz` and `signedoff.json.gz`. */
export function readArchive(directory: string): SavedArchive {
  const read = (name: string) =>
    JSON.parse(gunzipSync(readFileSync(join(directory, `${name}.json.gz`))).toString());
  return {
    activities: read('activities'),
    current: read('current'),
    versions: read('versions'),
    signedOff: read('signedoff'),
  };
}

/** One value of an entity in a form that can be compared: a text, or the JSON of a sorted list; `""` where nothing is given. */
export type Canonical = string;

/** The value of a field as text. A list is compared without order and repeats. */
export function canonical(value: unknown): Canonical {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value)) {
    const items = [...new Set(value.map(String))].sort();
    return items.length === 0 ? '' : JSON.stringify(items);
  }
  return String(value);
}

/** The items of a list in canonical form. */
export const itemsOf = (list: Canonical): string[] => (list === '' ? [] : JSON.parse(list));

/** What the archive shows of one entity, by field; a field that was not served is absent. */
export type TrueEntity = ReadonlyMap<string, Canonical>;

/** A panel at the end of a version. */
export interface TrueVersion {
  readonly version: string;
  /** Microseconds since 1970. */
  readonly begun: bigint;
  readonly isSuper: boolean;
  /** By type and name in small letters; several where a panel holds one name twice. */
  readonly entities: ReadonlyMap<string, readonly TrueEntity[]>;
  readonly detail: Detail;
}

/** The versions of each panel, oldest first. */
export type Truth = ReadonlyMap<number, readonly TrueVersion[]>;

export const entityKey = (type: unknown, name: unknown): string => `${type} ${String(name).toLowerCase()}`;

const ratingNames: Readonly<Record<string, string>> = {
  '0': 'none',
  '1': 'red',
  '2': 'amber',
  '3': 'green',
  '4': 'green',
};

/** Where a detail serves what an event calls by another name. */
const servedAs: Readonly<Record<string, string>> = {
  tags: 'tags',
  sources: 'evidence',
  modeOfInheritance: 'mode_of_inheritance',
  modeOfPathogenicity: 'mode_of_pathogenicity',
  penetrance: 'penetrance',
  phenotypes: 'phenotypes',
  publications: 'publications',
  transcript: 'transcript',
  chromosome: 'chromosome',
  verboseName: 'verbose_name',
  variantType: 'type_of_variants',
  requiredOverlapPercentage: 'required_overlap_percentage',
  'repeats sequence': 'repeated_sequence',
  'repeats normal': 'normal_repeats',
  'repeats pathogenic': 'pathogenic_repeats',
  'dosage haploinsufficiency': 'haploinsufficiency_score',
  'dosage triplosensitivity': 'triplosensitivity_score',
};

/** A source by which experts rate an entity: the rating says it, and events of sources leave it out. */
const ratesByExperts = (source: unknown): boolean =>
  /^Expert Review (?:Green|Amber|Red|Removed)$/.test(String(source).trim());

/** The sources of an entity, but for those that rate it. */
export const otherSources = (sources: unknown): unknown =>
  Array.isArray(sources) ? sources.filter((source) => !ratesByExperts(source)) : sources;

/** Every field that is held against the archive. */
export const trueFields: readonly string[] = [
  'rating',
  ...Object.keys(servedAs),
  'coordinates GRCh37',
  'coordinates GRCh38',
];

const span = (value: unknown): Canonical => (Array.isArray(value) ? value.join('-') : canonical(value));

/** The id in the newest release of GRCh38. */
function newestEnsemblId(served: unknown): Canonical {
  const { GRch38: releases = {} } = served as { GRch38?: Record<string, { ensembl_id?: string }> };
  const newest = Object.keys(releases).sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? '' : canonical(releases[newest]?.ensembl_id);
}

function trueEntity(served: Readonly<Record<string, unknown>>): TrueEntity {
  const entity = new Map<string, Canonical>();
  if ('confidence_level' in served) {
    entity.set('rating', ratingNames[String(served.confidence_level)] ?? canonical(served.confidence_level));
  }
  for (const [field, name] of Object.entries(servedAs)) {
    const value = field === 'sources' ? otherSources(served[name]) : served[name];
    if (name in served) entity.set(field, canonical(value));
  }
  for (const build of ['37', '38']) {
    const name = `grch${build}_coordinates`;
    if (name in served) entity.set(`coordinates GRCh${build}`, span(served[name]));
  }
  const gene = served.gene_data;
  if (typeof gene === 'object' && gene !== null && 'hgnc_id' in gene) {
    entity.set('hgncId', canonical(gene.hgnc_id));
    if ('omim_gene' in gene) entity.set('omimIds', canonical(gene.omim_gene));
    if ('ensembl_genes' in gene) entity.set('ensemblId', newestEnsemblId(gene.ensembl_genes));
  }
  return entity;
}

/** An instant in microseconds since 1970. */
export function microseconds(time: string): bigint {
  const [, seconds = '', fraction = '', zone = ''] = /^([^.Z+]+)(?:\.(\d+))?(.*)$/.exec(time) ?? [];
  return BigInt(Date.parse(seconds + zone)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
}

function trueVersion(detail: Detail): TrueVersion {
  const entities = new Map<string, TrueEntity[]>();
  for (const list of ['genes', 'strs', 'regions']) {
    const served = detail[list];
    for (const entity of Array.isArray(served) ? served : []) {
      const key = entityKey(entity.entity_type, entity.entity_name);
      entities.set(key, [...(entities.get(key) ?? []), trueEntity(entity)]);
    }
  }
  const children = detail.child_panel_ids;
  return {
    version: detail.version,
    begun: microseconds(detail.version_created),
    isSuper: Array.isArray(children) && children.length > 0,
    entities,
    detail,
  };
}

/** What each panel of a saved archive held at the end of each version. */
export function truthOf({ current, versions }: Pick<SavedArchive, 'current' | 'versions'>): Truth {
  const all = [...Object.values(versions), ...Object.values(current)].map(trueVersion);
  return Map.groupBy(
    all.sort((one, other) => Number(one.begun - other.begun)),
    ({ detail }) => detail.id,
  );
}
