import {
  legacyChanged,
  legacyClassified,
  legacyRow,
  legacySet,
} from '../../../../sandbox/software/actions/legacy.ts';
import { aGene, type Case } from './case.ts';

const plain = { labelled: false, unnamed: false };
const labelled = { labelled: true, unnamed: false };
const unnamed = { labelled: true, unnamed: true };
const annotated = (change: object): Case['published'] => [['entity.annotated', { changes: [change] }]];

/** The shapes of older rows in docs/interfaces.md, "Activity". */
export const legacyCases: readonly Case[] = [
  {
    name: 'a comment',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'commented', plain),
    texts: ['commented on BRCA1'],
    published: [['entity.commented', { action: 'added' }]],
  },
  {
    name: 'a comment, with the label, the entity only in the text',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'commented', unnamed),
    texts: ['commented on gene: BRCA1'],
    published: [['entity.commented', { action: 'added' }]],
  },
  {
    name: 'a review',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'reviewed', plain),
    texts: ['reviewed BRCA1'],
    published: [['entity.reviewed', { edited: false }]],
  },
  {
    name: 'a review, with the label',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'reviewed', labelled),
    texts: ['reviewed gene: BRCA1'],
    published: [['entity.reviewed', { edited: false }]],
  },
  {
    name: 'an edited review',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'review edited', plain),
    texts: ['edited their review of BRCA1'],
    published: [['entity.reviewed', { edited: true }]],
  },
  {
    name: 'an edited review, with the label',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'review edited', unnamed),
    texts: ['edited their review of gene: BRCA1'],
    published: [['entity.reviewed', { edited: true }]],
  },
  {
    name: 'marked as ready',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'marked ready', plain),
    texts: ['marked BRCA1 as ready'],
    published: [['entity.marked-ready']],
  },
  {
    name: 'marked as ready, with the label',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'marked ready', labelled),
    texts: ['marked gene: BRCA1 as ready'],
    published: [['entity.marked-ready']],
  },
  {
    name: 'classified',
    entity: aGene(),
    act: (session, gene) => legacyClassified(session, gene, 'green', plain),
    texts: ['classified BRCA1 as green'],
    published: [['entity.classified', { to: 'green', direction: 'unknown' }]],
  },
  {
    name: 'classified, with the label',
    entity: aGene(),
    act: (session, gene) => legacyClassified(session, gene, 'red', labelled),
    texts: ['classified gene: BRCA1 as red'],
    published: [['entity.classified', { to: 'red', direction: 'unknown' }]],
  },
  {
    name: 'added',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'added', plain),
    texts: ['added BRCA1 to panel'],
    published: [['entity.added']],
  },
  {
    name: 'added, with the label',
    entity: aGene(),
    act: (session, gene) => legacyRow(session, gene, 'added', labelled),
    texts: ['added gene: BRCA1 to panel'],
    published: [['entity.added']],
  },
  {
    name: 'phenotypes set',
    entity: aGene({ phenotypes: ['Ataxia', 'Deafness'] }),
    act: (session, gene) => legacySet(session, gene, 'phenotypes'),
    texts: ['Phenotypes for gene BRCA1 were set to Ataxia; Deafness'],
    published: annotated({ field: 'phenotypes', to: ['Ataxia', 'Deafness'] }),
  },
  {
    name: 'publications set, to the old list or the new one',
    entity: aGene({ publications: ['111'] }),
    act: (session, gene) => legacySet(session, gene, 'publications'),
    texts: ['Publications for gene BRCA1 were set to 111'],
    published: annotated({ field: 'publications' }),
  },
  {
    name: 'mode of inheritance set',
    entity: aGene({ modeOfInheritance: 'Other' }),
    act: (session, gene) => legacySet(session, gene, 'modeOfInheritance'),
    texts: ['Mode of inheritance for gene BRCA1 was set to Other'],
    published: annotated({ field: 'modeOfInheritance', to: 'Other' }),
  },
  {
    name: 'phenotypes changed',
    entity: aGene({ phenotypes: ['Ataxia'] }),
    act: (session, gene) => legacyChanged(session, gene, 'phenotypes', ['Deafness']),
    texts: ['Phenotypes for gene BRCA1 were changed from Ataxia to Deafness'],
    published: annotated({ field: 'phenotypes', from: ['Ataxia'], to: ['Deafness'] }),
  },
  {
    name: 'publications changed',
    entity: aGene({ publications: ['111'] }),
    act: (session, gene) => legacyChanged(session, gene, 'publications', ['222']),
    texts: ['Publications for gene BRCA1 were changed from 111 to 222'],
    published: annotated({ field: 'publications', from: ['111'], to: ['222'] }),
  },
  {
    name: 'mode of inheritance changed',
    entity: aGene({ modeOfInheritance: 'Other' }),
    act: (session, gene) => legacyChanged(session, gene, 'modeOfInheritance', 'Unknown'),
    texts: ['Mode of inheritance for gene BRCA1 was changed from Other to Unknown'],
    published: annotated({ field: 'modeOfInheritance', from: 'Other', to: 'Unknown' }),
  },
];
