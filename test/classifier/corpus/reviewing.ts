import { commented, reviewEdited, reviewed } from './expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA } from './row.ts';

/** `review` to `commentDeleted` in docs/wordings.md: reviews and comments. */

const edited = 'edited their review of gene: BRCA1: ';
const empty = {
  rating: null,
  modeOfPathogenicity: null,
  publications: [],
  phenotypes: [],
  modeOfInheritance: null,
};
const deleted = { 'entity.commented': { action: 'deleted', comment: null } } as const;
const changed = (previousComment: string, comment: string) =>
  ({ 'entity.commented': { action: 'edited', comment, previousComment } }) as const;

// biome-ignore format: one wording a line
export const reviewing: readonly CorpusRow[] = [
  { on: BRCA1, text: 'reviewed gene: BRCA1: Rating: GREEN; Mode of pathogenicity: Other; Publications: 25741868, PMID: 32275884; Phenotypes: Ataxia; Mode of inheritance: Unknown', form: 'review', draft: reviewed({ rating: 'green', modeOfPathogenicity: 'Other', publications: ['25741868', 'PMID: 32275884'], phenotypes: ['Ataxia'], modeOfInheritance: 'Unknown' }) },
  { on: BRCA1, text: 'reviewed gene: BRCA1: Rating: AMBER; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: None', form: 'review', draft: reviewed({ ...empty, rating: 'amber' }) },
  { on: HTT, text: 'reviewed STR: HTT_CAG: Rating: RED; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: None; Current diagnostic: yes; Clinically relevant: yes', form: 'review', draft: reviewed({ ...empty, rating: 'red', currentDiagnostic: true, clinicallyRelevant: true }) },
  { on: ISCA, text: 'reviewed Region: ISCA-37390-Loss: Rating: ; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: Unknown; Current diagnostic: yes', form: 'review', draft: reviewed({ ...empty, modeOfInheritance: 'Unknown', currentDiagnostic: true }) },
  { on: BRCA1, text: 'reviewed gene: BRCA1: Rating: None; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: Unknown', form: 'review', draft: reviewed({ ...empty, modeOfInheritance: 'Unknown' }) },
  { on: HTT, text: 'reviewed STR: HTT_CAG: Rating: ; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: None; Clinically relevant: yes', form: 'review', draft: reviewed({ ...empty, clinicallyRelevant: true }) },
  { on: BRCA1, text: 'reviewed gene: BRCA1: Rating: GREEN; Mode of pathogenicity: a; b\nc; Publications: d; e; Phenotypes: f; g\nh; Mode of inheritance: i; j', form: 'review', draft: reviewed({ rating: 'green', modeOfPathogenicity: 'a; b\nc', publications: ['d; e'], phenotypes: ['f; g\nh'], modeOfInheritance: 'i; j' }) },
  { on: BRCA1, text: 'commented on gene: BRCA1', form: 'commented', draft: commented(null) },
  { on: HTT, text: 'commented on STR: HTT_CAG', form: 'commented', draft: commented(null) },
  { on: ISCA, text: 'commented on Region: ISCA-37390-Loss', form: 'commented', draft: commented(null) },
  { on: BRCA1, text: 'commented on gene: BRCA1: See PMID: 1.\n\nAgreed; to be reviewed', form: 'commentedAgain', draft: commented('See PMID: 1.\n\nAgreed; to be reviewed') },
  { on: HTT, text: 'commented on STR: HTT_CAG: x', form: 'commentedAgain', draft: commented('x') },
  { on: ISCA, text: 'commented on Region: ISCA-37390-Loss: x', form: 'commentedAgain', draft: commented('x') },
  { on: BRCA1, text: `${edited}Added comment: I agree; thanks`, form: 'reviewEdit', draft: reviewEdited({ comment: 'I agree; thanks' }) },
  { on: BRCA1, text: `${edited}Changed rating: GREEN`, form: 'reviewEdit', draft: reviewEdited({ rating: 'green' }) },
  { on: BRCA1, text: `${edited}Changed rating: AMBER`, form: 'reviewEdit', draft: reviewEdited({ rating: 'amber' }) },
  { on: BRCA1, text: `${edited}Changed rating: RED`, form: 'reviewEdit', draft: reviewEdited({ rating: 'red' }) },
  { on: BRCA1, text: `${edited}Changed mode of pathogenicity: Other`, form: 'reviewEdit', draft: reviewEdited({ modeOfPathogenicity: 'Other' }) },
  { on: BRCA1, text: `${edited}Changed publications: doi:10.1038/s41588-019-0457-7, https://doi.org/10.1101/2020`, form: 'reviewEdit', draft: reviewEdited({ publications: ['doi:10.1038/s41588-019-0457-7', 'https://doi.org/10.1101/2020'] }) },
  { on: BRCA1, text: `${edited}Changed publications: PMID:12345678, 10.1038/s41588-019-0457-7, http://example.org/1`, form: 'reviewEdit', draft: reviewEdited({ publications: ['PMID:12345678', '10.1038/s41588-019-0457-7', 'http://example.org/1'] }) },
  // Where one item ends is uncertain, as it may hold a comma itself.
  // Newer software writes "to".
  { on: BRCA1, text: `${edited}Changed publications to: 31234567, 27535533; Changed phenotypes to: Ataxia`, form: 'reviewEdit', draft: reviewEdited({ publications: ['31234567', '27535533'], phenotypes: ['Ataxia'] }) },
  { on: BRCA1, text: `${edited}Changed phenotypes to: Ataxia, mild`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed publications: 12345678 and others, 23456789`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed publications: see 10.1038/s41588-019-0457-7, 12345678`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed publications: 10.1038/s41588-019-0457-7 of 2019, 12345678`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed publications: see https://example.org/1, 12345678`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed publications: https://example.org/1 of 2019, 12345678`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed publications: PMIDs 12345678, 23456789`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed phenotypes: Microcephaly 5, primary, Ataxia`, form: 'reviewEdit', draft: reviewEdited({}) },
  { on: BRCA1, text: `${edited}Changed phenotypes: Ataxia`, form: 'reviewEdit', draft: reviewEdited({ phenotypes: ['Ataxia'] }) },
  { on: BRCA1, text: `${edited}Changed mode of inheritance: Unknown`, form: 'reviewEdit', draft: reviewEdited({ modeOfInheritance: 'Unknown' }) },
  { on: BRCA1, text: `${edited}Set current diagnostic: yes`, form: 'reviewEdit', draft: reviewEdited({ currentDiagnostic: true }) },
  { on: HTT, text: 'edited their review of STR: HTT_CAG: Set clinically relevant: yes', form: 'reviewEdit', draft: reviewEdited({ clinicallyRelevant: true }) },
  { on: HTT, text: 'edited their review of STR: HTT_CAG: Set clinically relevant: no', form: 'reviewEdit', draft: reviewEdited({ clinicallyRelevant: false }) },
  { on: ISCA, text: 'edited their review of Region: ISCA-37390-Loss: Added comment: a\nb; Changed rating: RED; Changed mode of pathogenicity: c; Changed publications: d; Changed phenotypes: e; Changed mode of inheritance: f; Set current diagnostic: yes; Set clinically relevant: no', form: 'reviewEdit', draft: reviewEdited({ comment: 'a\nb', rating: 'red', modeOfPathogenicity: 'c', publications: ['d'], phenotypes: ['e'], modeOfInheritance: 'f', currentDiagnostic: true, clinicallyRelevant: false }) },
  // Only emptied or un-ticked: that is not logged.
  { on: BRCA1, text: 'edited their review of gene: BRCA1: ', form: 'reviewEditWithoutFields', draft: reviewEdited() },
  { on: BRCA1, text: 'Added comment: anything', form: 'commentAdded', draft: commented('anything') },
  { on: HTT, text: 'Added comment: ', form: 'commentAdded', draft: commented('') },
  { on: BRCA1, text: 'changed review comment from: One family.; to: Two families;\nmore to come.', form: 'commentEdited', draft: changed('One family.', 'Two families;\nmore to come.') },
  { on: ISCA, text: 'changed review comment from: ; to: x', form: 'commentEdited', draft: changed('', 'x') },
  { on: HTT, text: 'changed review comment from: a; to: b; to: c', form: 'commentEdited', draft: { 'entity.commented': { action: 'edited', comment: null } } },
  { on: BRCA1, text: 'Deleted their comment', form: 'commentDeleted', draft: deleted },
  { on: ISCA, text: 'Deleted their comment', form: 'commentDeleted', draft: deleted },
  { on: BRCA1, text: 'Deleted their review', form: 'reviewDeleted', draft: { 'entity.review-deleted': {} } },
  { on: HTT, text: 'Deleted their review', form: 'reviewDeleted', draft: { 'entity.review-deleted': {} } },
];
