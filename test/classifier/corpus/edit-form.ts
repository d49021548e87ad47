import { annotated, classified, renamed, tags } from './expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA, MT, on } from './row.ts';

/** `geneEdit`, `strEdit` and `regionEdit` in docs/wordings.md: the edit form's composites, for each type of entity. */

const to = (one: string, other: string): string => `Rating Changed from ${one} to ${other}`;
const GREEN = 'Green List (high evidence)';
const AMBER = 'Amber List (moderate evidence)';
const RED = 'Red List (low evidence)';
const NONE = 'No List (delete)';
const MOI = 'modeOfInheritance';

const swapped = annotated({
  field: 'sources',
  added: ['Expert Review Green'],
  removed: ['Expert Review Amber'],
});

// biome-ignore format: one wording a line
const genes: readonly CorpusRow[] = [
  { on: BRCA1, text: 'Source UKGTN was removed from BRCA1.', form: 'geneEdit', draft: annotated({ field: 'sources', removed: ['UKGTN'] }) },
  { on: BRCA1, text: 'Source Radboud University Medical Center, Nijmegen was added to BRCA1.', form: 'geneEdit', draft: annotated({ field: 'sources', added: ['Radboud University Medical Center, Nijmegen'] }) },
  { on: BRCA1, text: 'Source a was removed from BRCA1.\nSource b was removed from BRCA1.\nSource c was added to BRCA1.\nSource d was added to BRCA1.', form: 'geneEdit', draft: annotated({ field: 'sources', added: ['c', 'd'], removed: ['a', 'b'] }) },
  { on: BRCA1, text: `Source Expert Review Amber was removed from BRCA1.\nSource Expert Review Green was added to BRCA1.\n${to(AMBER, GREEN)}`, form: 'geneEdit', draft: { ...swapped, ...classified('green', { from: 'amber' }) } },
  // Appended: the source of the old rating is not mentioned. Without a rating line, the source carries the rating.
  { on: BRCA1, text: 'Source Expert Review Green was added to BRCA1.', form: 'geneEdit', draft: { ...annotated({ field: 'sources', added: ['Expert Review Green'] }), ...classified('green', { direction: 'unchanged' }) } },
  // Still flagged: a new review does not move an entity from "No list", and so no rating line follows.
  { on: BRCA1, text: 'Source Expert Review Removed was removed from BRCA1.\nSource Expert Review Green was added to BRCA1.', form: 'geneEdit', draft: annotated({ field: 'sources', added: ['Expert Review Green'], removed: ['Expert Review Removed'] }) },
  { on: BRCA1, text: `Source Expert Review Removed was removed from BRCA1.\nSource Expert Review Green was added to BRCA1.\n${to(NONE, GREEN)}`, form: 'geneEdit', draft: { ...annotated({ field: 'sources', added: ['Expert Review Green'], removed: ['Expert Review Removed'] }), ...classified('green', { from: 'none' }) } },
  { on: BRCA1, text: 'Source Expert Review Removed was added to BRCA1.', form: 'geneEdit', draft: { ...annotated({ field: 'sources', added: ['Expert Review Removed'] }), ...classified('none', { direction: 'unchanged' }) } },
  { on: BRCA1, text: 'Source Expert Review Green was removed from BRCA1.', form: 'geneEdit', draft: annotated({ field: 'sources', removed: ['Expert Review Green'] }) },
  { on: BRCA1, text: 'Mode of inheritance for gene BRCA1 was changed from Unknown to Other', form: 'geneEdit', draft: annotated({ field: MOI, from: 'Unknown', to: 'Other' }) },
  { on: MT, text: 'Mode of inheritance for gene MT-ND1 was changed from MITOCHONDRIAL to MITOCHONDRIAL', form: 'geneEdit', draft: annotated({ field: MOI, to: 'MITOCHONDRIAL' }) },
  { on: MT, text: 'Mode of inheritance for gene MT-ND1 was changed from Unknown to MITOCHONDRIAL', form: 'geneEdit', draft: annotated({ field: MOI, from: 'Unknown', to: 'MITOCHONDRIAL' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene BRCA1 was changed from MITOCHONDRIAL to MITOCHONDRIAL', form: 'geneEdit', draft: annotated({ field: MOI, from: 'MITOCHONDRIAL', to: 'MITOCHONDRIAL' }) },
  { on: BRCA1, text: 'Mode of pathogenicity for gene BRCA1 was changed from None to Other', form: 'geneEdit', draft: annotated({ field: 'modeOfPathogenicity', from: null, to: 'Other' }) },
  { on: BRCA1, text: `Phenotypes for gene: BRCA1 were changed from a to b\n${to(RED, GREEN)}`, form: 'geneEdit', draft: { ...annotated({ field: 'phenotypes', from: ['a'], to: ['b'] }), ...classified('green', { from: 'red' }) } },
  { on: BRCA1, text: 'Added phenotypes Ataxia; Deafness, 1 for gene: BRCA1', form: 'geneEdit', draft: annotated({ field: 'phenotypes', added: ['Ataxia', 'Deafness, 1'] }) },
  { on: BRCA1, text: 'Added phenotypes  for gene: BRCA1', form: 'geneEdit', draft: annotated({ field: 'phenotypes', added: [] }) },
  { on: BRCA1, text: 'Added phenotypes Ataxia\nfor short; b for gene: BRCA1\nTag x tag was added to BRCA1.', form: 'geneEdit', draft: { ...annotated({ field: 'phenotypes', added: ['Ataxia\nfor short', 'b'] }), ...tags({ added: ['x'] }) } },
  { on: BRCA1, text: 'Source a was added to BRCA1.\nAdded phenotypes b for gene: BRCA1', form: 'geneEdit', draft: annotated({ field: 'sources', added: ['a'] }, { field: 'phenotypes', added: ['b'] }) },
  // The value before, shown as if it were the one after
  { on: BRCA1, text: 'Penetrance for gene BRCA1 was set from to Complete', form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'Complete' }) },
  { on: BRCA1, text: 'Penetrance for gene BRCA1 was set from to None', form: 'geneEdit', draft: annotated({ field: 'penetrance', from: null }) },
  { on: BRCA1, text: 'Penetrance for gene BRCA1 was set from to ', form: 'geneEdit', draft: annotated({ field: 'penetrance', from: null }) },
  // The old code shows both lists, the Australian one the new list twice.
  { on: BRCA1, text: 'Publications for gene BRCA1 were changed from 1; 2 to 3', form: 'geneEdit', draft: annotated({ field: 'publications', from: ['1', '2'], to: ['3'] }) },
  { on: BRCA1, text: 'Publications for gene BRCA1 were changed from 1; 2 to 1; 2', form: 'geneEdit', draft: annotated({ field: 'publications', to: ['1', '2'] }) },
  { on: BRCA1, text: 'Publications for gene BRCA1 were changed from a to b to a to b', form: 'geneEdit', draft: annotated({ field: 'publications', to: ['a to b'] }) },
  { on: BRCA1, text: 'Publications for gene BRCA1 were changed from  to ', form: 'geneEdit', draft: annotated({ field: 'publications', to: [] }) },
  // Newer software writes the label, for each type of entity.
  { on: BRCA1, text: 'Publications for gene: BRCA1 were updated from 1 to 1; 2', form: 'geneEdit', draft: annotated({ field: 'publications', from: ['1'], to: ['1', '2'] }) },
  { on: HTT, text: 'Publications for STR: HTT_CAG were updated from  to 2', form: 'strEdit', draft: annotated({ field: 'publications', from: [], to: ['2'] }) },
  { on: ISCA, text: 'Publications for Region: ISCA-37390-Loss were updated from 1; 2 to 2\nTag a was added to Region: ISCA-37390-Loss.', form: 'regionEdit', draft: { ...annotated({ field: 'publications', from: ['1', '2'], to: ['2'] }), ...tags({ added: ['a'] }) } },
  { on: BRCA1, text: 'Publications for gene BRCA1 were updated from 1 to 1; 2', form: 'geneEdit', draft: annotated({ field: 'publications', from: ['1'], to: ['1', '2'] }) },
  { on: BRCA1, text: 'Transcript for gene BRCA1 was changed from None to NM_007294.4', form: 'geneEdit', draft: annotated({ field: 'transcript', from: [], to: ['NM_007294.4'] }) },
  { on: BRCA1, text: 'Transcript for gene BRCA1 was updated from NM_007294.4 to NM_007294.4; NM_007300.4', form: 'geneEdit', draft: annotated({ field: 'transcript', from: ['NM_007294.4'], to: ['NM_007294.4', 'NM_007300.4'] }) },
  { on: BRCA1, text: 'Tag de novo tag was added to BRCA1.', form: 'geneEdit', draft: tags({ added: ['de novo'] }) },
  { on: BRCA1, text: 'Tag a was removed from BRCA1.', form: 'geneEdit', draft: tags({ removed: ['a'] }) },
  { on: BRCA1, text: 'Tag a was removed from BRCA1.\nTag b. was removed from BRCA1.\nTag c tag was added to BRCA1.\nTag d tag was added to BRCA1.', form: 'geneEdit', draft: tags({ removed: ['a', 'b.'], added: ['c', 'd'] }) },
  { on: BRCA1, text: `Tag a was removed from BRCA1.\n${to(GREEN, AMBER)}`, form: 'geneEdit', draft: { ...tags({ removed: ['a'] }), ...classified('amber', { from: 'green' }) } },
  { on: BRCA1, text: `Tag a was removed from BRCA1.\n${to(NONE, RED)}`, form: 'geneEdit', draft: { ...tags({ removed: ['a'] }), ...classified('red', { from: 'none' }) } },
  { on: BRCA1, text: `Tag a was removed from BRCA1.\n${to(RED, NONE)}`, form: 'geneEdit', draft: { ...tags({ removed: ['a'] }), ...classified('none', { from: 'red' }) } },
  { on: BRCA1, text: to(AMBER, GREEN), form: 'geneEdit', draft: classified('green', { from: 'amber' }) },
  {
    on: BRCA1,
    text: [
      'Source UKGTN was removed from BRCA1.',
      'Source Expert List was added to BRCA1.',
      'Mode of inheritance for gene BRCA1 was changed from Unknown to Other',
      'Mode of pathogenicity for gene BRCA1 was changed from Other to None',
      'Phenotypes for gene: BRCA1 were changed from Ataxia to Ataxia\nof old age; b',
      'Penetrance for gene BRCA1 was set from to Complete',
      'Publications for gene BRCA1 were updated from 1 to 2; 1',
      'Transcript for gene BRCA1 was updated from None to NM_1',
      'Tag a was removed from BRCA1.',
      'Tag b tag was added to BRCA1.',
      to(RED, AMBER),
    ].join('\n'),
    form: 'geneEdit',
    draft: {
      ...annotated(
        { field: 'sources', added: ['Expert List'], removed: ['UKGTN'] },
        { field: MOI, from: 'Unknown', to: 'Other' },
        { field: 'modeOfPathogenicity', from: 'Other', to: null },
        { field: 'phenotypes', from: ['Ataxia'], to: ['Ataxia\nof old age', 'b'] },
        { field: 'penetrance', from: 'Complete' },
        { field: 'publications', from: ['1'], to: ['2', '1'] },
        { field: 'transcript', from: [], to: ['NM_1'] },
      ),
      ...tags({ removed: ['a'], added: ['b'] }),
      ...classified('amber', { from: 'red' }),
    },
  },
];

// biome-ignore format: one wording a line
const strs: readonly CorpusRow[] = [
  { on: HTT, text: 'HTT was changed to HTT_CAG', form: 'strEdit', draft: renamed('HTT', 'HTT_CAG') },
  { on: HTT, text: 'HTT was changed to HTT_CAG\nPenetrance for HTT_CAG were changed from a to b', form: 'strEdit', draft: { ...renamed('HTT', 'HTT_CAG'), ...annotated({ field: 'penetrance', from: 'a', to: 'b' }) } },
  // Lines after a rename may still have the old name.
  { on: HTT, text: 'HTT was changed to HTT_CAG\nTag a was removed from STR: HTT.', form: 'strEdit', draft: { ...renamed('HTT', 'HTT_CAG'), ...tags({ removed: ['a'] }) } },
  { on: HTT, text: 'Chromosome for HTT_CAG was changed from 3 to 4. Panel: Hearing loss', form: 'strEdit', draft: annotated({ field: 'chromosome', from: '3', to: '4' }) },
  { on: HTT, text: 'Chromosome for HTT_CAG was changed from 9 to 11. Panel: Hearing loss', form: 'strEdit', draft: annotated({ field: 'chromosome', from: '9', to: '11' }) },
  { on: on('str', 'HTT_CAG', 'A to B. Panel: C'), text: 'Chromosome for HTT_CAG was changed from  to X. Panel: A to B. Panel: C', form: 'strEdit', draft: annotated({ field: 'chromosome', from: null, to: 'X' }) },
  { on: HTT, text: 'GRCh37 position for HTT_CAG was changed from 3074877-3074940 to 3074877-3074933.', form: 'strEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh37', from: '3074877-3074940', to: '3074877-3074933' }) },
  { on: HTT, text: 'GRCh37 position for HTT_CAG was changed from - to 1-2.', form: 'strEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh37', from: null, to: '1-2' }) },
  { on: HTT, text: 'GRCh37 position for STR: HTT_CAG was removed.', form: 'strEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh37', to: null }) },
  { on: HTT, text: 'GRCh38 position for HTT_CAG was changed from - to 3-4.', form: 'strEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh38', from: null, to: '3-4' }) },
  { on: HTT, text: 'Repeated Sequence for HTT_CAG was changed from CAG to CAGG.', form: 'strEdit', draft: annotated({ field: 'repeats', aspect: 'sequence', from: 'CAG', to: 'CAGG' }) },
  { on: HTT, text: 'Normal Number of Repeats for HTT_CAG was changed from 26 to 27.', form: 'strEdit', draft: annotated({ field: 'repeats', aspect: 'normal', from: '26', to: '27' }) },
  { on: HTT, text: 'Pathogenic Number of Repeats for HTT_CAG was changed from 40 to 36.', form: 'strEdit', draft: annotated({ field: 'repeats', aspect: 'pathogenic', from: '40', to: '36' }) },
  { on: HTT, text: 'Source UKGTN was removed from STR: HTT_CAG.\nSource Expert Review Red was added to STR: HTT_CAG.', form: 'strEdit', draft: { ...annotated({ field: 'sources', added: ['Expert Review Red'], removed: ['UKGTN'] }), ...classified('red', { direction: 'unchanged' }) } },
  { on: HTT, text: 'Mode of inheritance for STR: HTT_CAG was changed from a to b\nPhenotypes for STR: HTT_CAG were changed from c to d', form: 'strEdit', draft: annotated({ field: MOI, from: 'a', to: 'b' }, { field: 'phenotypes', from: ['c'], to: ['d'] }) },
  { on: HTT, text: 'Added phenotypes a; b for STR: HTT_CAG', form: 'strEdit', draft: annotated({ field: 'phenotypes', added: ['a', 'b'] }) },
  { on: HTT, text: 'Penetrance for HTT_CAG were changed from None to Incomplete', form: 'strEdit', draft: annotated({ field: 'penetrance', from: null, to: 'Incomplete' }) },
  { on: HTT, text: 'Publications for STR: HTT_CAG were changed from 1 to 2; 3', form: 'strEdit', draft: annotated({ field: 'publications', from: ['1'], to: ['2', '3'] }) },
  { on: HTT, text: 'Tag a b was removed from STR: HTT_CAG.\nTag b c was added to STR: HTT_CAG.', form: 'strEdit', draft: tags({ removed: ['a b'], added: ['b c'] }) },
  { on: HTT, text: 'Gene: HTT was removed.', form: 'strEdit', draft: annotated({ field: 'gene', from: 'HTT', to: null }) },
  { on: HTT, text: 'Gene: HTT was changed to ATXN1.', form: 'strEdit', draft: annotated({ field: 'gene', from: 'HTT', to: 'ATXN1' }) },
  { on: HTT, text: 'Gene was set to HTT.', form: 'strEdit', draft: annotated({ field: 'gene', to: 'HTT' }) },
  { on: HTT, text: `Gene was set to HTT.\n${to(GREEN, RED)}`, form: 'strEdit', draft: { ...annotated({ field: 'gene', to: 'HTT' }), ...classified('red', { from: 'green' }) } },
  {
    on: HTT,
    text: [
      'HTT was changed to HTT_CAG',
      'Chromosome for HTT_CAG was changed from 3 to 4. Panel: Hearing loss',
      'GRCh37 position for HTT_CAG was changed from - to 1-2.',
      'GRCh38 position for HTT_CAG was changed from 1-2 to 3-4.',
      'Repeated Sequence for HTT_CAG was changed from C to CAG.',
      'Normal Number of Repeats for HTT_CAG was changed from 1 to 2.',
      'Pathogenic Number of Repeats for HTT_CAG was changed from 3 to 4.',
      'Source a was removed from STR: HTT_CAG.',
      'Source b was added to STR: HTT_CAG.',
      'Mode of inheritance for STR: HTT_CAG was changed from a to b',
      'Phenotypes for STR: HTT_CAG were changed from c to d',
      'Penetrance for HTT_CAG were changed from e to f',
      'Publications for STR: HTT_CAG were changed from 5 to 6',
      'Tag g was removed from STR: HTT_CAG.',
      'Tag h was added to STR: HTT_CAG.',
      'Gene: HTT was changed to ATXN1.',
      to(AMBER, GREEN),
    ].join('\n'),
    form: 'strEdit',
    draft: {
      ...renamed('HTT', 'HTT_CAG'),
      ...annotated(
        { field: 'sources', added: ['b'], removed: ['a'] },
        { field: 'chromosome', from: '3', to: '4' },
        { field: 'coordinates', aspect: 'GRCh37', from: null, to: '1-2' },
        { field: 'coordinates', aspect: 'GRCh38', from: '1-2', to: '3-4' },
        { field: 'repeats', aspect: 'sequence', from: 'C', to: 'CAG' },
        { field: 'repeats', aspect: 'normal', from: '1', to: '2' },
        { field: 'repeats', aspect: 'pathogenic', from: '3', to: '4' },
        { field: MOI, from: 'a', to: 'b' },
        { field: 'phenotypes', from: ['c'], to: ['d'] },
        { field: 'penetrance', from: 'e', to: 'f' },
        { field: 'publications', from: ['5'], to: ['6'] },
        { field: 'gene', from: 'HTT', to: 'ATXN1' },
      ),
      ...tags({ removed: ['g'], added: ['h'] }),
      ...classified('green', { from: 'amber' }),
    },
  },
];

const ISCA_NAME = 'ISCA-37390-Loss';

// biome-ignore format: one wording a line
const regions: readonly CorpusRow[] = [
  { on: ISCA, text: 'ISCA-1 was changed to ISCA-37390-Loss', form: 'regionEdit', draft: renamed('ISCA-1', ISCA_NAME) },
  { on: on('region', 'Region renamed from A to B'), text: 'Region renamed from X was changed to Y was changed to Region renamed from A to B', form: 'regionEdit', draft: renamed('Region renamed from X was changed to Y', 'Region renamed from A to B') },
  { on: ISCA, text: '5p15 loss was changed to 5p15 terminal loss', form: 'regionEdit', draft: annotated({ field: 'verboseName', from: '5p15 loss', to: '5p15 terminal loss' }) },
  { on: ISCA, text: 'ISCA-37390-Loss was changed to ISCA-37390-Loss (5p15)', form: 'regionEdit', draft: annotated({ field: 'verboseName', from: ISCA_NAME, to: 'ISCA-37390-Loss (5p15)' }) },
  { on: ISCA, text: 'a was changed to b was changed to c', form: 'regionEdit', draft: annotated({ field: 'verboseName' }) },
  { on: ISCA, text: 'ISCA-1 was changed to ISCA-37390-Loss\nold was changed to new', form: 'regionEdit', draft: { ...renamed('ISCA-1', ISCA_NAME), ...annotated({ field: 'verboseName', from: 'old', to: 'new' }) } },
  { on: ISCA, text: 'ISCA-1 was changed to ISCA-37390-Loss\nold was changed to ISCA-37390-Loss', form: 'regionEdit', draft: { ...renamed('ISCA-1', ISCA_NAME), ...annotated({ field: 'verboseName', from: 'old', to: ISCA_NAME }) } },
  { on: ISCA, text: 'ISCA-1 was changed to ISCA-37390-Loss\nGRCh38 position for ISCA-1 was changed from - to 3-4.', form: 'regionEdit', draft: { ...renamed('ISCA-1', ISCA_NAME), ...annotated({ field: 'coordinates', aspect: 'GRCh38', from: null, to: '3-4' }) } },
  { on: ISCA, text: 'old was changed to new\nPenetrance for Region: ISCA-37390-Loss was change from a to b', form: 'regionEdit', draft: annotated({ field: 'verboseName', from: 'old', to: 'new' }, { field: 'penetrance', from: 'a', to: 'b' }) },
  { on: ISCA, text: 'Chromosome for ISCA-37390-Loss was changed from 4 to 5.', form: 'regionEdit', draft: annotated({ field: 'chromosome', from: '4', to: '5' }) },
  { on: ISCA, text: 'GRCh37 position for ISCA-37390-Loss was changed from - to 1-2.', form: 'regionEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh37', from: null, to: '1-2' }) },
  { on: ISCA, text: 'GRCh37 position for Region: ISCA-37390-Loss was removed.', form: 'regionEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh37', to: null }) },
  { on: ISCA, text: 'GRCh38 position for ISCA-37390-Loss was changed from 94694797-94764788 to 27737554-27737653.', form: 'regionEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh38', from: '94694797-94764788', to: '27737554-27737653' }) },
  { on: ISCA, text: 'Variant type for ISCA-37390-Loss was changed from cnv_loss to cnv_gain.', form: 'regionEdit', draft: annotated({ field: 'variantType', from: 'cnv_loss', to: 'cnv_gain' }) },
  { on: ISCA, text: 'Haploinsufficiency Score for ISCA-37390-Loss was changed from 3 to .', form: 'regionEdit', draft: annotated({ field: 'dosage', aspect: 'haploinsufficiency', from: '3', to: null }) },
  { on: ISCA, text: 'Haploinsufficiency Score for ISCA-37390-Loss was changed from  to 40.', form: 'regionEdit', draft: annotated({ field: 'dosage', aspect: 'haploinsufficiency', from: null, to: '40' }) },
  { on: ISCA, text: 'Triplosensitivity Score for ISCA-37390-Loss was changed from None to 2.', form: 'regionEdit', draft: annotated({ field: 'dosage', aspect: 'triplosensitivity', from: null, to: '2' }) },
  { on: ISCA, text: 'Required Overlap Percentage for ISCA-37390-Loss was changed from 60 to 80.', form: 'regionEdit', draft: annotated({ field: 'requiredOverlapPercentage', from: '60', to: '80' }) },
  { on: ISCA, text: 'Source a was removed from Region: ISCA-37390-Loss.', form: 'regionEdit', draft: annotated({ field: 'sources', removed: ['a'] }) },
  { on: ISCA, text: 'Source Expert Review Amber was added to Region: ISCA-37390-Loss.', form: 'regionEdit', draft: { ...annotated({ field: 'sources', added: ['Expert Review Amber'] }), ...classified('amber', { direction: 'unchanged' }) } },
  // "Model", and "was change"
  { on: ISCA, text: 'Model of inheritance for Region: ISCA-37390-Loss was changed from a to b', form: 'regionEdit', draft: annotated({ field: MOI, from: 'a', to: 'b' }) },
  { on: ISCA, text: 'Penetrance for Region: ISCA-37390-Loss was change from Complete to None', form: 'regionEdit', draft: annotated({ field: 'penetrance', from: 'Complete', to: null }) },
  { on: ISCA, text: 'Added phenotypes a for Region: ISCA-37390-Loss', form: 'regionEdit', draft: annotated({ field: 'phenotypes', added: ['a'] }) },
  { on: ISCA, text: 'Publications for Region: ISCA-37390-Loss were changed from 1 to 2', form: 'regionEdit', draft: annotated({ field: 'publications', from: ['1'], to: ['2'] }) },
  { on: ISCA, text: 'Tag a was removed from Region: ISCA-37390-Loss.\nTag b was added to Region: ISCA-37390-Loss.', form: 'regionEdit', draft: tags({ removed: ['a'], added: ['b'] }) },
  { on: ISCA, text: 'Gene: TERT was removed.', form: 'regionEdit', draft: annotated({ field: 'gene', from: 'TERT', to: null }) },
  { on: ISCA, text: 'Gene: TERT was changed to CTNND2.', form: 'regionEdit', draft: annotated({ field: 'gene', from: 'TERT', to: 'CTNND2' }) },
  { on: ISCA, text: 'Gene was set to SLC26A4. Panel: Hearing loss', form: 'regionEdit', draft: annotated({ field: 'gene', to: 'SLC26A4' }) },
  { on: on('region', 'ISCA-37390-Loss', 'X. Panel: Y'), text: `Gene was set to TERT. Panel: X. Panel: Y\n${to(NONE, AMBER)}`, form: 'regionEdit', draft: { ...annotated({ field: 'gene', to: 'TERT' }), ...classified('amber', { from: 'none' }) } },
  {
    on: ISCA,
    text: [
      'ISCA-1 was changed to ISCA-37390-Loss',
      'old was changed to new',
      'Chromosome for ISCA-37390-Loss was changed from 4 to 5.',
      'GRCh37 position for Region: ISCA-37390-Loss was removed.',
      'GRCh38 position for ISCA-37390-Loss was changed from - to 3-4.',
      'Variant type for ISCA-37390-Loss was changed from cnv_gain to cnv_loss.',
      'Haploinsufficiency Score for ISCA-37390-Loss was changed from 1 to 2.',
      'Triplosensitivity Score for ISCA-37390-Loss was changed from 3 to 4.',
      'Required Overlap Percentage for ISCA-37390-Loss was changed from 60 to 50.',
      'Source a was removed from Region: ISCA-37390-Loss.',
      'Source b was added to Region: ISCA-37390-Loss.',
      'Model of inheritance for Region: ISCA-37390-Loss was changed from a to b',
      'Phenotypes for Region: ISCA-37390-Loss were changed from c to d\nRating Changed',
      'Penetrance for Region: ISCA-37390-Loss was change from e to f',
      'Publications for Region: ISCA-37390-Loss were changed from 5 to 6',
      'Tag g was removed from Region: ISCA-37390-Loss.',
      'Tag h was added to Region: ISCA-37390-Loss.',
      'Gene: TERT was removed.',
      to(GREEN, NONE),
    ].join('\n'),
    form: 'regionEdit',
    draft: {
      ...renamed('ISCA-1', ISCA_NAME),
      ...annotated(
        { field: 'sources', added: ['b'], removed: ['a'] },
        { field: 'verboseName', from: 'old', to: 'new' },
        { field: 'chromosome', from: '4', to: '5' },
        { field: 'coordinates', aspect: 'GRCh37', to: null },
        { field: 'coordinates', aspect: 'GRCh38', from: null, to: '3-4' },
        { field: 'variantType', from: 'cnv_gain', to: 'cnv_loss' },
        { field: 'dosage', aspect: 'haploinsufficiency', from: '1', to: '2' },
        { field: 'dosage', aspect: 'triplosensitivity', from: '3', to: '4' },
        { field: 'requiredOverlapPercentage', from: '60', to: '50' },
        { field: MOI, from: 'a', to: 'b' },
        { field: 'phenotypes', from: ['c'], to: ['d\nRating Changed'] },
        { field: 'penetrance', from: 'e', to: 'f' },
        { field: 'publications', from: ['5'], to: ['6'] },
        { field: 'gene', from: 'TERT', to: null },
      ),
      ...tags({ removed: ['g'], added: ['h'] }),
      ...classified('none', { from: 'green' }),
    },
  },
];

export const editForm: readonly CorpusRow[] = [...genes, ...strs, ...regions];
