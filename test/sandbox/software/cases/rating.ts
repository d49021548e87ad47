import { markReady, rate } from '../../../../sandbox/software/actions/edit-field.ts';
import { aGene, anStr, aRegion, type Case } from './case.ts';

/** `banner`, `click` and `ready` in docs/wordings.md. */
export const ratingCases: readonly Case[] = [
  {
    name: 'rating a gene green',
    entity: aGene({ rating: 'amber' }),
    act: (session, gene) => rate(session, gene, 'green', null),
    texts: [
      'Gene: brca1 has been classified as Green List (High Evidence).',
      'Classified gene: BRCA1 as Green List (high evidence)',
    ],
    published: [['entity.classified', { to: 'green', from: null, direction: 'unknown' }]],
  },
  {
    name: 'rating an STR amber, with a comment',
    entity: anStr({ rating: 'green' }),
    act: (session, str) => rate(session, str, 'amber', 'Agree.'),
    texts: [
      'Str: htt_cag has been classified as Amber List (Moderate Evidence).',
      'Added comment: Comment on list classification: Agree.',
      'Classified STR: HTT_CAG as Amber List (moderate evidence)',
    ],
    published: [
      ['entity.classified', { to: 'amber', from: 'green', direction: 'downgraded' }],
      ['entity.commented', { comment: 'Comment on list classification: Agree.', action: 'added' }],
    ],
  },
  {
    name: 'rating a region red',
    entity: aRegion({ rating: 'none' }),
    act: (session, region) => rate(session, region, 'red', null),
    texts: [
      'Region: isca-37390-loss has been classified as Red List (Low Evidence).',
      'Classified Region: ISCA-37390-Loss as Red List (low evidence)',
    ],
    published: [['entity.classified', { to: 'red', from: 'none', direction: 'upgraded' }]],
  },
  {
    name: 'rating at level 0, which reads as a removal',
    entity: aGene({ rating: 'red' }),
    act: (session, gene) => rate(session, gene, 'none', null),
    texts: ['Gene: brca1 has been removed from the panel.', 'Classified gene: BRCA1 as No list'],
    published: [['entity.classified', { to: 'none', from: null, direction: 'unknown' }]],
  },
  {
    name: 'marking a gene as ready',
    entity: aGene({ rating: 'red' }),
    act: (session, gene) => markReady(session, gene, null),
    texts: ['Gene: brca1 has been classified as Red List (Low Evidence).', 'Marked gene: BRCA1 as ready'],
    published: [['entity.classified', { to: 'red', direction: 'unchanged' }], ['entity.marked-ready']],
  },
  {
    name: 'marking a region on "No list" as ready, with a comment',
    entity: aRegion({ rating: 'none' }),
    act: (session, region) => markReady(session, region, 'Done.'),
    texts: [
      'Region: isca-37390-loss has been removed from the panel.',
      'Added comment: Comment when marking as ready: Done.',
      'Marked Region: ISCA-37390-Loss as ready',
    ],
    published: [
      ['entity.classified', { to: 'none', from: 'none', direction: 'unchanged' }],
      ['entity.commented', { comment: 'Done.', action: 'added' }],
      ['entity.marked-ready'],
    ],
  },
];
