import {
  commentAgain,
  commentFirst,
  deleteComment,
  deleteReview,
  editComment,
  editReview,
  review,
} from '../../../../sandbox/software/actions/review.ts';
import { aGene, anStr, aRegion, type Case } from './case.ts';

/** `review` to `commentDeleted` in docs/wordings.md. */
export const reviewingCases: readonly Case[] = [
  {
    name: 'a review with everything',
    entity: aGene(),
    act: (session, gene) =>
      review(session, gene, {
        rating: 'green',
        modeOfPathogenicity: 'Other',
        publications: ['111', '222'],
        phenotypes: ['Ataxia', 'Deafness'],
        modeOfInheritance: 'Unknown',
        currentDiagnostic: true,
        clinicallyRelevant: true,
      }),
    texts: [
      'reviewed gene: BRCA1: Rating: GREEN; Mode of pathogenicity: Other; Publications: 111, 222; Phenotypes: Ataxia, Deafness; Mode of inheritance: Unknown; Current diagnostic: yes; Clinically relevant: yes',
    ],
    published: [
      [
        'entity.reviewed',
        {
          rating: 'green',
          modeOfPathogenicity: 'Other',
          publications: ['111', '222'],
          phenotypes: ['Ataxia', 'Deafness'],
          modeOfInheritance: 'Unknown',
          currentDiagnostic: true,
          clinicallyRelevant: true,
          edited: false,
        },
      ],
    ],
  },
  {
    name: 'a review with next to nothing, and a phenotype that reads like two',
    entity: anStr(),
    act: (session, str) =>
      review(session, str, {
        rating: null,
        modeOfPathogenicity: null,
        publications: [],
        phenotypes: ['Deafness, autosomal recessive 1A'],
        modeOfInheritance: null,
        currentDiagnostic: false,
        clinicallyRelevant: false,
      }),
    texts: [
      'reviewed STR: HTT_CAG: Rating: ; Mode of pathogenicity: None; Publications: ; Phenotypes: Deafness, autosomal recessive 1A; Mode of inheritance: None',
    ],
    published: [['entity.reviewed', { edited: false }]],
  },
  {
    name: 'a first contribution without any of it',
    entity: aRegion(),
    act: (session, region) => commentFirst(session, region),
    texts: ['commented on Region: ISCA-37390-Loss'],
    published: [['entity.commented', { comment: null, action: 'added' }]],
  },
  {
    name: 'a comment by a person with an earlier review',
    entity: aGene(),
    act: (session, gene) => commentAgain(session, gene, 'Tag x was removed from gene: BRCA1.'),
    texts: ['commented on gene: BRCA1: Tag x was removed from gene: BRCA1.'],
    published: [['entity.commented', { comment: 'Tag x was removed from gene: BRCA1.', action: 'added' }]],
  },
  {
    name: 'an edited review with everything',
    entity: anStr(),
    act: (session, str) =>
      editReview(session, str, {
        comment: 'More families.',
        rating: 'amber',
        modeOfPathogenicity: 'Other',
        publications: ['111', '222'],
        phenotypes: ['Ataxia'],
        modeOfInheritance: 'Unknown',
        currentDiagnostic: true,
        clinicallyRelevant: false,
      }),
    texts: [
      'edited their review of STR: HTT_CAG: Added comment: More families.; Changed rating: AMBER; Changed mode of pathogenicity: Other; Changed publications: 111, 222; Changed phenotypes: Ataxia; Changed mode of inheritance: Unknown; Set current diagnostic: yes; Set clinically relevant: no',
    ],
    published: [
      [
        'entity.reviewed',
        {
          comment: 'More families.',
          rating: 'amber',
          modeOfPathogenicity: 'Other',
          publications: ['111', '222'],
          phenotypes: ['Ataxia'],
          modeOfInheritance: 'Unknown',
          currentDiagnostic: true,
          clinicallyRelevant: false,
          edited: true,
        },
      ],
    ],
  },
  {
    name: 'an edited review of which one thing changed',
    entity: anStr(),
    act: (session, str) => editReview(session, str, { clinicallyRelevant: true }),
    texts: ['edited their review of STR: HTT_CAG: Set clinically relevant: yes'],
    published: [['entity.reviewed', { clinicallyRelevant: true, edited: true }]],
  },
  {
    name: 'an edited comment',
    entity: aGene({ comments: ['Old words.'] }),
    act: (session, gene) => editComment(session, gene, 'Old words.', 'New words.'),
    texts: ['changed review comment from: Old words.; to: New words.'],
    published: [
      ['entity.commented', { comment: 'New words.', previousComment: 'Old words.', action: 'edited' }],
    ],
  },
  {
    name: 'a deleted comment',
    entity: aGene({ comments: ['Gone.'] }),
    act: (session, gene) => deleteComment(session, gene),
    texts: ['Deleted their comment'],
    published: [['entity.commented', { comment: null, action: 'deleted' }]],
  },
  {
    name: 'a deleted review',
    entity: aGene({ reviewers: ['Ana Lee'] }),
    act: (session, gene) => deleteReview(session, gene),
    texts: ['Deleted their review'],
    published: [['entity.review-deleted']],
  },
];
