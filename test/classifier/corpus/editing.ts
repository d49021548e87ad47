import { annotated, commented, renamed, tags } from './expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA, MT, on } from './row.ts';

/** `inheritanceEdit` to `inheritanceOfNewSymbol` in docs/wordings.md: edits of a single field; and the rows of a gene's replacement. */

const vague = annotated;
const MOI = 'modeOfInheritance';
const MOP = 'modeOfPathogenicity';

// biome-ignore format: one wording a line
export const editing: readonly CorpusRow[] = [
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from Unknown to BIALLELIC, autosomal or pseudoautosomal', form: 'inheritanceEdit', draft: annotated({ field: MOI, from: 'Unknown', to: 'BIALLELIC, autosomal or pseudoautosomal' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from  to Unknown', form: 'inheritanceEdit', draft: annotated({ field: MOI, from: null, to: 'Unknown' }) },
  { on: ISCA, text: 'Mode of inheritance for Region: ISCA-37390-Loss was changed from Unknown to ', form: 'inheritanceEdit', draft: annotated({ field: MOI, from: 'Unknown', to: null }) },
  { on: HTT, text: 'Mode of inheritance for STR: HTT_CAG was changed from Unknown to Other', form: 'strEdit', draft: annotated({ field: MOI, from: 'Unknown', to: 'Other' }) },
  { on: BRCA1, text: 'Added comment: Comment on mode of inheritance: see OMIM', form: 'commentAdded', draft: commented('Comment on mode of inheritance: see OMIM') },
  { on: BRCA1, text: 'Mode of pathogenicity for gene: BRCA1 was changed from None to Other', form: 'pathogenicityEdit', draft: annotated({ field: MOP, from: null, to: 'Other' }) },
  { on: BRCA1, text: 'Mode of pathogenicity for gene: BRCA1 was changed from  to Other', form: 'pathogenicityEdit', draft: annotated({ field: MOP, from: null, to: 'Other' }) },
  { on: HTT, text: 'Mode of pathogenicity for STR: HTT_CAG was changed from Other to None', form: 'pathogenicityEdit', draft: annotated({ field: MOP, from: 'Other', to: null }) },
  { on: ISCA, text: 'Mode of pathogenicity for Region: ISCA-37390-Loss was changed from Other to Other', form: 'pathogenicityEdit', draft: annotated({ field: MOP, from: 'Other', to: 'Other' }) },
  { on: BRCA1, text: 'Added comment: Comment on mode of pathogenicity: gain of function', form: 'commentAdded', draft: commented('Comment on mode of pathogenicity: gain of function') },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from Ataxia; Epilepsy, 1 to Deafness', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: ['Ataxia', 'Epilepsy, 1'], to: ['Deafness'] }) },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from  to Deafness', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: [], to: ['Deafness'] }) },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from Deafness to ', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: ['Deafness'], to: [] }) },
  { on: HTT, text: 'Phenotypes for STR: HTT_CAG were changed from Ataxia to Ataxia\r\nof childhood', form: 'strEdit', draft: annotated({ field: 'phenotypes', from: ['Ataxia'], to: ['Ataxia\r\nof childhood'] }) },
  { on: ISCA, text: 'Phenotypes for Region: ISCA-37390-Loss were changed from Ataxia to Deafness', form: 'regionEdit', draft: annotated({ field: 'phenotypes', from: ['Ataxia'], to: ['Deafness'] }) },
  // Where one side ends is uncertain.
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from mild to severe to none', form: 'geneEdit', draft: vague({ field: 'phenotypes' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from a to b to c', form: 'inheritanceEdit', draft: vague({ field: MOI }) },
  // Where only one split gives a value of the catalogue's own list, it is the one.
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from Unknown to monoallelic, due to imprinting', form: 'inheritanceEdit', draft: annotated({ field: MOI, from: 'Unknown', to: 'monoallelic, due to imprinting' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from see note to self to BIALLELIC, autosomal or pseudoautosomal', form: 'inheritanceEdit', draft: annotated({ field: MOI, from: 'see note to self', to: 'BIALLELIC, autosomal or pseudoautosomal' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from Unknown to see note to self', form: 'inheritanceEdit', draft: annotated({ field: MOI, from: 'Unknown', to: 'see note to self' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from  to see note to self', form: 'inheritanceEdit', draft: annotated({ field: MOI, from: null, to: 'see note to self' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from Unknown to Unknown to Other', form: 'inheritanceEdit', draft: vague({ field: MOI }) },
  { on: BRCA1, text: 'Mode of pathogenicity for gene: BRCA1 was changed from None to gain to loss', form: 'pathogenicityEdit', draft: annotated({ field: MOP, from: null, to: 'gain to loss' }) },
  { on: BRCA1, text: 'Added comment: Comment on phenotypes: a to b', form: 'commentAdded', draft: commented('Comment on phenotypes: a to b') },
  // The list before the edit
  { on: BRCA1, text: 'Publications for gene: BRCA1 were set to 28708303; PMID: 32275884 ', form: 'publicationsEdit', draft: annotated({ field: 'publications', from: ['28708303', 'PMID: 32275884 '] }) },
  { on: BRCA1, text: 'Publications for gene: BRCA1 were set to ', form: 'publicationsEdit', draft: annotated({ field: 'publications', from: [] }) },
  { on: HTT, text: 'Publications for STR: HTT_CAG were set to 28708303', form: 'publicationsEdit', draft: annotated({ field: 'publications', from: ['28708303'] }) },
  { on: ISCA, text: 'Publications for Region: ISCA-37390-Loss were set to 28708303\nand others', form: 'publicationsEdit', draft: annotated({ field: 'publications', from: ['28708303\nand others'] }) },
  { on: BRCA1, text: 'Added comment: Comment on publications: new cohort', form: 'commentAdded', draft: commented('Comment on publications: new cohort') },
  { on: BRCA1, text: 'Tag treatable was removed from gene: BRCA1.', form: 'tagsEdit', draft: tags({ removed: ['treatable'] }) },
  { on: BRCA1, text: 'Tag de novo tag was added to gene: BRCA1.', form: 'tagsEdit', draft: tags({ added: ['de novo'] }) },
  { on: BRCA1, text: 'Tag a was removed from gene: BRCA1.\nTag v1.2. was removed from gene: BRCA1.\nTag c; d tag was added to gene: BRCA1.\nTag to be removed from panel tag was added to gene: BRCA1.', form: 'tagsEdit', draft: tags({ removed: ['a', 'v1.2.'], added: ['c; d', 'to be removed from panel'] }) },
  { on: HTT, text: 'Tag a was removed from STR: HTT_CAG.\nTag b tag was added to STR: HTT_CAG.', form: 'tagsEdit', draft: tags({ removed: ['a'], added: ['b'] }) },
  { on: ISCA, text: 'Tag b tag was added to Region: ISCA-37390-Loss.\nTag c tag was added to Region: ISCA-37390-Loss.', form: 'tagsEdit', draft: tags({ added: ['b', 'c'] }) },
  { on: HTT, text: 'Tag a was removed from STR: HTT_CAG.', form: 'strEdit', draft: tags({ removed: ['a'] }) },
  { on: ISCA, text: 'Tag a was removed from Region: ISCA-37390-Loss.', form: 'regionEdit', draft: tags({ removed: ['a'] }) },
  { on: BRCA1, text: 'Tag gene: BRCA1. tag was added to gene: BRCA1.', form: 'tagsEdit', draft: tags({ added: ['gene: BRCA1.'] }) },
  { on: BRCA1, text: 'Source: UKGTN was removed from gene: BRCA1', form: 'sourceCleared', draft: annotated({ field: 'sources', removed: ['UKGTN'] }) },
  { on: HTT, text: 'Source: Radboud University Medical Center, Nijmegen was removed from STR: HTT_CAG', form: 'sourceCleared', draft: annotated({ field: 'sources', removed: ['Radboud University Medical Center, Nijmegen'] }) },
  { on: ISCA, text: 'Source: UKGTN was removed from Region: ISCA-37390-Loss', form: 'sourceCleared', draft: annotated({ field: 'sources', removed: ['UKGTN'] }) },
  { on: BRCA1, text: 'All sources for gene: BRCA1 were removed', form: 'sourcesCleared', draft: annotated({ field: 'sources', aspect: 'all' }) },
  { on: HTT, text: 'All sources for STR: HTT_CAG were removed', form: 'sourcesCleared', draft: annotated({ field: 'sources', aspect: 'all' }) },
  { on: ISCA, text: 'All sources for Region: ISCA-37390-Loss were removed', form: 'sourcesCleared', draft: annotated({ field: 'sources', aspect: 'all' }) },
  { on: BRCA1, text: 'Removed sources: Expert Review Green, Expert Review', form: 'expertReviewCleared', draft: annotated({ field: 'sources', removed: ['Expert Review Green', 'Expert Review'] }) },
  { on: BRCA1, text: 'Removed sources: Radboud University Medical Center, Nijmegen, Expert Review', form: 'expertReviewCleared', draft: annotated({ field: 'sources' }) },
  { on: ISCA, text: 'Removed sources: ', form: 'expertReviewCleared', draft: annotated({ field: 'sources' }) },
  { on: ISCA, text: 'Removed sources: Expert Review Red', form: 'expertReviewCleared', draft: annotated({ field: 'sources', removed: ['Expert Review Red'] }) },
  // A gene's replacement
  { on: BRCA1, text: 'BRCC1 was changed to BRCA1', form: 'symbolReplaced', draft: renamed('BRCC1', 'BRCA1') },
  { on: MT, text: 'Mode of inheritance for gene MT-ND2 was set to MITOCHONDRIAL', form: 'inheritanceOfNewSymbol', draft: annotated({ field: MOI, to: 'MITOCHONDRIAL' }) },
  { on: MT, text: 'Mode of inheritance for gene BRCA1 was set to MITOCHONDRIAL', form: 'inheritanceOfNewSymbol', draft: annotated({ field: MOI, to: 'MITOCHONDRIAL' }) },
  { on: on('gene', 'to'), text: 'from was changed to to', form: 'symbolReplaced', draft: renamed('from', 'to') },
];
