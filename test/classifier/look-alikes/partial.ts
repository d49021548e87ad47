import {
  added,
  annotated,
  classified,
  panelChanged,
  reviewEdited,
  reviewed,
  tags,
} from '../corpus/expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA, on, panel } from '../corpus/row.ts';

/** Texts with unknown lines: the other lines are read, and the unknown ones are named. */

const start = 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Literature';
const HTT_GENE = on('gene', 'HTT');
const GREEN = 'Rating Changed from Red List (low evidence) to Green List (high evidence)';
const literature = { sources: ['Literature'] };

// biome-ignore format: one row a line
export const partial: readonly (CorpusRow & { readonly unknown: readonly string[] })[] = [
  { on: BRCA1, text: `${start}\nShape of gene: BRCA1 was set to round`, form: 'added', draft: added(literature), unknown: ['Shape of gene: BRCA1 was set to round'] },
  { on: BRCA1, text: `${start}\nMode of inheritance for gene: BRCA2 was set to a`, form: 'added', draft: added(literature), unknown: ['Mode of inheritance for gene: BRCA2 was set to a'] },
  { on: BRCA1, text: `${start}\nShape unknown\nSize, too\nReview for gene: BRCA1 was set to RED`, form: 'added', draft: { ...added(literature), 'entity.reviewed': { rating: 'red', edited: false } }, unknown: ['Shape unknown', 'Size, too'] },
  { on: BRCA1, text: 'Tag a was removed from gene: BRCA1.\nTag b was hidden on gene: BRCA1.\nTag c tag was added to gene: BRCA1.', form: 'tagsEdit', draft: tags({ removed: ['a'], added: ['c'] }), unknown: ['Tag b was hidden on gene: BRCA1.'] },
  { on: BRCA1, text: 'Source a was added to BRCA1.\nShape for gene BRCA1 was changed from a to b\nRating Changed from Red List (low evidence) to Green List (high evidence)', form: 'geneEdit', draft: { ...annotated({ field: 'sources', added: ['a'] }), ...classified('green', { from: 'red' }) }, unknown: ['Shape for gene BRCA1 was changed from a to b'] },
  { on: BRCA1, text: 'Source a was added to BRCA1.\nRating Changed from Red List (low evidence) to Blue List (no evidence)', form: 'geneEdit', draft: annotated({ field: 'sources', added: ['a'] }), unknown: ['Rating Changed from Red List (low evidence) to Blue List (no evidence)'] },
  // Removals come first.
  { on: BRCA1, text: 'Source a was added to BRCA1.\nSource b was removed from BRCA1.', form: 'geneEdit', draft: annotated({ field: 'sources', added: ['a'] }), unknown: ['Source b was removed from BRCA1.'] },
  // A comment ends in a space before its line of sources.
  { on: BRCA1, text: `${start}\nAdded comment: \nSources: Literature`, form: 'added', draft: added(literature), unknown: ['Added comment: ', 'Sources: Literature'] },
  { on: BRCA1, text: `${start}\nAdded comment: one \ntwo`, form: 'added', draft: added(literature), unknown: ['Added comment: one ', 'two'] },
  { on: BRCA1, text: `${start}\nAdded comment: one `, form: 'added', draft: added(literature), unknown: ['Added comment: one '] },
  { on: ISCA, text: 'x were changed from y was changed to z\nPublications for Region: ISCA-2 were changed from 1 to 2', form: 'regionEdit', draft: annotated({ field: 'verboseName', from: 'x were changed from y', to: 'z' }), unknown: ['Publications for Region: ISCA-2 were changed from 1 to 2'] },
  // Without a rename nothing has an old name.
  { on: HTT, text: 'GRCh37 position for STR: HTT_CAG was removed.\nTag b was removed from STR: GRCh37 position for ST.', form: 'strEdit', draft: annotated({ field: 'coordinates', aspect: 'GRCh37', to: null }), unknown: ['Tag b was removed from STR: GRCh37 position for ST.'] },
  { on: HTT, text: 'Gene was set to HTT.\nRating changed', form: 'strEdit', draft: annotated({ field: 'gene', to: 'HTT' }), unknown: ['Rating changed'] },
  { on: panel, text: 'HPO terms changed from a to b\nPanel colour changed from red to green\nPanel types changed to c', form: 'panelEdited', draft: panelChanged({ field: 'hpoTerms', from: ['a'], to: ['b'] }, { field: 'types', to: ['c'] }), unknown: ['Panel colour changed from red to green'] },
  { on: panel, text: 'Added Panel x\nSet panel colour to red', form: 'panelCreated', draft: { 'panel.created': { name: 'x' } }, unknown: ['Set panel colour to red'] },
  { on: BRCA1, text: 'edited their review of gene: BRCA1: Changed rating: RED; Changed colour: red', form: 'reviewEdit', draft: reviewEdited({ rating: 'red' }), unknown: ['Changed colour: red'] },
  { on: BRCA1, text: 'edited their review of gene: BRCA1: Changed rating: GREEN; Changed rating: RED', form: 'reviewEdit', draft: reviewEdited({ rating: 'green' }), unknown: ['Changed rating: RED'] },
  { on: BRCA1, text: 'reviewed gene: BRCA1: Rating: RED; Colour: red; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: ', form: 'review', draft: reviewed({ rating: 'red', modeOfPathogenicity: null, publications: [], phenotypes: [], modeOfInheritance: null }), unknown: ['Colour: red'] },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA2 was added to Hearing loss. Sources: a', form: 'added', draft: added(), unknown: ['gene: BRCA2 was added to Hearing loss. Sources: a'] },
  // After free text: a line that names the entity or a rating, and that no template matches
  { on: HTT_GENE, text: 'Phenotypes for gene: HTT were changed from Epilepsy to Ataxia\nRating was raised from Red List (low evidence) to Green List (high evidence)', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: ['Epilepsy'], to: ['Ataxia'] }), unknown: ['Rating was raised from Red List (low evidence) to Green List (high evidence)'] },
  { on: HTT_GENE, text: 'Publications for gene: HTT were set to 28708303\nRating was raised from Red List (low evidence) to Green List (high evidence)', form: 'publicationsEdit', draft: annotated({ field: 'publications', from: ['28708303'] }), unknown: ['Rating was raised from Red List (low evidence) to Green List (high evidence)'] },
  { on: BRCA1, text: 'Publications for gene BRCA1 were changed from 1 to 2\nShape of BRCA1 is round\nas was known\nTag x tag was added to BRCA1.', form: 'geneEdit', draft: { ...annotated({ field: 'publications', from: ['1'], to: ['2'] }), ...tags({ added: ['x'] }) }, unknown: ['Shape of BRCA1 is round', 'as was known'] },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nb\nReview for gene: BRCA1 was set to green`, form: 'added', draft: added({ ...literature, phenotypes: ['a\nb'] }), unknown: ['Review for gene: BRCA1 was set to green'] },
  { on: BRCA1, text: `Penetrance for gene BRCA1 was set from to a\n${GREEN}.`, form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'a' }), unknown: [`${GREEN}.`] },
  { on: BRCA1, text: `Penetrance for gene BRCA1 was set from to a\n ${GREEN}`, form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'a' }), unknown: [` ${GREEN}`] },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss', form: 'added', draft: added(), unknown: ['gene: BRCA1 was added to Hearing loss'] },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. sources: Literature', form: 'added', draft: added(), unknown: ['gene: BRCA1 was added to Hearing loss. sources: Literature'] },
  // The beginning of a wording alone is none.
  { on: BRCA1, text: 'Phenotypes for gene BRCA1 were changed from a to b\nAdded colours to BRCA1', form: 'phenotypesEdit', draft: annotated({ field: 'phenotypes', from: ['a'], to: ['b'] }), unknown: ['Added colours to BRCA1'] },
  { on: BRCA1, text: 'Phenotypes for gene BRCA1 were changed from a to b\nNow on No list', form: 'phenotypesEdit', draft: annotated({ field: 'phenotypes', from: ['a'], to: ['b'] }), unknown: ['Now on No list'] },
  { on: BRCA1, text: 'Phenotypes for gene BRCA1 were changed from a to b\nNow on No List', form: 'phenotypesEdit', draft: annotated({ field: 'phenotypes', from: ['a'], to: ['b'] }), unknown: ['Now on No List'] },
];
