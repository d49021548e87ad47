import {
  clearAllSources,
  clearExpertReview,
  clearSource,
  editField,
  editPublications,
  editTags,
} from '../../../../sandbox/software/actions/edit-field.ts';
import { aGene, anStr, aRegion, type Case } from './case.ts';

const annotated = (change: object): Case['published'] => [['entity.annotated', { changes: [change] }]];

/** `inheritanceEdit` to `inheritanceOfNewSymbol` in docs/wordings.md. */
export const editingCases: readonly Case[] = [
  {
    name: 'mode of inheritance, with a comment',
    entity: aGene({ modeOfInheritance: 'Other' }),
    act: (session, gene) => editField(session, gene, 'modeOfInheritance', 'MITOCHONDRIAL', 'From OMIM.'),
    texts: [
      'Mode of inheritance for gene: BRCA1 was changed from Other to MITOCHONDRIAL',
      'Added comment: Comment on mode of inheritance: From OMIM.',
    ],
    published: [
      ...annotated({ field: 'modeOfInheritance', from: 'Other', to: 'MITOCHONDRIAL' }),
      ['entity.commented', { comment: 'From OMIM.', action: 'added' }],
    ],
  },
  {
    name: 'mode of pathogenicity that was unset',
    entity: anStr(),
    act: (session, str) => editField(session, str, 'modeOfPathogenicity', 'Other', 'Why.'),
    texts: [
      'Mode of pathogenicity for STR: HTT_CAG was changed from None to Other',
      'Added comment: Comment on mode of pathogenicity: Why.',
    ],
    published: [
      ...annotated({ field: 'modeOfPathogenicity', from: null, to: 'Other' }),
      ['entity.commented', { comment: 'Comment on mode of pathogenicity: Why.', action: 'added' }],
    ],
  },
  {
    name: 'mode of pathogenicity that was empty: two spaces',
    entity: aGene({ modeOfPathogenicity: '' }),
    act: (session, gene) => editField(session, gene, 'modeOfPathogenicity', 'Other', null),
    texts: ['Mode of pathogenicity for gene: BRCA1 was changed from  to Other'],
    published: annotated({ field: 'modeOfPathogenicity', from: null, to: 'Other' }),
  },
  {
    name: 'phenotypes, with a comment',
    entity: aRegion({ phenotypes: ['Ataxia', 'Marfan syndrome, 154700'] }),
    act: (session, region) =>
      editField(session, region, 'phenotypes', ['Kabuki syndrome 1, 147920', 'Deafness'], 'Updated.'),
    texts: [
      'Phenotypes for Region: ISCA-37390-Loss were changed from Ataxia; Marfan syndrome, 154700 to Kabuki syndrome 1, 147920; Deafness',
      'Added comment: Comment on phenotypes: Updated.',
    ],
    published: [
      ...annotated({
        field: 'phenotypes',
        from: ['Ataxia', 'Marfan syndrome, 154700'],
        to: ['Kabuki syndrome 1, 147920', 'Deafness'],
      }),
      ['entity.commented', { comment: 'Updated.', action: 'added' }],
    ],
  },
  {
    name: 'phenotypes with " to " inside: where the old list ends is uncertain',
    entity: aGene({ phenotypes: ['Sensitivity to cold'] }),
    act: (session, gene) => editField(session, gene, 'phenotypes', [], null),
    texts: ['Phenotypes for gene: BRCA1 were changed from Sensitivity to cold to '],
    published: annotated({ field: 'phenotypes' }),
  },
  {
    name: 'publications, which shows the old list',
    entity: aGene({ publications: ['111', '222'] }),
    act: (session, gene) => editPublications(session, gene, ['333'], 'New paper.'),
    texts: [
      'Publications for gene: BRCA1 were set to 111; 222',
      'Added comment: Comment on publications: New paper.',
    ],
    published: [
      ...annotated({ field: 'publications' }),
      ['entity.commented', { comment: 'New paper.', action: 'added' }],
    ],
  },
  {
    name: 'tags, removals first',
    entity: aGene({ tags: ['watchlist', 'to be removed from panel'] }),
    act: (session, gene) =>
      editTags(session, gene, {
        removed: ['to be removed from panel'],
        added: ['Skewed; X', 'new-gene-name'],
      }),
    texts: [
      'Tag to be removed from panel was removed from gene: BRCA1.\n' +
        'Tag Skewed; X tag was added to gene: BRCA1.\n' +
        'Tag new-gene-name tag was added to gene: BRCA1.',
    ],
    published: [
      [
        'entity.tags-changed',
        { removed: ['to be removed from panel'], added: ['Skewed; X', 'new-gene-name'] },
      ],
    ],
  },
  {
    name: 'one source cleared',
    entity: aGene({ sources: ['Expert Review Amber'] }),
    act: (session, gene) => clearSource(session, gene, 'Expert Review Amber'),
    texts: ['Source: Expert Review Amber was removed from gene: BRCA1'],
    published: annotated({ field: 'sources', removed: ['Expert Review Amber'] }),
  },
  {
    name: 'all sources cleared',
    entity: aRegion({ sources: ['UKGTN'] }),
    act: (session, region) => clearAllSources(session, region),
    texts: ['All sources for Region: ISCA-37390-Loss were removed'],
    published: annotated({ field: 'sources', aspect: 'all' }),
  },
  {
    name: 'expert review cleared by the management command',
    entity: anStr({ sources: ['Expert Review', 'Expert Review Green'] }),
    act: (session, str) => clearExpertReview(session, str, ['Expert Review', 'Expert Review Green']),
    texts: ['Removed sources: Expert Review, Expert Review Green'],
    published: annotated({ field: 'sources', removed: ['Expert Review', 'Expert Review Green'] }),
  },
];
