import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packEntities, unpackEntities } from '../../lambdas/panels/state-entity.ts';

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
const packed = (...entities: readonly unknown[]): Buffer => brotliCompressSync(JSON.stringify(entities));

test('entities are unpacked as they were packed, with fields that are absent', () => {
  const entities = [{ ...gene, omimIds: [...gene.omimIds], tags: [...gene.tags] }];
  expect(unpackEntities(packEntities(entities))).toEqual(entities);
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
  expect(() => unpackEntities(packed(gene, entity))).toThrow('entity 1 of a panel state');
});

test('a state is damaged where its entities are not a list', () => {
  expect(() => unpackEntities(brotliCompressSync('{}'))).toThrow('not a list');
});
