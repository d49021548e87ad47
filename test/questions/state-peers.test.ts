import { expect, test } from 'vitest';
import { scoutPanel, seqrGenes } from '../../lambdas/questions/state-peers.ts';
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
  const empty = scoutPanel([named([gene('AMBER1', 2, null, 'amber')], '2.1')]);
  expect(empty.notes).toEqual(['The file has no gene: none with an HGNC id is green.']);
});

test('a list for seqr has the Ensembl ids of green genes, each once', () => {
  expect(seqrGenes([all, all])).toEqual({
    text: ['ENSG4284', 'ENSG6298', 'ENSG7606', 'ENSG9217', 'ENSG2208', 'ENSG7470', 'ENSG1', ''].join('\n'),
    notes: ['Green genes that have no Ensembl id of GRCh38 are not in the file: NOWHERE1.'],
  });
});
