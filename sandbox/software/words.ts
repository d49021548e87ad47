/** Invented people and notes, real-looking genes, panels and literature: the vocabulary of the made-up catalogue. */

export const curators = [
  'Ana Lindqvist',
  'Tomasz Wierzba',
  'Priya Raman-Cole',
  'Eleanor Vance-Holt',
] as const;

export const reviewers = [
  'Zoë Ångström-Müller',
  'Seán Ó Súilleabháin',
  'Yusuf Al-Haddad',
  'Double  Space  Nameson',
  'Marguerite',
  'Chidi Okonkwo',
] as const;

export const genes = (
  'ABCA4 ACADM ACADVL ADA AP3B2 ARX ASS1 ATM ATP7B BAG3 BRCA1 BRCA2 C2orf69 CAPN3 CCDC39 CEP290 CHEK2 CNBP COL2A1 ' +
  'COL5A2 DMPK DNM2 DNMT3A DSP DYSF EHMT1 F8 FBN1 FGFR1 FOXC1 FOXG1 GABRA1 GABRB3 GATA1 GLA H4C5 HBA1 HLA-DRB1 ' +
  'HNF1B HTT IFITM5 KCNQ2 LMNA LZTR1 MCPH1 MFN2 MLH1 MT-ND1 MT-TL1 MYBPC3 MYH7 MYL2 MYO15A MYO7A NKX2-1 NPHP1 ' +
  'NPHS1 NPRL3 PAH PDHA1 PKD1 PKD2 PMP22 PRPH2 PTEN RAF1 RAG2 RBM20 RHO RNU4-2 SCN1A SFTPC SLC12A3 SLC6A8 SMN1 ' +
  'SNORD118 STK11 TBX1 TECTA TERC TNNI3 TNNT2 TSC1 TSC2 TTN TUBA1A TUBB2B UMOD VHL WDR45'
).split(' ');

export const strs = 'ATXN10_ATTCT ATXN7_CAG C9orf72_GGGGCC DMPK_CTG FXN_GAA HTT_CAG RFC1_AAGGG'.split(' ');

export const regions = (
  'ISCA-37390-Loss ISCA-37392-Loss ISCA-37400-Gain ISCA-37404-Loss ISCA-37415-Loss ISCA-37423-Gain ' +
  'ISCA-37429-Loss ISCA-37478-Gain ISCA-46302-Gain'
).split(' ');

export const verboseNames = [
  '7q11.23 recurrent (Williams-Beuren syndrome) region (includes ELN) Loss',
  '8p23.1 recurrent region (includes GATA4) Gain',
  '15q11q13 recurrent (PWS/AS) region (BP2-BP3, Class 2) Loss',
  '22q11.2 recurrent (DGS/VCFS) region (proximal, A-D) (includes TBX1) Loss',
] as const;

/** Each with the test-directory codes that it serves. */
export const panels: readonly (readonly [name: string, ...codes: string[]])[] = [
  ['Hearing loss', 'R67'],
  ['Inherited breast cancer and ovarian cancer', 'R208'],
  ['Retinal disorders', 'R32'],
  ['Cystic kidney disease', 'R193'],
  ['Genetic epilepsy syndromes', 'R59', 'R54'],
  ['Hereditary ataxia - from infancy to adulthood', 'R54', 'R55'],
  ['Skeletal dysplasia', 'R104'],
  ['Monogenic diabetes', 'R141', 'R142'],
  ['Congenital myopathy', 'R79'],
  ['Mitochondrial disorders', 'R300'],
  ['Intellectual disability', 'R29'],
  ['Hypertrophic cardiomyopathy', 'R131'],
  ['Proteinuric renal disease', 'R195'],
  ['Likely inborn error of metabolism - targeted testing not possible', 'R98'],
  ['Neonatal diabetes', 'R143'],
  ['Tuberous sclerosis', 'R228'],
];

export const superPanelName = 'Paediatric disorders - super panel';

export const sources = [
  'NHS GMS',
  'Literature',
  'UKGTN',
  'ClinGen',
  'Expert List',
  'Radboud University Medical Center, Nijmegen',
  'Illumina TruGenome Clinical Sequencing Services',
  'Emory Genetics Laboratory',
  'Victorian Clinical Genetics Services',
  'London North GLH',
] as const;

export const tags = [
  'watchlist',
  'watchlist_moi',
  'new-gene-name',
  'treatable',
  'mosaicism',
  'de novo',
  'to be removed from panel',
  'currently-ngs-unreportable',
  'nucleotide-repeat-expansion',
  'Q2_26_promote_green',
  'Q3_26_demote_red',
] as const;

export const modesOfInheritance = [
  'MONOALLELIC, autosomal or pseudoautosomal, imprinted status unknown',
  'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted',
  'BIALLELIC, autosomal or pseudoautosomal',
  'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
  'BOTH monoallelic and biallelic (but BIALLELIC mutations cause a more SEVERE disease form), autosomal or pseudoautosomal',
  'X-LINKED: hemizygous mutation in males, biallelic mutations in females',
  'Unknown',
] as const;

export const modesOfPathogenicity = [
  'Loss-of-function variants (as defined in pop up message) DO NOT cause this phenotype - please provide details in the comments',
  'Other',
] as const;

export const phenotypes = [
  'Deafness, autosomal recessive 1A, 220290',
  'Hypertrophic cardiomyopathy',
  'Charcot–Marie–Tooth disease, type 1A',
  '{Breast-ovarian cancer, familial, 1}, 604370',
  'Spinocerebellar ataxia 10, MONDO:0011330',
  'Kabuki syndrome 1, 147920',
  'Retinitis pigmentosa 20, 613794',
  '?Neurodevelopmental disorder with seizures',
  'Ehlers-Danlos syndrome, vascular type, OMIM:130050',
  'Intellectual disability',
] as const;

export const comments = [
  'Three unrelated families reported with biallelic loss-of-function variants and a consistent phenotype.',
  'Only one family reported to date; keep Amber until further evidence.',
  'Agree with previous reviewer.',
  'Associated with the relevant phenotype in OMIM and as definitive in Gene2Phenotype.',
  'See PMID: 31000001 - de novo enrichment in a large cohort (p = 2.1e-9).',
  'The rating of this gene has been updated following review by the specialist test group.',
  'Functional data in zebrafish;\nvariants cluster in the kinase domain.',
  'Was changed from Amber to Green in an earlier round, and should not have been.',
] as const;
