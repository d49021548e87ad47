import { editEntity, replaceGene } from '../../../../sandbox/software/actions/form-lines.ts';
import { aGene, type Case } from './case.ts';

/** `geneEdit` in docs/wordings.md. */
export const geneFormCases: readonly Case[] = [
  {
    name: 'everything in the form of a gene (Australian code)',
    entity: aGene({
      rating: 'amber',
      sources: ['Expert Review Amber', 'UKGTN'],
      tags: ['watchlist'],
      modeOfInheritance: 'Unknown',
      modeOfPathogenicity: null,
      phenotypes: ['Ataxia'],
      penetrance: null,
      publications: ['111'],
      transcript: null,
    }),
    act: (session, gene) =>
      editEntity(session, gene, {
        rating: 'green',
        tagsAdded: ['new-gene-name'],
        tagsRemoved: ['watchlist'],
        transcript: ['NM_1.1'],
        publications: ['222', '333'],
        penetrance: 'Complete',
        phenotypes: ['Deafness', 'Ataxia'],
        modeOfPathogenicity: 'Other',
        modeOfInheritance: 'Other',
        sourcesAdded: ['Expert Review Green'],
        sourcesRemoved: ['Expert Review Amber'],
      }),
    texts: [
      'Source Expert Review Amber was removed from BRCA1.\n' +
        'Source Expert Review Green was added to BRCA1.\n' +
        'Mode of inheritance for gene BRCA1 was changed from Unknown to Other\n' +
        'Mode of pathogenicity for gene BRCA1 was changed from None to Other\n' +
        'Phenotypes for gene: BRCA1 were changed from Ataxia to Deafness; Ataxia\n' +
        'Penetrance for gene BRCA1 was set from to None\n' +
        'Publications for gene BRCA1 were changed from 222; 333 to 222; 333\n' +
        'Transcript for gene BRCA1 was changed from None to NM_1.1\n' +
        'Tag watchlist was removed from BRCA1.\n' +
        'Tag new-gene-name tag was added to BRCA1.\n' +
        'Rating Changed from Amber List (moderate evidence) to Green List (high evidence)',
    ],
    published: [
      [
        'entity.annotated',
        {
          changes: [
            { field: 'sources', removed: ['Expert Review Amber'], added: ['Expert Review Green'] },
            { field: 'modeOfInheritance', from: 'Unknown', to: 'Other' },
            { field: 'modeOfPathogenicity', to: 'Other' },
            { field: 'phenotypes', from: ['Ataxia'], to: ['Deafness', 'Ataxia'] },
            { field: 'penetrance' },
            { field: 'publications', to: ['222', '333'] },
            { field: 'transcript', to: ['NM_1.1'] },
          ],
        },
      ],
      ['entity.tags-changed', { removed: ['watchlist'], added: ['new-gene-name'] }],
      ['entity.classified', { from: 'amber', to: 'green', direction: 'upgraded' }],
    ],
  },
  {
    name: 'publications of a gene in the UK code, where the line is right',
    codeLine: 'uk-2019',
    entity: aGene({ publications: ['111'], penetrance: 'Incomplete' }),
    act: (session, gene) => editEntity(session, gene, { publications: ['222'], penetrance: 'Complete' }),
    texts: [
      'Penetrance for gene BRCA1 was set from to Incomplete\n' +
        'Publications for gene BRCA1 were changed from 111 to 222',
    ],
    published: [
      [
        'entity.annotated',
        { changes: [{ field: 'penetrance' }, { field: 'publications', from: ['111'], to: ['222'] }] },
      ],
    ],
  },
  {
    name: 'an import that appends, without a word of the source that goes',
    entity: aGene({
      rating: 'red',
      sources: ['Expert Review Red'],
      publications: ['111'],
      transcript: [],
    }),
    act: (session, gene) =>
      editEntity(session, gene, {
        append: true,
        sourcesAdded: ['Expert Review Removed'],
        phenotypes: ['Ataxia', 'Deafness'],
        publications: ['222', '111'],
        transcript: ['NM_1.1', 'NM_2.1'],
      }),
    texts: [
      'Source Expert Review Removed was added to BRCA1.\n' +
        'Added phenotypes Ataxia; Deafness for gene: BRCA1\n' +
        'Publications for gene BRCA1 were updated from 111 to 222; 111\n' +
        'Transcript for gene BRCA1 was updated from  to NM_1.1; NM_2.1\n' +
        'Rating Changed from Red List (low evidence) to No List (delete)',
    ],
    published: [
      [
        'entity.annotated',
        {
          changes: [
            { field: 'sources', added: ['Expert Review Removed'] },
            { field: 'phenotypes', added: ['Ataxia', 'Deafness'] },
            { field: 'publications', from: ['111'], to: ['222', '111'] },
            { field: 'transcript', to: ['NM_1.1', 'NM_2.1'] },
          ],
        },
      ],
      ['entity.classified', { from: 'red', to: 'none', direction: 'downgraded' }],
    ],
  },
  {
    name: 'the mode of inheritance of a mitochondrial gene, from and to the same',
    entity: aGene({ modeOfInheritance: 'Unknown' }, 'MT-ND1'),
    act: (session, gene) => editEntity(session, gene, { modeOfInheritance: 'Other' }),
    texts: ['Mode of inheritance for gene MT-ND1 was changed from MITOCHONDRIAL to MITOCHONDRIAL'],
    published: [['entity.annotated', { changes: [{ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }] }]],
  },
  {
    name: 'a source that confirms the rating, which has no line of its own',
    entity: aGene({ rating: 'green' }),
    act: (session, gene) => editEntity(session, gene, { sourcesAdded: ['Expert Review Green'] }),
    texts: ['Source Expert Review Green was added to BRCA1.'],
    published: [['entity.annotated', { changes: [{ field: 'sources', added: ['Expert Review Green'] }] }]],
  },
  {
    name: 'a rating and nothing else, which writes no row',
    entity: aGene({ rating: 'green' }),
    act: (session, gene) => editEntity(session, gene, { rating: 'red' }),
    texts: [],
    published: [],
  },
  {
    name: 'another symbol and nothing else',
    entity: aGene({}, 'MYH7'),
    act: (session, gene) => replaceGene(session, gene, 'VHL', {}),
    texts: ['MYH7 was changed to VHL'],
    published: [['entity.renamed', { from: 'MYH7', to: 'VHL' }, { type: 'gene', name: 'VHL' }]],
  },
  {
    name: 'a mitochondrial symbol, with other changes under the old one',
    entity: aGene({ modeOfPathogenicity: '' }, 'MYH7'),
    act: (session, gene) => replaceGene(session, gene, 'MT-ND1', { modeOfPathogenicity: 'Other' }),
    texts: [
      'Mode of pathogenicity for gene MYH7 was changed from  to Other',
      'MYH7 was changed to MT-ND1',
      'Mode of inheritance for gene MYH7 was set to MITOCHONDRIAL',
    ],
    published: [
      [
        'entity.annotated',
        { changes: [{ field: 'modeOfPathogenicity', to: 'Other' }] },
        { type: 'gene', name: 'MYH7' },
      ],
      ['entity.renamed', { from: 'MYH7', to: 'MT-ND1' }, { type: 'gene', name: 'MT-ND1' }],
      [
        'entity.annotated',
        { changes: [{ field: 'modeOfInheritance', to: 'MITOCHONDRIAL' }] },
        { type: 'gene', name: 'MT-ND1' },
      ],
    ],
  },
];
