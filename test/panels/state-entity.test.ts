import { expect, test } from 'vitest';
import { entitiesIn } from '../../lambdas/panels/version-state.ts';

const gene = {
  type: 'gene',
  name: 'GJB2',
  hgncId: 'HGNC:4284',
  ensemblIds: { GRCh37: null, GRCh38: 'ENSG00000165474' },
  omimIds: ['121011'],
  locations: { GRCh37: null, GRCh38: '13:20187470-20192938' },
  rating: 'green',
  tags: ['watchlist'],
  penetrance: null,
  child: { id: 9, name: 'Child', version: null },
} as const;

test('entities are read as they were kept, with fields that are absent', () => {
  const entities = [{ ...gene, omimIds: [...gene.omimIds], tags: [...gene.tags] }];
  expect(entitiesIn(JSON.parse(JSON.stringify(entities)))).toEqual(entities);
});

test.each([
  ['is no object', null],
  ['lacks its name', { ...gene, name: undefined }],
  ['has an unknown type', { ...gene, type: 'exon' }],
  ['has an unknown rating', { ...gene, rating: 'blue' }],
  ['has half of its ids', { ...gene, ensemblIds: { GRCh37: null } }],
  ['has a tag that is no text', { ...gene, tags: ['watchlist', 1] }],
  ['has a list for a text', { ...gene, penetrance: [] }],
  ['is of a panel without an id', { ...gene, child: { name: null, version: null } }],
])('a state is damaged where an entity %s', (_what, entity) => {
  expect(() => entitiesIn([gene, entity])).toThrow('entity 1 of a panel state');
});

test('a state is damaged where its entities are not a list', () => {
  expect(() => entitiesIn({})).toThrow('not a list');
});
