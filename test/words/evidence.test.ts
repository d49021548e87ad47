import { describe, expect, test } from 'vitest';
import { mailSubject, mailText } from '../../lambdas/words/mail.ts';
import type { Background } from '../../lambdas/words/message-context.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { noticeOfDigest } from '../../lambdas/words/notice-of-digest.ts';
import { breast, eventOf, london, rated, turnedGreen } from './events.ts';

const inheritance = (gene: string, time = '2026-11-21T09:19:00.000000Z') =>
  eventOf(
    'entity.annotated',
    {
      changes: [
        {
          field: 'modeOfInheritance',
          from: 'BIALLELIC, autosomal or pseudoautosomal',
          to: 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted',
        },
      ],
    },
    { gene, time },
  );

const background: Background = {
  before: { rating: 'amber', since: '2024-03-03T10:00:00Z', version: '3.7' },
  comment: 'Three unrelated families.',
  hgncId: 'HGNC:952',
  modeOfInheritance: 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
  elsewhere: [
    { panel: 'R207', rating: 'green' },
    { panel: 'R430', rating: 'green' },
    { panel: 'R15', rating: 'amber' },
  ],
};

describe('a gene keeps its evidence where changes share a message', () => {
  test('a gene that turned green, and five minutes later its inheritance changed', () => {
    const green = turnedGreen({ gene: 'BARD1' });
    const notice = noticeOfPanel([green, inheritance('BARD1')], {
      ...london,
      background: (id) => (id === green.id ? background : undefined),
    });
    expect(mailSubject(notice)).toBe(
      'BARD1 is now green on Inherited breast cancer and ovarian cancer (R208), and 1 more change',
    );
    expect(mailText(notice)).toContain(`NOW GREEN
  BARD1  amber → green
    mode of inheritance: BIALLELIC, autosomal or pseudoautosomal → MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted
    “Three unrelated families.”
    Before: amber since 3 March 2024, version 3.7
    HGNC:952 · mode of inheritance: BOTH monoallelic and biallelic · also green on R207, R430; amber on R15
    https://panelapp.genomicsengland.co.uk/panels/635/gene/BARD1/
`);
  });

  test('in a digest, with what was annotated beside it, which is not counted again', () => {
    const green = turnedGreen({ gene: 'BARD1' });
    const notice = noticeOfDigest(
      [green, inheritance('BARD1'), eventOf('entity.tags-changed', { added: ['x'], removed: [] })],
      { since: '2026-11-14T07:00:00Z', until: '2026-11-22T07:00:00Z' },
      { ...london, subscription: 'weekly', background: (id) => (id === green.id ? background : undefined) },
    );
    const text = mailText(notice);
    expect(text).toMatch(/BARD1 {2}amber → green {3}21 November\n +mode of inheritance: BIALLELIC/);
    expect(text).toContain('“Three unrelated families.”');
    expect(text).toContain('Before: amber since 3 March 2024, version 3.7');
    expect(text).toContain('/panels/635/gene/BARD1/');
    expect(text).toContain('Also: 1 change of tags (BRCA1) on your panels.');
  });
});

test('a digest names what was renamed or replaced, with the name before', () => {
  const renamed = eventOf('entity.renamed', { from: 'SERBP1P3', to: 'GABPB2' }, { gene: 'GABPB2' });
  const notice = noticeOfDigest(
    [renamed, eventOf('entity.reviewed', { rating: 'green' } as never, { gene: 'BARD1' })],
    { since: '2026-11-14T07:00:00Z', until: '2026-11-22T07:00:00Z' },
    { ...london, subscription: 'weekly' },
  );
  const text = mailText(notice);
  expect(text).toMatch(/RENAMED OR REPLACED\n {2}Inherited breast .*\n.*\n {4}GABPB2 {2}was SERBP1P3\n/);
  expect(text).toContain('Also: 1 review (BARD1) on your panels.');
});

describe('a change of inheritance stands under a heading of its own', () => {
  test('in a message about several genes', () => {
    const notice = noticeOfPanel(
      [inheritance('BARD1'), eventOf('entity.tags-changed', { added: ['x'], removed: [] })],
      london,
    );
    expect(mailSubject(notice)).toMatch(/: 1 change of inheritance, 1 change of tags$/);
    expect(mailText(notice)).toContain('INHERITANCE CHANGED\n  BARD1  mode of inheritance: BIALLELIC');
  });

  test('in a digest, under a heading of its own', () => {
    const notice = noticeOfDigest(
      [inheritance('BARD1')],
      { since: '2026-11-14T07:00:00Z', until: '2026-11-22T07:00:00Z' },
      { ...london, subscription: 'weekly', background: () => ({ rating: 'green', hgncId: 'HGNC:952' }) },
    );
    expect(mailSubject(notice)).toBe('Panel changes 14–22 November 2026: 1 change of inheritance');
    expect(mailText(notice)).toMatch(
      /INHERITANCE CHANGED\n.*\n.*\n {4}BARD1 {2}mode of inheritance: BIALLELIC → MONOALLELIC {3}green · 21 November\n {6}HGNC:952\n/,
    );
    expect(mailText(notice)).not.toContain('Also:');
  });

  test('one that was changed back is none', () => {
    const back = eventOf('entity.annotated', {
      changes: [
        { field: 'modeOfInheritance', from: 'MONOALLELIC', to: 'BIALLELIC, autosomal or pseudoautosomal' },
      ],
    });
    const notice = noticeOfDigest(
      [inheritance('BRCA1'), back],
      { since: '2026-11-14T07:00:00Z', until: '2026-11-22T07:00:00Z' },
      { ...london, subscription: 'weekly' },
    );
    expect(mailText(notice)).not.toContain('INHERITANCE');
  });
});

test('what may have been green already is apart from what turned green, in both kinds of message', () => {
  const events = [
    turnedGreen({ gene: 'BRCA1' }),
    rated(null, 'green', 'unknown', { gene: 'PALB2' }),
  ] as const;
  const digest = noticeOfDigest(
    events,
    { since: '2026-11-14T07:00:00Z', until: '2026-11-22T07:00:00Z' },
    { ...london, subscription: 'weekly' },
  );
  expect(mailSubject(digest)).toBe(
    'Panel changes 14–22 November 2026: 1 now green, 1 rated green (perhaps before)',
  );
  for (const notice of [digest, noticeOfPanel(events, london)]) {
    expect(mailText(notice)).toMatch(/NOW GREEN\n.*BRCA1.*RATED GREEN, PERHAPS GREEN BEFORE\n.*PALB2/s);
  }
});

test('a digest says what may be green no longer before other ratings, each change once', () => {
  const events = [
    rated(null, 'amber', 'unknown', { gene: 'PALB2' }),
    rated('red', 'amber', 'upgraded', { gene: 'CHEK2' }),
  ] as const;
  const digest = noticeOfDigest(
    events,
    { since: '2026-11-14T07:00:00Z', until: '2026-11-22T07:00:00Z' },
    { ...london, subscription: 'weekly' },
  );
  expect(mailSubject(digest)).toBe('Panel changes 14–22 November 2026: 1 may no longer be green');
  expect(mailText(digest)).toMatch(
    /MAY NO LONGER BE GREEN\n.*PALB2 .*OTHER CHANGES OF RATING\n(?!.*PALB2 ).*CHEK2/s,
  );
});

describe('what is signed off', () => {
  const panel = { ...breast, signedOffVersion: '4.0', signedOffDate: '2023-03-22' };
  const holding = (rating: 'green' | 'amber' | 'absent' | null) => ({
    signedOff: { version: '4.0', date: '2023-03-22', rating },
  });
  test.each([
    [
      turnedGreen({ panel }),
      undefined,
      'Not signed off yet: the signed-off version is 4.0, since 22 March 2023',
    ],
    [
      turnedGreen({ panel }),
      holding('amber'),
      'Not signed off yet: the signed-off version is 4.0, since 22 March 2023, where it is amber',
    ],
    [
      turnedGreen({ panel }),
      holding('absent'),
      'Not signed off yet: the signed-off version is 4.0, since 22 March 2023, which does not hold it',
    ],
    [
      turnedGreen({ panel }),
      holding('green'),
      'Green in the signed-off version too: 4.0, since 22 March 2023',
    ],
    [
      rated('green', 'amber', 'downgraded', { panel }),
      holding('green'),
      'Still green in the signed-off version: 4.0, since 22 March 2023',
    ],
    [
      turnedGreen({ panel: { ...panel, version: '3.9' } }),
      undefined,
      'The signed-off version is 4.0, since 22 March 2023; this change may not be in it',
    ],
    [
      turnedGreen({ panel: { ...panel, version: '4.0' } }),
      undefined,
      'This version is signed off, since 22 March 2023',
    ],
    [turnedGreen(), undefined, 'This panel has a signed-off version; this change may not be in it'],
  ])('is said beside a change of rating: %#', (event, known, words) => {
    const notice = noticeOfPanel([event], { ...london, background: () => known });
    expect(mailText(notice).split('\n')[2]).toBe(words);
  });
});
