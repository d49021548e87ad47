import {
  added,
  addedAs,
  annotated,
  classified,
  commented,
  reviewEdited,
  reviewed,
  tags,
} from './expected.ts';
import { BRCA1, type CorpusRow, HTT, ISCA, MT, onUnnamed, panel, type RowFrame } from './row.ts';

/**
 * The shapes of text that the documentation of the interface shows (docs/interfaces.md, "Activity"), with and without the
 * label, and in rows that name no entity.
 */

const gene = { type: 'gene', name: 'BRCA1' } as const;
const str = { type: 'str', name: 'HTT_CAG' } as const;
const region = { type: 'region', name: 'ISCA-37390-Loss' } as const;
const ready = { 'entity.marked-ready': {} };

/** Neither the kind of item nor the entity is given. */
const bare: RowFrame = { ...onUnnamed, item_type: null };
/** A row that names its entity, but not what kind of thing it is. */
const untyped: RowFrame = { ...BRCA1, entity_type: null };

// biome-ignore format: one wording a line
export const legacy: readonly CorpusRow[] = [
  { on: BRCA1, text: 'commented on BRCA1', form: 'commented', draft: commented(null) },
  { on: BRCA1, text: 'marked BRCA1 as ready', form: 'ready', draft: ready },
  { on: BRCA1, text: 'marked gene: BRCA1 as ready', form: 'ready', draft: ready },
  { on: BRCA1, text: 'classified BRCA1 as green', form: 'click', draft: classified('green') },
  { on: BRCA1, text: 'classified BRCA1 as amber', form: 'click', draft: classified('amber') },
  { on: BRCA1, text: 'classified gene: BRCA1 as red', form: 'click', draft: classified('red') },
  { on: BRCA1, text: 'Classified BRCA1 as Green List (high evidence)', form: 'click', draft: classified('green') },
  { on: BRCA1, text: 'reviewed BRCA1', form: 'reviewWithoutFields', draft: reviewed() },
  { on: BRCA1, text: 'reviewed gene: BRCA1', form: 'reviewWithoutFields', draft: reviewed() },
  { on: BRCA1, text: 'edited their review of BRCA1', form: 'reviewEditWithoutFields', draft: reviewEdited() },
  { on: BRCA1, text: 'edited their review of gene: BRCA1', form: 'reviewEditWithoutFields', draft: reviewEdited() },
  { on: BRCA1, text: 'added BRCA1 to panel', form: 'added', draft: added() },
  { on: BRCA1, text: 'added gene: BRCA1 to panel', form: 'added', draft: added() },
  { on: BRCA1, text: 'Added gene to panel', form: 'added', draft: added() },
  { on: HTT, text: 'Added STR to panel', form: 'added', draft: added() },
  { on: BRCA1, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: a\n tags were added to gene: BRCA1.\nAdded comment: Sources: a', form: 'added', draft: { ...added({ sources: ['a'] }), ...commented('Sources: a') } },
  { on: BRCA1, text: 'Phenotypes for gene: BRCA1 were set to a; b', form: 'phenotypesSet', draft: annotated({ field: 'phenotypes', to: ['a', 'b'] }) },
  { on: HTT, text: 'Phenotypes for STR: HTT_CAG were set to ', form: 'phenotypesSet', draft: annotated({ field: 'phenotypes', to: [] }) },
  { on: BRCA1, text: 'BRCA1 was added by Ada Lovelace\nBRCA1 was added to Hearing loss. Sources: UKGTN,Expert Review Green', form: 'added', draft: addedAs('green', ['UKGTN', 'Expert Review Green']) },
  { on: BRCA1, text: 'BRCA1 was added by \nwatchlist was added to BRCA1.\ncnv was added to BRCA1.\nBRCA1 was added to Hearing loss. Sources: UKGTN', form: 'added', draft: { ...added({ sources: ['UKGTN'] }), ...tags({ added: ['watchlist', 'cnv'] }) } },
  { on: MT, text: 'MT-ND1 was added by Ada Lovelace\nMT-ND1 was added to Hearing loss. Sources: UKGTN\nModel of inheritance for gene MT-ND1 was set to MITOCHONDRIAL', form: 'added', draft: added({ sources: ['UKGTN'] }) },
  { on: BRCA1, text: 'Source UKGTN was removed from BRCA1. Panel: Hearing loss\nNHS GMS was added to BRCA1. Panel: Hearing loss', form: 'earlyGeneEdit', draft: annotated({ field: 'sources', added: ['NHS GMS'], removed: ['UKGTN'] }) },
  { on: BRCA1, text: 'Expert Review Green was added to BRCA1. Panel: Hearing loss', form: 'earlyGeneEdit', draft: { ...annotated({ field: 'sources', added: ['Expert Review Green'] }), ...classified('green') } },
  { on: BRCA1, text: 'Expert Review Green was added to BRCA1. Panel: Hearing loss\nRating Changed from Red List (low evidence) to Green List (high evidence)', form: 'earlyGeneEdit', draft: { ...annotated({ field: 'sources', added: ['Expert Review Green'] }), ...classified('green', { from: 'red' }) } },
  { on: BRCA1, text: 'watchlist was removed from BRCA1. Panel: Hearing loss\nnew-gene-name was added to BRCA1. Panel: Hearing loss', form: 'earlyGeneEdit', draft: tags({ added: ['new-gene-name'], removed: ['watchlist'] }) },
  { on: BRCA1, text: 'Model of inheritance for gene BRCA1 was set to Unknown\nModel of pathogenicity for gene BRCA1 was set to Other\nPhenotypes for gene BRCA1 were set to a\nPenetrance for gene BRCA1 was set to Complete\nPublications for gene BRCA1 was set to [\'1\', \'2\']\nwatchlist was added to BRCA1. Panel: Hearing loss', form: 'earlyGeneEdit', draft: { ...annotated({ field: 'modeOfInheritance', to: 'Unknown' }, { field: 'modeOfPathogenicity', to: 'Other' }, { field: 'phenotypes', to: ['a'] }, { field: 'penetrance', to: 'Complete' }, { field: 'publications' }), ...tags({ added: ['watchlist'] }) } },
  { on: BRCA1, text: 'Mode of pathogenicity for gene BRCA1 was set to Other\nPenetrance for gene BRCA1 was set to None', form: 'earlyGeneEdit', draft: annotated({ field: 'modeOfPathogenicity', to: 'Other' }, { field: 'penetrance', to: null }) },
  { on: BRCA1, text: 'Mode of pathogenicity for gene: BRCA1 was changed to Other', form: 'pathogenicitySet', draft: annotated({ field: 'modeOfPathogenicity', to: 'Other' }) },
  { on: BRCA1, text: 'Phenotypes for gene BRCA1 were set to a; b', form: 'earlyGeneEdit', draft: annotated({ field: 'phenotypes', to: ['a', 'b'] }) },
  { on: BRCA1, text: 'Publications for gene BRCA1 were set to 1; 2', form: 'publicationsSet', draft: annotated({ field: 'publications' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene BRCA1 was set to Unknown', form: 'earlyGeneEdit', draft: annotated({ field: 'modeOfInheritance', to: 'Unknown' }) },
  { on: BRCA1, text: 'Mode of inheritance for gene BRCA1 was set to MITOCHONDRIAL', form: 'earlyGeneEdit', draft: annotated({ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }) },
  { on: BRCA1, text: 'Phenotypes for gene BRCA1 were changed from a; b to c\nd', form: 'phenotypesEdit', draft: annotated({ field: 'phenotypes', from: ['a', 'b'], to: ['c\nd'] }) },
  { on: BRCA1, text: 'Publications for gene BRCA1 were changed from 1 to 2', form: 'geneEdit', draft: annotated({ field: 'publications', from: ['1'], to: ['2'] }) },
  // The first word with a small letter or a capital one
  { on: BRCA1, text: 'Marked BRCA1 as ready', form: 'ready', draft: ready },
  { on: BRCA1, text: 'Commented on BRCA1', form: 'commented', draft: commented(null) },
  { on: BRCA1, text: 'Added BRCA1 to panel', form: 'added', draft: added() },
  { on: BRCA1, text: 'Classified BRCA1 as green', form: 'click', draft: classified('green') },
  { on: BRCA1, text: 'classified gene: BRCA1 as Green List (high evidence)', form: 'click', draft: classified('green') },
  { on: BRCA1, text: 'deleted their review', form: 'reviewDeleted', draft: { 'entity.review-deleted': {} } },
  { on: BRCA1, text: 'added comment: as before', form: 'commentAdded', draft: commented('as before') },
  { on: BRCA1, text: 'tag a tag was added to gene: BRCA1.', form: 'tagsEdit', draft: tags({ added: ['a'] }) },
  { on: panel, text: 'Removed gene:BRCA1 from the panel', form: 'removed', entity: gene, draft: { 'entity.removed': {} } },
  { on: panel, text: 'Promoted panel to version 3.0', form: 'promoted', draft: { 'panel.promoted': { version: '3.0', previousVersion: null, via: 'activity' } } },
  { on: BRCA1, text: 'Set mode of inheritance for BRCA1', form: 'inheritanceTouched', draft: annotated({ field: 'modeOfInheritance' }) },
  { on: BRCA1, text: 'set mode of inheritance for BRCA1', form: 'inheritanceTouched', draft: annotated({ field: 'modeOfInheritance' }) },
  { on: BRCA1, text: 'Set mode of inheritance for gene: BRCA1', form: 'inheritanceTouched', draft: annotated({ field: 'modeOfInheritance' }) },
  { on: onUnnamed, text: 'Set mode of inheritance for BRCA1', form: 'inheritanceTouched', entity: gene, draft: annotated({ field: 'modeOfInheritance' }) },
  { on: onUnnamed, text: 'Added BRCA1 to panel', form: 'added', entity: gene, draft: added() },
  { on: panel, text: 'promoted panel to version 3', form: 'promoted', draft: { 'panel.promoted': { version: '3', previousVersion: null, via: 'activity' } } },
  // Rows that do not name their entity
  { on: onUnnamed, text: 'commented on BRCA1', form: 'commented', entity: gene, draft: commented(null) },
  { on: onUnnamed, text: 'commented on gene: BRCA1', form: 'commented', entity: gene, draft: commented(null) },
  { on: onUnnamed, text: 'commented on STR: HTT_CAG', form: 'commented', entity: str, draft: commented(null) },
  { on: onUnnamed, text: 'commented on gene: BRCA1: as before', form: 'commentedAgain', entity: gene, draft: commented('as before') },
  { on: onUnnamed, text: 'marked BRCA1 as ready', form: 'ready', entity: gene, draft: ready },
  { on: onUnnamed, text: 'marked gene: BRCA1 as ready', form: 'ready', entity: gene, draft: ready },
  { on: onUnnamed, text: 'classified BRCA1 as green', form: 'click', entity: gene, draft: classified('green') },
  { on: onUnnamed, text: 'Classified Region: ISCA-37390-Loss as Red List (low evidence)', form: 'click', entity: region, draft: classified('red') },
  { on: onUnnamed, text: 'reviewed BRCA1', form: 'reviewWithoutFields', entity: gene, draft: reviewed() },
  { on: onUnnamed, text: 'reviewed gene: BRCA1: Rating: GREEN; Mode of pathogenicity: None; Publications: ; Phenotypes: ; Mode of inheritance: None', form: 'review', entity: gene, draft: reviewed({ rating: 'green', modeOfPathogenicity: null, publications: [], phenotypes: [], modeOfInheritance: null }) },
  { on: onUnnamed, text: 'edited their review of BRCA1', form: 'reviewEditWithoutFields', entity: gene, draft: reviewEdited() },
  { on: onUnnamed, text: 'added BRCA1 to panel', form: 'added', entity: gene, draft: added() },
  { on: onUnnamed, text: 'gene: BRCA1 was added\ngene: BRCA1 was added to Hearing loss. Sources: a', form: 'added', entity: gene, draft: added({ sources: ['a'] }) },
  { on: onUnnamed, text: 'Tag a tag was added to gene: BRCA1.', form: 'tagsEdit', entity: gene, draft: tags({ added: ['a'] }) },
  { on: onUnnamed, text: 'Tag a was removed from gene: BRCA1.\nTag b tag was added to gene: BRCA1.', form: 'tagsEdit', entity: gene, draft: tags({ added: ['b'], removed: ['a'] }) },
  { on: onUnnamed, text: 'Source a was added to BRCA1.\nRating Changed from Red List (low evidence) to Green List (high evidence)', form: 'geneEdit', entity: gene, draft: { ...annotated({ field: 'sources', added: ['a'] }), ...classified('green', { from: 'red' }) } },
  { on: onUnnamed, text: 'Phenotypes for gene BRCA1 were changed from a to b', form: 'phenotypesEdit', entity: gene, draft: annotated({ field: 'phenotypes', from: ['a'], to: ['b'] }) },
  { on: onUnnamed, text: 'Mode of inheritance for gene BRCA1 was set to Unknown', form: 'earlyGeneEdit', entity: gene, draft: annotated({ field: 'modeOfInheritance', to: 'Unknown' }) },
  // The text has the symbol in lower case, and nothing else has it.
  { on: onUnnamed, text: 'Gene: brca1 has been classified as Green List (High Evidence).', form: 'banner', entity: { type: 'gene', name: 'brca1' }, draft: classified('green') },
  { on: onUnnamed, text: 'Deleted their review', form: 'reviewDeleted', entity: null, draft: { 'entity.review-deleted': {} } },
  { on: onUnnamed, text: 'Added comment: commented on BRCA1', form: 'commentAdded', entity: null, draft: commented('commented on BRCA1') },
  { on: bare, text: 'commented on BRCA1', form: 'commented', entity: gene, draft: commented(null) },
  { on: bare, text: 'promoted panel to version 1.0', form: 'promoted', entity: null, draft: { 'panel.promoted': { version: '1.0', previousVersion: null, via: 'activity' } } },
  { on: { ...panel, item_type: null }, text: 'Panel deleted', form: 'deleted', draft: { 'panel.deleted': { name: 'Hearing loss' } } },
  { on: { ...BRCA1, item_type: null }, text: 'commented on BRCA1', form: 'commented', draft: commented(null) },
  { on: untyped, text: 'commented on BRCA1', form: 'commented', entity: gene, draft: commented(null) },
  { on: untyped, text: 'Deleted their comment', form: 'commentDeleted', entity: null, draft: { 'entity.commented': { action: 'deleted', comment: null } } },
  { on: { ...HTT, entity_type: null }, text: 'commented on STR: HTT_CAG', form: 'commented', entity: str, draft: commented(null) },
  { on: { ...ISCA, entity_type: 'copy-number' }, text: 'commented on Region: ISCA-37390-Loss', form: 'commented', entity: region, draft: commented(null) },
  { on: { ...BRCA1, entity_name: '' }, text: 'commented on gene: BRCA1', form: 'commented', entity: gene, draft: commented(null) },
];
