import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { catalogueTable, scoutPanel, scoutPanels, seqrGenes } from '../../lambdas/questions/state-files.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';

const gene = (
  name: string,
  number: number | null,
  mode: string | null,
  rating: 'green' | 'amber' = 'green',
) =>
  madeUpGene(name, {
    hgncId: number === null ? null : `HGNC:${number}`,
    modeOfInheritance: mode,
    rating,
    ensemblIds: { GRCh37: null, GRCh38: number === null ? null : `ENSG${number}` },
  });

const named = (entities: ReturnType<typeof madeUpGene>[], version = '1.10') => ({
  catalogue: 'uk',
  state: madeUpState({ panelName: 'Hearing\tloss', version, entities }),
});

const all = named([
  gene('GJB2', 4284, 'BIALLELIC, autosomal or pseudoautosomal'),
  gene('KCNQ4', 6298, 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted'),
  gene('MYO7A', 7606, 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal'),
  gene('POU3F4', 9217, 'X-LINKED: hemizygous mutation in males, biallelic mutations in females'),
  gene(
    'COL4A6',
    2208,
    'X-LINKED: hemizygous mutation in males, monoallelic mutations in females may cause disease (may be less severe, later onset than males)',
  ),
  gene('MT-RNR1', 7470, 'MITOCHONDRIAL'),
  gene('OTHER1', 1, 'Other'),
  gene('NOWHERE1', null, null),
  gene('AMBER1', 2, null, 'amber'),
]);

test('a panel for Scout has the green genes by number, with their models of inheritance', () => {
  const { text, notes } = scoutPanel([all]);
  const lines = text.split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '##panel_id=panel-3',
    '##version=1.10',
    expect.stringMatching(/^##date=\d{4}-\d\d-\d\d$/),
    '##display_name=Hearing loss',
    '#hgnc_id\thgnc_symbol\tinheritance_models',
  ]);
  expect(lines.slice(5)).toEqual([
    '4284\tGJB2\tAR',
    '6298\tKCNQ4\tAD',
    '7606\tMYO7A\tAD,AR',
    '9217\tPOU3F4\tXR',
    '2208\tCOL4A6\tXD',
    '7470\tMT-RNR1\tMT',
    '1\tOTHER1\t',
    '',
  ]);
  expect(notes).toEqual([
    'Green genes that have no HGNC id are not in the file: NOWHERE1.',
    'Scout reads the version as a number: 1.10 is 1.1 there.',
  ]);
});

test('a panel for Scout is one panel, and says where it has no gene', () => {
  expect(scoutPanel([])).toEqual({ text: '', notes: [expect.stringContaining('has no gene')] });
  expect(scoutPanel([all, all])).toEqual({ text: '', notes: [expect.stringContaining('the answer has 2')] });
  const first = scoutPanel([named([gene('ZERO1', 0, null)], '0.0')]);
  expect(first.notes).toEqual([
    'The file has no gene: none with an HGNC id is green.',
    'Green genes that have no HGNC id are not in the file: ZERO1.',
    'Scout loads the version 0.0 as 1.0.',
  ]);
  const empty = scoutPanel([named([gene('AMBER1', 2, null, 'amber')], '2.1')]);
  expect(empty.notes).toEqual(['The file has no gene: none with an HGNC id is green.']);
});

test('a list for seqr has the Ensembl ids of green genes, each once', () => {
  expect(seqrGenes([all, all])).toEqual({
    text: ['ENSG4284', 'ENSG6298', 'ENSG7606', 'ENSG9217', 'ENSG2208', 'ENSG7470', 'ENSG1', ''].join('\n'),
    notes: ['Green genes that have no Ensembl id of GRCh38 are not in the file: NOWHERE1.'],
  });
});

test('panels for Scout are one a line, with every rated gene that has an HGNC id', () => {
  const empty = named([], '2.0');
  const other = named([], '2.20');
  const { text, notes } = scoutPanels([all, empty, other]);
  const [first, second, , end] = text.split('\n');
  expect(end).toBe('');
  expect(JSON.parse(second ?? '')).toMatchObject({ id: 3, version: '2.0', genes: [] });
  const panel = JSON.parse(first ?? '');
  expect(panel).toMatchObject({
    id: 3,
    name: 'Hearing\tloss',
    version: '1.10',
    version_created: '2026-03-01T10:00:00.000001Z',
    types: [{ slug: 'rare-disease' }],
  });
  expect(panel.genes[0]).toEqual({
    entity_type: 'gene',
    entity_name: 'GJB2',
    confidence_level: '3',
    penetrance: null,
    mode_of_inheritance: 'BIALLELIC, autosomal or pseudoautosomal',
    gene_data: { gene_symbol: 'GJB2', hgnc_id: 'HGNC:4284' },
  });
  expect(panel.genes.at(-1)).toMatchObject({ entity_name: 'AMBER1', confidence_level: '2' });
  expect(notes).toEqual([
    'Genes that have no HGNC id are not in the file: NOWHERE1.',
    'Scout reads the version as a number: 1.10 is 1.1 there, and so with 1 more panel.',
  ]);
});

test('panels for Scout are those of one catalogue', () => {
  const { text, notes } = scoutPanels([all, { ...all, catalogue: 'australia' }]);
  expect(text).toBe('');
  expect(notes).toEqual([expect.stringContaining('uk and australia number their own')]);
});

test('the download of the catalogue has a line an entity with a rating, under its headings', () => {
  const repeat = madeUpGene('HTT_CAG', {
    type: 'str',
    rating: 'amber',
    chromosome: '4',
    repeatedSequence: 'CAG',
    locations: { GRCh37: null, GRCh38: '4:3074877-3074933' },
    evidence: ['Expert list', '', 'NHS "GMS"'],
  });
  const unrated = madeUpGene('UNRATED1', { rating: 'none' });
  const { text, notes } = catalogueTable([named([repeat, gene('GJB2', 4284, null), unrated])]);
  const [line, other, ...more] = parse(text, { delimiter: '\t', columns: true }) as Record<string, string>[];
  expect(Object.keys(line ?? {})).toHaveLength(36);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    'Entity Name': 'GJB2',
    'Entity type': 'gene',
    'Gene Symbol': 'GJB2',
    Model_Of_Inheritance: '',
    GEL_Status: '3',
    version: '1.10',
    'EnsemblId(GRch38)': 'ENSG4284',
    HGNC: 'HGNC:4284',
    'Position GRCh38 Start': '',
  });
  expect(other).toMatchObject({
    'Entity Name': 'HTT_CAG',
    Level4: 'Hearing\tloss',
    'Sources(; separated)': 'Expert list;NHS "GMS"',
    GEL_Status: '2',
    'Position Chromosome': '4',
    'Position GRCh37 Start': '',
    'Position GRCh38 Start': '3074877',
    'Position GRCh38 End': '3074933',
    'STR Repeated Sequence': 'CAG',
    'Region Verbose Name': '',
  });
  expect(notes).toEqual([
    'Entities that have no rating are not in the file: UNRATED1.',
    'A program may read the version as a number: 1.10 is 1.1 there.',
  ]);
});
