import { describe, expect, test } from 'vitest';
import { panelDetailSchema } from '../../lambdas/catalogue/schemas.ts';
import { stateFromDetail } from '../../lambdas/panels/state-from-detail.ts';
import { at } from './made-up-states.ts';

const stateOf = (given: object) =>
  stateFromDetail(
    panelDetailSchema.parse({
      id: 3,
      name: 'Hearing loss',
      version: '1.4',
      version_created: '2026-03-01T21:00:00.000001+11:00',
      genes: [],
      ...given,
    }),
    { source: 'archive', readAt: at('2026-03-02T00:00:00'), proof: { kind: 'baseline' } },
  );

const gene = (given: object = {}) => ({
  entity_type: 'gene',
  entity_name: 'GJB2',
  confidence_level: '3',
  ...given,
});

test('a version begins at its version_created, in any zone', () => {
  expect(stateOf({})).toMatchObject({
    version: '1.4',
    validFrom: at('2026-03-01T10:00:00.000001'),
    validTo: null,
  });
});

test.each([
  ['4', 'green'],
  ['3', 'green'],
  [3, 'green'],
  ['2', 'amber'],
  [1, 'red'],
  ['0', 'none'],
  [null, null],
  ['9', null],
])('confidence level %j is the rating %s', (confidence_level, rating) => {
  expect(stateOf({ genes: [gene({ confidence_level })] }).entities[0]?.rating).toBe(rating);
});

test('ids and location are those of the newest Ensembl release in each build', () => {
  const ensembl = (id: string, location: string) => ({ ensembl_id: id, location });
  const ensembl_genes = {
    GRch37: { 82: ensembl('ENSG1', '13:1-2') },
    GRch38: { 90: ensembl('ENSG2', '13:3-4'), 115: ensembl('ENSG3', '13:5-6') },
  };
  const [entity] = stateOf({
    genes: [gene({ gene_data: { hgnc_id: 'HGNC:4284', ensembl_genes } })],
  }).entities;
  expect(entity).toMatchObject({
    hgncId: 'HGNC:4284',
    ensemblIds: { GRCh37: 'ENSG1', GRCh38: 'ENSG3' },
    locations: { GRCh37: '13:1-2', GRCh38: '13:5-6' },
  });
});

test('the location of a region is that of its coordinates', () => {
  const region = {
    entity_type: 'region',
    entity_name: 'ISCA-37390-Loss',
    chromosome: '5',
    grch37_coordinates: [1, 9],
    grch38_coordinates: null,
    required_overlap_percentage: 60,
    panel: { id: 9, name: 'Child', version: '1.0' },
  };
  expect(stateOf({ regions: [region] }).entities[0]).toMatchObject({
    locations: { GRCh37: '5:1-9', GRCh38: null },
    requiredOverlap: '60',
    child: { id: 9, name: 'Child', version: '1.0' },
  });
});

describe('the SHA-256 of a state', () => {
  const two = [gene({ tags: ['a', 'b'] }), gene({ entity_name: 'STRC' })];
  test('does not depend on the order of entities and lists, nor on repeats', () => {
    const other = [gene({ entity_name: 'STRC' }), gene({ tags: ['b', 'a', 'b'] })];
    expect(stateOf({ genes: other }).sha256).toBe(stateOf({ genes: two }).sha256);
  });
  test('depends on a rating', () => {
    const other = [two[0], gene({ entity_name: 'STRC', confidence_level: '2' })];
    expect(stateOf({ genes: other }).sha256).not.toBe(stateOf({ genes: two }).sha256);
  });
});
