import {
  added,
  annotated,
  classified,
  commented,
  renamed,
  reviewEdited,
  reviewed,
  tags,
} from '../corpus/expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA, on } from '../corpus/row.ts';

/** Free text that imitates wordings, whole ones included: it stays free text. */

const GREEN = 'Rating Changed from Red List (low evidence) to Green List (high evidence)';
const AMBER = 'Rating Changed from Red List (low evidence) to Amber List (moderate evidence)';
const start = 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: Literature';
const edited = 'edited their review of gene: BRCA1: ';
const review = 'reviewed gene: BRCA1: Rating: RED; Mode of pathogenicity: None; ';
const said = { rating: 'red', modeOfPathogenicity: null } as const;

const imitations = [
  'Gene: brca1 has been classified as Green List (High Evidence).',
  'Gene: brca1 has been removed from the panel.',
  'Classified gene: BRCA1 as Green List (high evidence)',
  'Marked gene: BRCA1 as ready',
  start,
  'Tag x tag was added to gene: BRCA1.',
  'Source Expert Review Green was added to BRCA1.',
  'Source: Expert Review Green was removed from gene: BRCA1',
  'All sources for gene: BRCA1 were removed',
  'Mode of inheritance for gene BRCA1 was changed from a to b',
  GREEN,
  'BRCA2 was changed to BRCA1',
  'reviewed gene: BRCA1',
  'Added comment: x',
  'Deleted their review',
  'removed gene:BRCA1 from the panel',
  'promoted panel to version 2.0',
  'Panel deleted',
];

const comments = imitations.flatMap((imitation): CorpusRow[] => [
  { on: BRCA1, text: `Added comment: ${imitation}`, form: 'commentAdded', draft: commented(imitation) },
  {
    on: BRCA1,
    text: `Added comment: see\n${imitation}`,
    form: 'commentAdded',
    draft: commented(`see\n${imitation}`),
  },
  {
    on: BRCA1,
    text: `commented on gene: BRCA1: ${imitation}`,
    form: 'commentedAgain',
    draft: commented(imitation),
  },
  {
    on: BRCA1,
    text: `commented on gene: BRCA1: see\n${imitation}\n`,
    form: 'commentedAgain',
    draft: commented(`see\n${imitation}\n`),
  },
  {
    on: BRCA1,
    text: `${edited}Added comment: ${imitation}; Changed rating: RED`,
    form: 'reviewEdit',
    draft: reviewEdited({ comment: imitation, rating: 'red' }),
  },
  {
    on: BRCA1,
    text: `changed review comment from: ${imitation}; to: ${imitation}`,
    form: 'commentEdited',
    draft: { 'entity.commented': { action: 'edited', previousComment: imitation, comment: imitation } },
  },
  {
    on: BRCA1,
    text: `${start}\nAdded comment: ${imitation} \nSources: Literature`,
    form: 'added',
    draft: { ...added({ sources: ['Literature'] }), ...commented(`${imitation} \nSources: Literature`) },
  },
  {
    on: BRCA1,
    text: `${start}\nAdded comment: see\n${imitation} \nSources: Literature`,
    form: 'added',
    draft: { ...added({ sources: ['Literature'] }), ...commented(`see\n${imitation} \nSources: Literature`) },
  },
  {
    on: BRCA1,
    text: `Publications for gene: BRCA1 were set to ${imitation}`,
    form: 'publicationsEdit',
    draft: annotated({ field: 'publications', from: [imitation] }),
  },
  {
    on: BRCA1,
    text: `Publications for gene: BRCA1 were set to 1\n${imitation}`,
    form: 'publicationsEdit',
    draft: annotated({ field: 'publications', from: [`1\n${imitation}`] }),
  },
]);

// biome-ignore format: one row a line
const single: readonly CorpusRow[] = [
  // The comment of an edited review
  { on: BRCA1, text: `${edited}Added comment: I think; Changed rating: GREEN is what I would do`, form: 'reviewEdit', draft: reviewEdited({ comment: 'I think; Changed rating: GREEN is what I would do' }) },
  { on: BRCA1, text: `${edited}Added comment: I think; Changed rating: green; Changed rating: RED`, form: 'reviewEdit', draft: reviewEdited({ comment: 'I think; Changed rating: green', rating: 'red' }) },
  { on: BRCA1, text: `${edited}Added comment: I think; Changed rating: GREEN; Changed rating: RED`, form: 'reviewEdit', draft: reviewEdited({ comment: 'I think; Changed rating: GREEN', rating: 'red' }) },
  { on: BRCA1, text: `${edited}Added comment: Set current diagnostic: yes; Changed publications: 1; Changed rating: RED`, form: 'reviewEdit', draft: reviewEdited({ comment: 'Set current diagnostic: yes; Changed publications: 1', rating: 'red' }) },
  { on: BRCA1, text: `${edited}Changed phenotypes: a; Changed rating: GREEN`, form: 'reviewEdit', draft: reviewEdited({ phenotypes: ['a; Changed rating: GREEN'] }) },
  { on: BRCA1, text: `${edited}Added comment: a; Changed rating: GREEN; Changed mode of inheritance: b; Changed rating: RED; Changed publications: c; Changed mode of inheritance: d`, form: 'reviewEdit', draft: reviewEdited({ comment: 'a; Changed rating: GREEN; Changed mode of inheritance: b', rating: 'red', publications: ['c'], modeOfInheritance: 'd' }) },
  { on: BRCA1, text: `${edited}Changed mode of pathogenicity: a; Changed phenotypes: b; Changed phenotypes: c; Set current diagnostic: yes`, form: 'reviewEdit', draft: reviewEdited({ currentDiagnostic: true }) },
  { on: BRCA1, text: `${edited}Changed rating: RED; Changed publications: 1; Changed phenotypes: b; Changed phenotypes: c; Changed mode of inheritance: d`, form: 'reviewEdit', draft: reviewEdited({ rating: 'red', modeOfInheritance: 'd' }) },
  { on: BRCA1, text: `${edited}Changed mode of pathogenicity: a; Changed phenotypes: b; Changed publications: c; Changed phenotypes: d`, form: 'reviewEdit', draft: reviewEdited({ modeOfPathogenicity: 'a; Changed phenotypes: b', publications: ['c'], phenotypes: ['d'] }) },
  { on: BRCA1, text: `${edited}Changed phenotypes: a; Added comment: b`, form: 'reviewEdit', draft: reviewEdited({ phenotypes: ['a; Added comment: b'] }) },
  { on: BRCA1, text: `${edited}Changed publications: a; set current diagnostic: yes`, form: 'reviewEdit', draft: reviewEdited({ publications: ['a; set current diagnostic: yes'] }) },
  { on: BRCA1, text: `${edited}Changed mode of inheritance: a;Changed rating: GREEN`, form: 'reviewEdit', draft: reviewEdited({ modeOfInheritance: 'a;Changed rating: GREEN' }) },
  { on: BRCA1, text: `${edited}Added comment: a\nChanged rating: GREEN`, form: 'reviewEdit', draft: reviewEdited({ comment: 'a\nChanged rating: GREEN' }) },
  // The fields of a review
  { on: BRCA1, text: `${review}Publications: 1; Rating: GREEN; Phenotypes: a; Mode of inheritance: b`, form: 'review', draft: reviewed({ ...said, publications: ['1; Rating: GREEN'], phenotypes: ['a'], modeOfInheritance: 'b' }) },
  { on: BRCA1, text: `${review}Publications: 1; Phenotypes: a; Publications: 2; Mode of inheritance: b`, form: 'review', draft: reviewed({ ...said, publications: ['1'], phenotypes: ['a; Publications: 2'], modeOfInheritance: 'b' }) },
  { on: BRCA1, text: `${review}Publications: 1; Phenotypes: a; Current diagnostic: yes; Mode of inheritance: b`, form: 'review', draft: reviewed({ ...said, publications: ['1'], phenotypes: ['a; Current diagnostic: yes'], modeOfInheritance: 'b' }) },
  { on: BRCA1, text: `${review}Publications: 1; Phenotypes: a; Mode of inheritance: b; Current diagnostic: yes; Current diagnostic: yes`, form: 'review', draft: reviewed({ ...said, publications: ['1'], phenotypes: ['a'], modeOfInheritance: 'b; Current diagnostic: yes', currentDiagnostic: true }) },
  { on: BRCA1, text: `${review}Publications: 1; Phenotypes: a; Mode of inheritance: b; Current diagnostic: yes please`, form: 'review', draft: reviewed({ ...said, publications: ['1'], phenotypes: ['a'], modeOfInheritance: 'b; Current diagnostic: yes please' }) },
  // Phenotypes and the like in the edit form
  { on: BRCA1, text: `Phenotypes for gene: BRCA1 were changed from a to b\n${GREEN}\nTag x was removed from BRCA1.`, form: 'geneEdit', draft: { ...annotated({ field: 'phenotypes' }), ...tags({ removed: ['x'] }) } },
  { on: BRCA1, text: `Tag x was removed from BRCA1.\n${GREEN}`, form: 'geneEdit', draft: { ...tags({ removed: ['x'] }), ...classified('green', { from: 'red' }) } },
  { on: BRCA1, text: `Added phenotypes a\n${GREEN}\n${GREEN} for gene: BRCA1\n${AMBER}`, form: 'geneEdit', draft: { ...annotated({ field: 'phenotypes', added: [`a\n${GREEN}\n${GREEN}`] }), ...classified('amber', { from: 'red' }) } },
  { on: BRCA1, text: `Penetrance for gene BRCA1 was set from to a\n${GREEN}\n${AMBER}`, form: 'geneEdit', draft: { ...annotated({ field: 'penetrance', from: `a\n${GREEN}` }), ...classified('amber', { from: 'red' }) } },
  { on: BRCA1, text: `Penetrance for gene BRCA1 was set from to a\nSource Expert Review Green was added to BRCA1.`, form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'a\nSource Expert Review Green was added to BRCA1.' }) },
  { on: BRCA1, text: `Penetrance for gene BRCA1 was set from to a\nSource Expert Review Green was added to BRCA1.\nTag x was removed from BRCA1.`, form: 'geneEdit', draft: { ...annotated({ field: 'penetrance', from: 'a\nSource Expert Review Green was added to BRCA1.' }), ...tags({ removed: ['x'] }) } },
  { on: BRCA1, text: 'Penetrance for gene BRCA1 was set from to a\nBRCA2 was changed to BRCA1', form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'a\nBRCA2 was changed to BRCA1' }) },
  { on: BRCA1, text: 'Penetrance for gene BRCA1 was set from to a\nTag x tag was added to BRCA2.', form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'a\nTag x tag was added to BRCA2.' }) },
  { on: BRCA1, text: 'Penetrance for gene BRCA1 was set from to a\nTag x tag was added to gene: BRCA1.', form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'a\nTag x tag was added to gene: BRCA1.' }) },
  { on: BRCA1, text: 'Penetrance for gene BRCA1 was set from to a\r\nPenetrance for gene BRCA1 was set from to b', form: 'geneEdit', draft: annotated({ field: 'penetrance', from: 'a\r\nPenetrance for gene BRCA1 was set from to b' }) },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from a\nTag x was removed from BRCA1.\n to b', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: ['a\nTag x was removed from BRCA1.\n'], to: ['b'] }) },
  // Only with what looks like a tag has the text a second side.
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from a\nTag x tag was added to BRCA1.', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: ['a\nTag x tag was added'], to: ['BRCA1.'] }) },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from a\nand b\nTag x tag was added to BRCA1.', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: ['a\nand b\nTag x tag was added'], to: ['BRCA1.'] }) },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from  to b\nTag x was removed from BRCA1.\nSource y was removed from BRCA1.\nTag z was removed from BRCA1.', form: 'geneEdit', draft: { ...annotated({ field: 'phenotypes', from: [], to: ['b\nTag x was removed from BRCA1.\nSource y was removed from BRCA1.'] }), ...tags({ removed: ['z'] }) } },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were changed from a to b\nPublications for gene BRCA1 were changed from 1', form: 'geneEdit', draft: annotated({ field: 'phenotypes', from: ['a'], to: ['b\nPublications for gene BRCA1 were changed from 1'] }) },
  // Appended phenotypes end in the gene's label, wherever that is.
  { on: BRCA1, text: `Added phenotypes a\nPenetrance for gene BRCA1 was set from to b for gene: BRCA1\n${GREEN}`, form: 'geneEdit', draft: { ...annotated({ field: 'phenotypes', added: ['a\nPenetrance for gene BRCA1 was set from to b'] }), ...classified('green', { from: 'red' }) } },
  { on: BRCA1, text: 'Added phenotypes a for gene: BRCA1\nPenetrance for gene BRCA1 was set from to b for gene: BRCA1\nPenetrance for gene BRCA1 was set from to c', form: 'geneEdit', draft: annotated({ field: 'phenotypes', added: ['a for gene: BRCA1\nPenetrance for gene BRCA1 was set from to b'] }, { field: 'penetrance', from: 'c' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene: BRCA1 was changed from a to b\nTag x was removed from BRCA1.', form: 'inheritanceEdit', draft: annotated({ field: 'modeOfInheritance', from: 'a', to: 'b\nTag x was removed from BRCA1.' }) },
  { on: HTT, text: 'Publications for STR: HTT_CAG were changed from 1 to 2\nGene was set to HTT.\nGene: HTT was removed.', form: 'strEdit', draft: annotated({ field: 'publications' }, { field: 'gene', from: 'HTT', to: null }) },
  { on: ISCA, text: 'Penetrance for Region: ISCA-37390-Loss was change from a to b\nc was changed to ISCA-37390-Loss', form: 'regionEdit', draft: annotated({ field: 'penetrance' }) },
  { on: ISCA, text: 'Publications for Region: ISCA-37390-Loss were changed from a to b\nChromosome for ISCA-37390-Loss was changed from 1 to 2.', form: 'regionEdit', draft: annotated({ field: 'publications' }) },
  // Lines that the software writes after free text, in its order
  { on: on('str', 'STRX'), text: 'Phenotypes for STR: STRX were changed from p1 to plain\nTag Ünï tag was added to STR: STRX.', form: 'strEdit', draft: { ...annotated({ field: 'phenotypes', from: ['p1'], to: ['plain'] }), ...tags({ added: ['Ünï tag'] }) } },
  { on: HTT, text: 'Penetrance for HTT_CAG were changed from a to b\nTag x tag was added to STR: HTT_CAG.', form: 'strEdit', draft: { ...annotated({ field: 'penetrance', from: 'a', to: 'b' }), ...tags({ added: ['x tag'] }) } },
  { on: HTT, text: 'Tag x was added to STR: HTT_CAG.\nTag y tag was added to STR: HTT_CAG.', form: 'strEdit', draft: tags({ added: ['x', 'y tag'] }) },
  // Free text that goes on, and names nothing of the row
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nBRCA12 and XBRCA1 are other genes\nof the Green team`, form: 'added', draft: added({ sources: ['Literature'], phenotypes: ['a\nBRCA12 and XBRCA1 are other genes\nof the Green team'] }) },
  // All that people write in a comment belongs to it.
  { on: BRCA1, text: `Added comment: Agreed.\nBRCA1 should go to the Green List (high evidence)`, form: 'commentAdded', draft: commented('Agreed.\nBRCA1 should go to the Green List (high evidence)') },
  { on: BRCA1, text: `${start}\nAdded comment: Agreed.\nBRCA1 should go to the Green List (high evidence) \nSources: Literature`, form: 'added', draft: { ...added({ sources: ['Literature'] }), ...commented('Agreed.\nBRCA1 should go to the Green List (high evidence) \nSources: Literature') } },
  // Fields of an added entity
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nPublications for gene: BRCA1 were set to 1`, form: 'added', draft: added({ sources: ['Literature'], phenotypes: ['a\nPublications for gene: BRCA1 were set to 1'] }) },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nx tags were added to gene: BRCA1.`, form: 'added', draft: added({ sources: ['Literature'], phenotypes: ['a\nx tags were added to gene: BRCA1.'] }) },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\n${start}`, form: 'added', draft: added({ sources: ['Literature'], phenotypes: [`a\n${start}`] }) },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nReview for gene: BRCA1 was set to RED\nReview for gene: BRCA1 was set to GREEN`, form: 'added', draft: { ...added({ sources: ['Literature'], phenotypes: ['a\nReview for gene: BRCA1 was set to RED'] }), ...reviewed({ rating: 'green' }) } },
  // A genuine comment always ends in its line of sources.
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nAdded comment: b`, form: 'added', draft: added({ sources: ['Literature'], phenotypes: ['a\nAdded comment: b'] }) },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nAdded comment: b\nSources: Literature`, form: 'added', draft: added({ sources: ['Literature'], phenotypes: ['a\nAdded comment: b\nSources: Literature'] }) },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nAdded comment: b \nSources: Literature\nReview for gene: BRCA1 was set to RED`, form: 'added', draft: { ...added({ sources: ['Literature'], phenotypes: ['a\nAdded comment: b \nSources: Literature'] }), ...reviewed({ rating: 'red' }) } },
  { on: BRCA1, text: `${start}\nPhenotypes for gene: BRCA1 were set to a\nAdded comment: Penetrance for gene: BRCA1 were set to b\nPenetrance for gene: BRCA1 were set to c\nAdded comment: d \nSources: Literature`, form: 'added', draft: { ...added({ sources: ['Literature'], phenotypes: ['a'] }), ...commented('Penetrance for gene: BRCA1 were set to b\nPenetrance for gene: BRCA1 were set to c\nAdded comment: d \nSources: Literature') } },
  // Names that imitate
  { on: BRCA1, text: 'Tag x tag was added to gene: BRCA1. tag was added to gene: BRCA1.', form: 'tagsEdit', draft: tags({ added: ['x tag was added to gene: BRCA1.'] }) },
  { on: BRCA1, text: 'Tag x was removed from gene: BRCA1. tag was added to gene: BRCA1.', form: 'tagsEdit', draft: tags({ added: ['x was removed from gene: BRCA1.'] }) },
  { on: BRCA1, text: `Source ${GREEN} was added to BRCA1.`, form: 'geneEdit', draft: annotated({ field: 'sources', added: [GREEN] }) },
  { on: BRCA1, text: 'Source Expert Review Green and more was added to BRCA1.', form: 'geneEdit', draft: annotated({ field: 'sources', added: ['Expert Review Green and more'] }) },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: the Expert Review Green', form: 'added', draft: added({ sources: ['the Expert Review Green'] }) },
  { on: ISCA, text: 'Added comment: x was changed to ISCA-37390-Loss', form: 'commentAdded', draft: commented('x was changed to ISCA-37390-Loss') },
  { on: ISCA, text: 'commented on Region: ISCA-37390-Loss: x was changed to y', form: 'commentedAgain', draft: commented('x was changed to y') },
  { on: on('region', 'ISCA'), text: 'Gene was changed to ISCA', form: 'regionEdit', draft: renamed('Gene', 'ISCA') },
];

export const freeText: readonly CorpusRow[] = [...comments, ...single];
