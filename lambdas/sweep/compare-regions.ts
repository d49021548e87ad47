import { directionOf } from '../correlation/direction.ts';
import type { Annotation } from '../events/changes.ts';
import type { Entity } from '../events/schemas.ts';
import { type Difference, difference } from './difference.ts';
import type { ListedRegion } from './listed.ts';
import { sameValue } from './same-value.ts';

/** What changed of the regions of one panel between two listings. */
export function compareRegions(
  before: readonly ListedRegion[],
  after: readonly ListedRegion[],
): readonly Difference[] {
  const old = new Map(before.map((region) => [region.name, region]));
  const names = new Set(after.map(({ name }) => name));
  return [
    ...before.filter(({ name }) => !names.has(name)).map(removed),
    ...after.flatMap((region) => {
      const known = old.get(region.name);
      return known ? changesOf(known, region) : added(region);
    }),
  ];
}

const entityOf = ({ name }: ListedRegion): Entity => ({ type: 'region', name });

function removed(region: ListedRegion): Difference {
  return difference('entity.removed', { rating: region.rating, via: 'listing' }, entityOf(region));
}

function added(region: ListedRegion): readonly Difference[] {
  const entity = entityOf(region);
  const { rating, tags, modeOfInheritance, modeOfPathogenicity, penetrance, phenotypes, publications } =
    region;
  const facts = { modeOfInheritance, modeOfPathogenicity, penetrance, phenotypes, publications };
  const differences = [
    difference(
      'entity.added',
      { rating, sources: [], tags, copiedFrom: null, ...facts, via: 'listing' },
      entity,
    ),
    difference('entity.classified', { from: null, to: rating, direction: 'new', via: 'listing' }, entity),
  ];
  if (tags.length === 0) return differences;
  return [
    ...differences,
    difference('entity.tags-changed', { added: tags, removed: [], via: 'listing' }, entity),
  ];
}

function changesOf(before: ListedRegion, after: ListedRegion): readonly Difference[] {
  const entity = entityOf(after);
  const differences: Difference[] = [];
  if (before.rating !== after.rating) {
    const direction = directionOf(before.rating, after.rating);
    const change = { from: before.rating, to: after.rating, direction, via: 'listing' } as const;
    differences.push(difference('entity.classified', change, entity));
  }
  const tags = {
    added: after.tags.filter((tag) => !before.tags.includes(tag)),
    removed: before.tags.filter((tag) => !after.tags.includes(tag)),
  };
  if (tags.added.length + tags.removed.length > 0) {
    differences.push(difference('entity.tags-changed', { ...tags, via: 'listing' }, entity));
  }
  for (const change of annotations(before, after)) {
    differences.push(difference('entity.annotated', { changes: [change], via: 'listing' }, entity));
  }
  return differences;
}

type Value = string | string[] | null;

/** The fields that are compared one by one, each as the annotation that would report it. */
const fields: readonly (readonly [Pick<Annotation, 'field' | 'aspect'>, (region: ListedRegion) => Value])[] =
  [
    [{ field: 'coordinates', aspect: 'GRCh37' }, ({ grch37 }) => span(grch37)],
    [{ field: 'coordinates', aspect: 'GRCh38' }, ({ grch38 }) => span(grch38)],
    [
      { field: 'dosage', aspect: 'haploinsufficiency' },
      ({ haploinsufficiency }) => stated(haploinsufficiency),
    ],
    [{ field: 'dosage', aspect: 'triplosensitivity' }, ({ triplosensitivity }) => stated(triplosensitivity)],
    [{ field: 'requiredOverlapPercentage' }, ({ requiredOverlap }) => numeral(requiredOverlap)],
    [{ field: 'variantType' }, ({ variantType }) => variantType],
    [{ field: 'verboseName' }, ({ verboseName }) => stated(verboseName)],
    [{ field: 'chromosome' }, ({ chromosome }) => stated(chromosome)],
    [{ field: 'modeOfInheritance' }, ({ modeOfInheritance }) => stated(modeOfInheritance)],
    [{ field: 'modeOfPathogenicity' }, ({ modeOfPathogenicity }) => stated(modeOfPathogenicity)],
    [{ field: 'penetrance' }, ({ penetrance }) => stated(penetrance)],
    [{ field: 'phenotypes' }, ({ phenotypes }) => phenotypes],
    [{ field: 'publications' }, ({ publications }) => publications],
  ];

function annotations(before: ListedRegion, after: ListedRegion): readonly Annotation[] {
  return fields.flatMap(([field, read]) => {
    const [from, to] = [read(before), read(after)];
    return sameValue(from, to) ? [] : [{ ...field, from, to }];
  });
}

/** The catalogue serves both null and the empty text for what is not set. */
const stated = (text: string | null): string | null => text || null;
const numeral = (value: number | null): string | null => (value === null ? null : String(value));
const span = (positions: readonly [number, number] | null): string | null => positions?.join('-') ?? null;
