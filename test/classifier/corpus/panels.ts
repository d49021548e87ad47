import { added, panelChanged } from './expected.ts';
import { type CorpusRow, onPanel, panel } from './row.ts';

/** `promoted` to `panelEdited` in docs/wordings.md: rows about a panel. Those about an entity name it in their text. */

const gene = { type: 'gene', name: 'BRCA1' } as const;
const str = { type: 'str', name: 'HTT_CAG' } as const;
const region = { type: 'region', name: 'ISCA-1 (5p15)' } as const;
const promoted = (version: string) =>
  ({ 'panel.promoted': { version, previousVersion: null, via: 'activity' } }) as const;
const created = (name: string, more = {}) => ({ 'panel.created': { name, ...more } });
const published = { 'panel.published': { via: 'activity' } } as const;
const withdrawn = { 'panel.withdrawn': { via: 'activity' } } as const;
const signedOff = (yes: boolean, named: { version?: string; date?: string } = {}) =>
  ({ 'panel.signed-off': { signedOff: yes, ...named, via: 'activity' } }) as const;
const copied = added({ copiedFrom: 'Ataxia' });
const reviewsCopied = { 'entity.reviews-copied': { fromPanel: 'Ataxia' } };

// biome-ignore format: one wording a line
export const panels: readonly CorpusRow[] = [
  { on: panel, text: 'removed gene:BRCA1 from the panel', form: 'removed', entity: gene, draft: { 'entity.removed': {} } },
  { on: panel, text: 'removed STR:HTT_CAG from the panel', form: 'removed', entity: str, draft: { 'entity.removed': {} } },
  { on: panel, text: 'removed region:ISCA-1 (5p15) from the panel', form: 'removed', entity: region, draft: { 'entity.removed': {} } },
  { on: panel, text: 'removed region:A from the panel from the panel', form: 'removed', entity: { type: 'region', name: 'A from the panel' }, draft: { 'entity.removed': {} } },
  { on: panel, text: 'promoted panel to version 3.0', form: 'promoted', draft: promoted('3.0') },
  { on: panel, text: 'promoted panel to version 10.0', form: 'promoted', draft: promoted('10.0') },
  { on: panel, text: 'promoted panel to version 1.10', form: 'promoted', draft: promoted('1.10') },
  { on: panel, text: 'Added Panel Hearing loss', form: 'panelCreated', draft: created('Hearing loss') },
  { on: panel, text: 'Added panel Hearing loss', form: 'panelCreated', draft: created('Hearing loss') },
  { on: onPanel('Added Panel x'), text: 'Added Panel Added Panel x', form: 'panelCreated', draft: created('Added Panel x') },
  { on: panel, text: 'Added Panel Hearing loss\nSet list of related panels to R54 Ataxia; R27\nSet child panels to: A; B\nSet panel types to: Super Panel; Research', form: 'panelCreated', draft: created('Hearing loss', { relatedPanels: ['R54 Ataxia', 'R27'], childPanels: ['A', 'B'], types: ['Super Panel', 'Research'] }) },
  { on: panel, text: 'Added Panel Hearing loss\nSet list of related panels to R54', form: 'panelCreated', draft: created('Hearing loss', { relatedPanels: ['R54'] }) },
  // Until 2018, related panels were called old ones.
  { on: panel, text: 'Added Panel Hearing loss\nSet list of old panels to R54', form: 'panelCreated', draft: created('Hearing loss', { relatedPanels: ['R54'] }) },
  { on: panel, text: 'List of old panels changed from R54; R27 to R54', form: 'panelEdited', draft: panelChanged({ field: 'relatedPanels', from: ['R54', 'R27'], to: ['R54'] }) },
  { on: panel, text: 'Added Panel Hearing loss\nSet child panels to: A', form: 'panelCreated', draft: created('Hearing loss', { childPanels: ['A'] }) },
  { on: panel, text: 'Added Panel Hearing loss\nSet panel types to: Research', form: 'panelCreated', draft: created('Hearing loss', { types: ['Research'] }) },
  { on: panel, text: 'Panel name changed from Deafness to Hearing loss', form: 'panelEdited', draft: panelChanged({ field: 'name', from: 'Deafness', to: 'Hearing loss' }) },
  { on: onPanel('A to B'), text: 'Panel name changed from C to D to A to B', form: 'panelEdited', draft: panelChanged({ field: 'name', from: 'C to D', to: 'A to B' }) },
  { on: panel, text: 'Panel name changed from A to B', form: 'panelEdited', draft: panelChanged({ field: 'name', from: 'A', to: 'B' }) },
  { on: panel, text: 'Panel name changed from A to B to C', form: 'panelEdited', draft: panelChanged({ field: 'name' }) },
  { on: panel, text: 'HPO terms changed from HP:1, HP:2 to HP:3', form: 'panelEdited', draft: panelChanged({ field: 'hpoTerms', from: ['HP:1', 'HP:2'], to: ['HP:3'] }) },
  { on: panel, text: 'HPO terms changed from  to HP:3', form: 'panelEdited', draft: panelChanged({ field: 'hpoTerms', from: [], to: ['HP:3'] }) },
  { on: panel, text: 'List of related panels changed from R54; R27 to ', form: 'panelEdited', draft: panelChanged({ field: 'relatedPanels', from: ['R54', 'R27'], to: [] }) },
  { on: panel, text: 'List of related panels changed from A to B to C', form: 'panelEdited', draft: panelChanged({ field: 'relatedPanels' }) },
  // Where an item may hold the separator, the split is uncertain.
  { on: panel, text: 'List of related panels changed from a to b; c', form: 'panelEdited', draft: panelChanged({ field: 'relatedPanels', from: ['a'] }) },
  { on: panel, text: 'HPO terms changed from HP:1, HP:2 to HP:3, mild', form: 'panelEdited', draft: panelChanged({ field: 'hpoTerms', from: ['HP:1', 'HP:2'] }) },
  { on: panel, text: 'Changed child panels to: Ataxia; b', form: 'panelEdited', draft: panelChanged({ field: 'childPanels' }) },
  { on: panel, text: 'Added Panel Hearing loss\nSet list of related panels to Ataxia; b', form: 'panelCreated', draft: { ...created('Hearing loss'), ...panelChanged({ field: 'relatedPanels' }) } },
  // Names with line breaks
  { on: onPanel('Hearing\nloss'), text: 'Added Panel Hearing\nloss\nSet panel types to: Research', form: 'panelCreated', draft: created('Hearing\nloss', { types: ['Research'] }) },
  { on: onPanel('Hearing\nloss'), text: 'Panel name changed from Deaf\nness to Hearing\nloss\nPanel types changed to Research', form: 'panelEdited', draft: panelChanged({ field: 'name', from: 'Deaf\nness', to: 'Hearing\nloss' }, { field: 'types', to: ['Research'] }) },
  { on: panel, text: 'Copied gene BRCA1 from panel Ataxia\nof childhood', form: 'copied', entity: gene, draft: added({ copiedFrom: 'Ataxia\nof childhood' }) },
  { on: panel, text: 'Added reviews for STR HTT_CAG from panel Ataxia\nof childhood', form: 'reviewsCopied', entity: str, draft: { 'entity.reviews-copied': { fromPanel: 'Ataxia\nof childhood' } } },
  // The names of STRs and regions hold no colon and no comma.
  { on: panel, text: 'Added reviews for STR HTT_CAG from panel A to B, panel C from panel D', form: 'reviewsCopied', entity: str, draft: { 'entity.reviews-copied': { fromPanel: 'A to B, panel C from panel D' } } },
  { on: panel, text: 'Copied Region ISCA-1 (5p15) from panel Odd: all from panel B', form: 'copied', entity: region, draft: added({ copiedFrom: 'Odd: all from panel B' }) },
  { on: panel, text: 'Panel status changed from internal to public', form: 'panelEdited', draft: published },
  { on: panel, text: 'Panel status changed from retired to promoted', form: 'panelEdited', draft: published },
  { on: panel, text: 'Panel status changed from deleted to public', form: 'panelEdited', draft: published },
  { on: panel, text: 'Panel status changed from public to internal', form: 'panelEdited', draft: withdrawn },
  { on: panel, text: 'Panel status changed from promoted to retired', form: 'panelEdited', draft: withdrawn },
  { on: panel, text: 'Panel status changed from public to deleted', form: 'panelEdited', draft: withdrawn },
  { on: panel, text: 'Panel status changed from public to promoted', form: 'panelEdited', draft: panelChanged({ field: 'status', from: 'public', to: 'promoted' }) },
  { on: panel, text: 'Panel status changed from internal to retired', form: 'panelEdited', draft: panelChanged({ field: 'status', from: 'internal', to: 'retired' }) },
  { on: panel, text: 'Panel status changed from archived to public', form: 'panelEdited', draft: panelChanged({ field: 'status', from: 'archived', to: 'public' }) },
  { on: panel, text: 'Panel status changed from public to archived', form: 'panelEdited', draft: panelChanged({ field: 'status', from: 'public', to: 'archived' }) },
  { on: panel, text: 'Changed child panels to: A; B', form: 'panelEdited', draft: panelChanged({ field: 'childPanels', to: ['A', 'B'] }) },
  { on: panel, text: 'Panel types changed to Research; Super Panel', form: 'panelEdited', draft: panelChanged({ field: 'types', to: ['Research', 'Super Panel'] }) },
  { on: panel, text: 'Panel signed off version has been removed', form: 'panelEdited', draft: signedOff(false) },
  { on: panel, text: 'Panel version has been signed off', form: 'panelEdited', draft: signedOff(true) },
  // Newer software names the version.
  { on: panel, text: 'Panel version 2.14 has been signed off on 2024-03-06', form: 'panelEdited', draft: signedOff(true, { version: '2.14', date: '2024-03-06' }) },
  { on: panel, text: 'Panel signed off version 2.14 has been removed', form: 'panelEdited', draft: signedOff(false, { version: '2.14' }) },
  { on: panel, text: 'Panel types changed to Research\nPanel version 2.14 has been signed off on 2024-03-06', form: 'panelEdited', draft: { ...panelChanged({ field: 'types', to: ['Research'] }), ...signedOff(true, { version: '2.14', date: '2024-03-06' }) } },
  { on: panel, text: 'Panel name changed from A to Hearing loss\nHPO terms changed from a to b\nList of related panels changed from c to d\nPanel status changed from internal to public\nChanged child panels to: e\nPanel types changed to f\nPanel version has been signed off', form: 'panelEdited', draft: { ...panelChanged({ field: 'name', from: 'A', to: 'Hearing loss' }, { field: 'hpoTerms', from: ['a'], to: ['b'] }, { field: 'relatedPanels', from: ['c'], to: ['d'] }, { field: 'childPanels', to: ['e'] }, { field: 'types', to: ['f'] }), ...published, ...signedOff(true) } },
  { on: panel, text: 'Panel deleted', form: 'deleted', draft: { 'panel.deleted': { name: 'Hearing loss' } } },
  { on: panel, text: 'Copied gene BRCA1 from panel Ataxia from panel 2', form: 'copied', entity: gene, draft: added({ copiedFrom: 'Ataxia from panel 2' }) },
  { on: panel, text: 'Copied STR HTT_CAG from panel Ataxia', form: 'copied', entity: str, draft: copied },
  { on: panel, text: 'Copied Region ISCA-1 (5p15) from panel Ataxia', form: 'copied', entity: region, draft: copied },
  { on: panel, text: 'Added reviews for gene BRCA1 from panel Ataxia', form: 'reviewsCopied', entity: gene, draft: reviewsCopied },
  { on: panel, text: 'Added reviews for STR HTT_CAG from panel Ataxia', form: 'reviewsCopied', entity: str, draft: reviewsCopied },
  { on: panel, text: 'Added reviews for Region ISCA-1 (5p15) from panel Ataxia', form: 'reviewsCopied', entity: region, draft: reviewsCopied },
];
