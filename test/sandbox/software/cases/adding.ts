import {
  addEntity,
  importEntities,
  noFirstReview,
} from '../../../../sandbox/software/actions/panel-entities.ts';
import { aGene, anStr, aRegion, type Case } from './case.ts';

const biallelic = 'BIALLELIC, autosomal or pseudoautosomal';

/** `added` and `copied` in docs/wordings.md. */
export const addingCases: readonly Case[] = [
  {
    name: 'a gene with nothing but its mode of inheritance',
    entity: aGene({ modeOfInheritance: '' }),
    act: (session, gene) => addEntity(session, gene, noFirstReview),
    texts: [
      'gene: BRCA1 was added\n' +
        'gene: BRCA1 was added to Hearing loss. Sources: \n' +
        'Mode of inheritance for gene: BRCA1 was set to ',
    ],
    published: [['entity.added', { rating: null, sources: [], tags: [], copiedFrom: null }]],
  },
  {
    name: 'a gene with everything',
    entity: aGene({
      sources: ['Radboud University Medical Center, Nijmegen', 'NHS GMS', 'Expert Review Green'],
      tags: ['watchlist', 'de novo'],
      modeOfInheritance: biallelic,
      publications: ['31234567', 'PMID: 1'],
      phenotypes: ['Deafness, autosomal recessive 1A, 220290', 'Ataxia'],
      penetrance: 'Incomplete',
      modeOfPathogenicity: 'Other',
    }),
    act: (session, gene) =>
      addEntity(session, gene, {
        rating: 'green',
        clinicallyRelevant: true,
        currentDiagnostic: true,
        comment: 'Three families.',
      }),
    texts: [
      'gene: BRCA1 was added\n' +
        'gene: BRCA1 was added to Hearing loss. Sources: Radboud University Medical Center, Nijmegen,NHS GMS,Expert Review Green\n' +
        'watchlist, de novo tags were added to gene: BRCA1.\n' +
        'Mode of inheritance for gene: BRCA1 was set to BIALLELIC, autosomal or pseudoautosomal\n' +
        'Publications for gene: BRCA1 were set to 31234567; PMID: 1\n' +
        'Phenotypes for gene: BRCA1 were set to Deafness, autosomal recessive 1A, 220290; Ataxia\n' +
        'Penetrance for gene: BRCA1 were set to Incomplete\n' +
        'Mode of pathogenicity for gene: BRCA1 was set to Other\n' +
        'Review for gene: BRCA1 was set to GREEN\n' +
        'gene: BRCA1 was marked as clinically relevant\n' +
        'gene: BRCA1 was marked as current diagnostic\n' +
        'Added comment: Three families. \n' +
        'Sources: Radboud University Medical Center, Nijmegen, NHS GMS, Expert Review Green',
    ],
    published: [
      [
        'entity.added',
        {
          rating: 'green',
          sources: ['Radboud University Medical Center, Nijmegen', 'NHS GMS', 'Expert Review Green'],
          tags: ['watchlist', 'de novo'],
          modeOfInheritance: biallelic,
          publications: ['31234567', 'PMID: 1'],
          phenotypes: ['Deafness, autosomal recessive 1A, 220290', 'Ataxia'],
          penetrance: 'Incomplete',
          modeOfPathogenicity: 'Other',
        },
      ],
      ['entity.classified', { from: null, to: 'green', direction: 'new' }],
      ['entity.tags-changed', { added: ['watchlist', 'de novo'], removed: [] }],
      [
        'entity.reviewed',
        {
          rating: 'green',
          clinicallyRelevant: true,
          currentDiagnostic: true,
          comment: 'Three families.',
          edited: false,
        },
      ],
    ],
  },
  {
    name: 'a mitochondrial gene, whose mode of inheritance the text does not show',
    entity: aGene({ sources: ['UKGTN'] }, 'MT-ND1'),
    act: (session, gene) => addEntity(session, gene, noFirstReview),
    texts: [
      'gene: MT-ND1 was added\n' +
        'gene: MT-ND1 was added to Hearing loss. Sources: UKGTN\n' +
        'Mode of inheritance for gene gene: MT-ND1 was set to MITOCHONDRIAL',
    ],
    published: [['entity.added', { rating: null, sources: ['UKGTN'], modeOfInheritance: null }]],
  },
  {
    name: 'an STR, whose mode of pathogenicity is not stored',
    entity: anStr({ sources: ['UKGTN', 'Expert Review Removed'], modeOfPathogenicity: 'Other' }),
    act: (session, str) => addEntity(session, str, noFirstReview),
    texts: [
      'STR: HTT_CAG was added\n' +
        'STR: HTT_CAG was added to Hearing loss. Sources: UKGTN,Expert Review Removed\n' +
        'Mode of inheritance for STR: HTT_CAG was set to Unknown\n' +
        'Mode of pathogenicity for STR: HTT_CAG was set to None',
    ],
    published: [
      [
        'entity.added',
        { rating: 'none', sources: ['UKGTN', 'Expert Review Removed'], modeOfInheritance: 'Unknown' },
      ],
      ['entity.classified', { from: null, to: 'none', direction: 'new' }],
    ],
  },
  {
    name: 'a region with a rating and no comment',
    entity: aRegion({ sources: ['ClinGen', 'NHS GMS'] }),
    act: (session, region) => addEntity(session, region, { ...noFirstReview, rating: 'amber' }),
    texts: [
      'Region: ISCA-37390-Loss was added\n' +
        'Region: ISCA-37390-Loss was added to Hearing loss. Sources: ClinGen,NHS GMS\n' +
        'Mode of inheritance for Region: ISCA-37390-Loss was set to Unknown\n' +
        'Review for Region: ISCA-37390-Loss was set to AMBER\n' +
        'Added comment: Sources: ClinGen, NHS GMS',
    ],
    published: [
      ['entity.added', { sources: ['ClinGen', 'NHS GMS'], modeOfInheritance: 'Unknown' }],
      ['entity.reviewed', { rating: 'amber', edited: false }],
    ],
  },
  {
    name: 'a comment that is dropped for want of sources',
    entity: aGene(),
    act: (session, gene) => addEntity(session, gene, { ...noFirstReview, rating: 'red', comment: 'Lost.' }),
    texts: [
      'gene: BRCA1 was added\n' +
        'gene: BRCA1 was added to Hearing loss. Sources: \n' +
        'Mode of inheritance for gene: BRCA1 was set to Unknown\n' +
        'Review for gene: BRCA1 was set to RED\n' +
        'Added comment: Sources: ',
    ],
    published: [
      ['entity.added', { modeOfInheritance: 'Unknown' }],
      ['entity.reviewed', { rating: 'red', edited: false }],
    ],
  },
  {
    name: 'a comment alone, which holds the sources',
    entity: aGene({ sources: ['Literature'] }),
    act: (session, gene) => addEntity(session, gene, { ...noFirstReview, comment: 'Line one\nline two' }),
    texts: [
      'gene: BRCA1 was added\n' +
        'gene: BRCA1 was added to Hearing loss. Sources: Literature\n' +
        'Mode of inheritance for gene: BRCA1 was set to Unknown\n' +
        'Added comment: Line one\nline two \n' +
        'Sources: Literature',
    ],
    published: [
      ['entity.added', { sources: ['Literature'], modeOfInheritance: 'Unknown' }],
      ['entity.commented', { comment: 'Line one\nline two \nSources: Literature', action: 'added' }],
    ],
  },
  {
    name: 'several genes by a bulk import',
    entity: aGene({ sources: ['UKGTN'] }),
    act: (session, gene) =>
      importEntities(session, [gene, aGene({ sources: ['UKGTN'] }, 'TTN')], () => 40_000),
    texts: [
      'gene: BRCA1 was added\n' +
        'gene: BRCA1 was added to Hearing loss. Sources: UKGTN\n' +
        'Mode of inheritance for gene: BRCA1 was set to Unknown',
      'gene: TTN was added\n' +
        'gene: TTN was added to Hearing loss. Sources: UKGTN\n' +
        'Mode of inheritance for gene: TTN was set to Unknown',
    ],
    published: [
      ['entity.added', { sources: ['UKGTN'], modeOfInheritance: 'Unknown' }],
      ['entity.added', { sources: ['UKGTN'], modeOfInheritance: 'Unknown' }, { type: 'gene', name: 'TTN' }],
    ],
  },
];
