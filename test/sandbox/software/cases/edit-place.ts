import { editEntity } from '../../../../sandbox/software/actions/form-lines.ts';
import { anEntity, anStr, aRegion, type Case } from './case.ts';

const renamedStr = { type: 'str', name: 'HTT_CTG' } as const;
const renamedRegion = { type: 'region', name: 'Region renamed from A to B' } as const;

/** `strEdit` and `regionEdit` in docs/wordings.md. */
export const placeFormCases: readonly Case[] = [
  {
    name: 'everything in the form of an STR',
    entity: anStr({
      rating: 'green',
      sources: ['UKGTN'],
      tags: ['watchlist'],
      phenotypes: ['Ataxia'],
      penetrance: 'Complete',
      publications: ['111'],
      linkedGene: 'HTT',
    }),
    act: (session, str) =>
      editEntity(session, str, {
        name: 'HTT_CTG',
        chromosome: '4',
        grch37: [10, 20],
        grch38: [30, 40],
        sequence: 'CTG',
        normalRepeats: '26',
        pathogenicRepeats: '36',
        sourcesRemoved: ['UKGTN'],
        sourcesAdded: ['ClinGen'],
        modeOfInheritance: 'Other',
        phenotypes: [],
        penetrance: 'Incomplete',
        publications: ['222'],
        tagsRemoved: ['watchlist'],
        tagsAdded: ['STR'],
        linkedGene: 'IT15',
        rating: 'red',
      }),
    texts: [
      'HTT_CAG was changed to HTT_CTG\n' +
        'Chromosome for HTT_CTG was changed from 1 to 4. Panel: Hearing loss\n' +
        'GRCh37 position for HTT_CTG was changed from - to 10-20.\n' +
        'GRCh38 position for HTT_CTG was changed from - to 30-40.\n' +
        'Repeated Sequence for HTT_CTG was changed from CAG to CTG.\n' +
        'Normal Number of Repeats for HTT_CTG was changed from 20 to 26.\n' +
        'Pathogenic Number of Repeats for HTT_CTG was changed from 40 to 36.\n' +
        'Source UKGTN was removed from STR: HTT_CTG.\n' +
        'Source ClinGen was added to STR: HTT_CTG.\n' +
        'Mode of inheritance for STR: HTT_CTG was changed from Unknown to Other\n' +
        'Phenotypes for STR: HTT_CTG were changed from Ataxia to \n' +
        'Penetrance for HTT_CTG were changed from Complete to Incomplete\n' +
        'Publications for STR: HTT_CTG were changed from 111 to 222\n' +
        'Tag watchlist was removed from STR: HTT_CTG.\n' +
        'Tag STR was added to STR: HTT_CTG.\n' +
        'Gene: HTT was changed to IT15.\n' +
        'Rating Changed from Green List (high evidence) to Red List (low evidence)',
    ],
    published: [
      ['entity.renamed', { from: 'HTT_CAG', to: 'HTT_CTG' }, renamedStr],
      [
        'entity.annotated',
        {
          changes: [
            { field: 'chromosome', from: '1', to: '4' },
            { field: 'coordinates', aspect: 'GRCh37', to: '10-20' },
            { field: 'coordinates', aspect: 'GRCh38', from: '-', to: '30-40' },
            { field: 'repeats', aspect: 'sequence', from: 'CAG', to: 'CTG' },
            { field: 'repeats', aspect: 'normal', from: '20', to: '26' },
            { field: 'repeats', aspect: 'pathogenic', from: '40', to: '36' },
            { field: 'sources', removed: ['UKGTN'], added: ['ClinGen'] },
            { field: 'modeOfInheritance', from: 'Unknown', to: 'Other' },
            { field: 'phenotypes', from: ['Ataxia'], to: [] },
            { field: 'penetrance', from: 'Complete', to: 'Incomplete' },
            { field: 'publications', from: ['111'], to: ['222'] },
            { field: 'gene', from: 'HTT', to: 'IT15' },
          ],
        },
        renamedStr,
      ],
      ['entity.tags-changed', { removed: ['watchlist'], added: ['STR'] }, renamedStr],
      ['entity.classified', { from: 'green', to: 'red', direction: 'downgraded' }, renamedStr],
    ],
  },
  {
    name: 'what an STR loses',
    entity: anStr({ grch37: [10, 20], linkedGene: 'HTT' }),
    act: (session, str) => editEntity(session, str, { grch37: null, linkedGene: null }),
    texts: ['GRCh37 position for STR: HTT_CAG was removed.\nGene: HTT was removed.'],
    published: [
      [
        'entity.annotated',
        {
          changes: [
            { field: 'coordinates', aspect: 'GRCh37' },
            { field: 'gene', from: 'HTT' },
          ],
        },
      ],
    ],
  },
  {
    name: 'an STR that is linked to a gene for the first time, and phenotypes appended',
    entity: anStr(),
    act: (session, str) =>
      editEntity(session, str, { append: true, phenotypes: ['Ataxia'], linkedGene: 'HTT' }),
    texts: ['Added phenotypes Ataxia for STR: HTT_CAG\nGene was set to HTT.'],
    published: [
      [
        'entity.annotated',
        {
          changes: [
            { field: 'phenotypes', added: ['Ataxia'] },
            { field: 'gene', to: 'HTT' },
          ],
        },
      ],
    ],
  },
  {
    name: 'everything in the form of a region',
    entity: anEntity('region', 'A', {
      rating: 'none',
      sources: ['UKGTN'],
      tags: ['watchlist'],
      haploinsufficiency: null,
      triplosensitivity: '3',
      penetrance: 'Complete',
      grch37: [1, 2],
      grch38: [3, 4],
      publications: ['111'],
      phenotypes: ['Ataxia'],
    }),
    act: (session, region) =>
      editEntity(session, region, {
        name: 'Region renamed from A to B',
        verboseName: 'new verbose',
        chromosome: 'X',
        grch37: [10, 20],
        grch38: [30, 40],
        variantType: 'cnv_gain',
        haploinsufficiency: '40',
        triplosensitivity: '',
        requiredOverlap: 80,
        sourcesRemoved: ['UKGTN'],
        sourcesAdded: ['Radboud University Medical Center, Nijmegen'],
        modeOfInheritance: 'Other',
        phenotypes: ['Deafness'],
        penetrance: 'Incomplete',
        publications: [],
        tagsRemoved: ['watchlist'],
        tagsAdded: ['v1.2'],
        linkedGene: 'ELN',
        rating: 'amber',
      }),
    texts: [
      'A was changed to Region renamed from A to B\n' +
        'old verbose was changed to new verbose\n' +
        'Chromosome for Region renamed from A to B was changed from 1 to X.\n' +
        'GRCh37 position for Region renamed from A to B was changed from 1-2 to 10-20.\n' +
        'GRCh38 position for Region renamed from A to B was changed from 3-4 to 30-40.\n' +
        'Variant type for Region renamed from A to B was changed from cnv_loss to cnv_gain.\n' +
        'Haploinsufficiency Score for Region renamed from A to B was changed from None to 40.\n' +
        'Triplosensitivity Score for Region renamed from A to B was changed from 3 to .\n' +
        'Required Overlap Percentage for Region renamed from A to B was changed from 60 to 80.\n' +
        'Source UKGTN was removed from Region: Region renamed from A to B.\n' +
        'Source Radboud University Medical Center, Nijmegen was added to Region: Region renamed from A to B.\n' +
        'Model of inheritance for Region: Region renamed from A to B was changed from Unknown to Other\n' +
        'Phenotypes for Region: Region renamed from A to B were changed from Ataxia to Deafness\n' +
        'Penetrance for Region: Region renamed from A to B was change from Complete to Incomplete\n' +
        'Publications for Region: Region renamed from A to B were changed from 111 to \n' +
        'Tag watchlist was removed from Region: Region renamed from A to B.\n' +
        'Tag v1.2 was added to Region: Region renamed from A to B.\n' +
        'Gene was set to ELN. Panel: Hearing loss\n' +
        'Rating Changed from No List (delete) to Amber List (moderate evidence)',
    ],
    published: [
      ['entity.renamed', { from: 'A', to: 'Region renamed from A to B' }, renamedRegion],
      [
        'entity.annotated',
        {
          changes: [
            { field: 'verboseName', from: 'old verbose', to: 'new verbose' },
            { field: 'chromosome', from: '1', to: 'X' },
            { field: 'coordinates', aspect: 'GRCh37', from: '1-2', to: '10-20' },
            { field: 'coordinates', aspect: 'GRCh38', from: '3-4', to: '30-40' },
            { field: 'variantType', from: 'cnv_loss', to: 'cnv_gain' },
            { field: 'dosage', aspect: 'haploinsufficiency', to: '40' },
            { field: 'dosage', aspect: 'triplosensitivity', from: '3' },
            { field: 'requiredOverlapPercentage', from: '60', to: '80' },
            {
              field: 'sources',
              removed: ['UKGTN'],
              added: ['Radboud University Medical Center, Nijmegen'],
            },
            { field: 'modeOfInheritance', from: 'Unknown', to: 'Other' },
            { field: 'phenotypes', from: ['Ataxia'], to: ['Deafness'] },
            { field: 'penetrance', from: 'Complete', to: 'Incomplete' },
            { field: 'publications', from: ['111'] },
            { field: 'gene', to: 'ELN' },
          ],
        },
        renamedRegion,
      ],
      ['entity.tags-changed', { removed: ['watchlist'], added: ['v1.2'] }, renamedRegion],
      ['entity.classified', { from: 'none', to: 'amber', direction: 'upgraded' }, renamedRegion],
    ],
  },
  {
    name: 'what a region loses, and phenotypes appended',
    entity: aRegion({ grch37: [10, 20], linkedGene: 'ELN' }),
    act: (session, region) =>
      editEntity(session, region, { append: true, grch37: null, phenotypes: ['Ataxia'], linkedGene: null }),
    texts: [
      'GRCh37 position for Region: ISCA-37390-Loss was removed.\n' +
        'Added phenotypes Ataxia for Region: ISCA-37390-Loss\n' +
        'Gene: ELN was removed.',
    ],
    published: [
      [
        'entity.annotated',
        {
          changes: [
            { field: 'coordinates', aspect: 'GRCh37' },
            { field: 'phenotypes', added: ['Ataxia'] },
            { field: 'gene', from: 'ELN' },
          ],
        },
      ],
    ],
  },
  {
    name: 'another gene linked to a region',
    entity: aRegion({ linkedGene: 'ELN' }),
    act: (session, region) => editEntity(session, region, { linkedGene: 'GTF2I' }),
    texts: ['Gene: ELN was changed to GTF2I.'],
    published: [['entity.annotated', { changes: [{ field: 'gene', from: 'ELN', to: 'GTF2I' }] }]],
  },
];
