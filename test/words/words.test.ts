import { describe, expect, test } from 'vitest';
import { filterSchema } from '../../lambdas/filters/filter-schema.ts';
import { alarmIds } from '../../lambdas/run/alarm-kinds.ts';
import { mailSubject, mailText } from '../../lambdas/words/mail.ts';
import { noticeOfAlarm, readAlarm } from '../../lambdas/words/notice-of-alarm.ts';
import { noticeOfEvent, noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { noticeOfDigest } from '../../lambdas/words/notice-of-digest.ts';
import { pageAddress } from '../../lambdas/words/panel-words.ts';
import { reasonOf } from '../../lambdas/words/reason.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';
import { breast, eventOf, london, rated, turnedGreen } from './events.ts';

const subjectOf = (event: Parameters<typeof noticeOfEvent>[0]): string =>
  mailSubject(noticeOfEvent(event, london));

describe('the message about one event', () => {
  test('says everything that a reader must know, most important first', () => {
    const event = turnedGreen({ id: 'a'.repeat(32) });
    const reason = reasonOf('green-genes', {
      to: ['green'],
      direction: ['upgraded'],
      rCodes: ['R208', 'R211'],
    });
    const background = {
      before: { rating: 'amber', since: '2024-03-03T10:00:00Z', version: '3.7' },
      comment: 'Three unrelated families with segregation; agreed green at specialist group.',
    } as const;
    const notice = noticeOfEvent(event, { ...london, reason, background: () => background });
    expect(mailSubject(notice)).toBe(
      'BRCA1 is now green on Inherited breast cancer and ovarian cancer (R208)',
    );
    expect(mailText(notice)).toBe(`BRCA1: amber → green
Inherited breast cancer and ovarian cancer (R208), version 4.12
This panel has a signed-off version; this change may not be in it

Rated by Catherine Snowe, 21 November 2026, 09:14 (London)
“Three unrelated families with segregation; agreed green at specialist group.”

Before: amber since 3 March 2024, version 3.7
Gene on the panel: https://panelapp.genomicsengland.co.uk/panels/635/gene/BRCA1/

You receive this because “green-genes” asks for upgrades to green on R208 and R211.
Event ${'a'.repeat(32)}
`);
  });

  test.each([
    [rated('green', 'amber', 'downgraded'), 'BRCA1 is no longer green on'],
    [rated(null, 'green', 'unknown'), 'BRCA1 is rated green on'],
    [rated(null, 'green', 'new'), 'BRCA1 was added as green to'],
    [rated('green', 'green', 'unchanged'), 'BRCA1 was confirmed as green on'],
    [rated('amber', 'none', 'downgraded'), 'BRCA1 is now unrated on'],
    [
      eventOf('panel.promoted', { version: '5.0', previousVersion: '4.12', via: 'activity' }),
      'is promoted to version 5.0',
    ],
    [eventOf('panel.signed-off', { signedOff: true, via: 'activity' }), 'is signed off'],
    [eventOf('panel.signed-off', { signedOff: false, via: 'activity' }), 'The signed-off version of'],
    [
      eventOf('panel.signed-off', { signedOff: true, version: '3.1', date: '2024-03-06', via: 'activity' }),
      'Version 3.1 of',
    ],
    [
      eventOf('panel.signed-off', { signedOff: false, version: '3.1', via: 'activity' }),
      'The signed-off version 3.1 of',
    ],
    [eventOf('entity.removed', { rating: 'green' }), '(was green)'],
  ])('%# has a subject of its own', (event, words) => {
    expect(subjectOf(event)).toContain(words);
    expect(subjectOf(event)).toContain('(R208)');
  });

  test('says that an earlier rating is unknown', () => {
    expect(mailText(noticeOfEvent(rated(null, 'green', 'unknown'), london))).toContain(
      'BRCA1: rated green (earlier rating unknown; it may have been green already)',
    );
  });

  test.each([
    ['unknown', 'unknown', /^2 genes are rated green on .* \(R208\) \(earlier ratings unknown\)$/],
    [
      'unknown',
      'new',
      /^2 changes on .* \(R208\): PALB2 now green, BRCA1 rated green \(earlier rating unknown\)$/,
    ],
    ['new', 'new', /^2 genes are now green on .* \(R208\)$/],
  ] as const)(
    'says of how many of several genes the earlier rating is unknown: %s, %s',
    (one, other, subject) => {
      const events = [
        rated(null, 'green', one, { gene: 'BRCA1' }),
        rated(null, 'green', other, { gene: 'PALB2' }),
      ] as const;
      expect(mailSubject(noticeOfPanel(events, london))).toMatch(subject);
    },
  );

  test('says that it was made earlier and seen late', () => {
    const event = turnedGreen({ late: true, time: '2026-11-18T09:14:02.120000Z' });
    expect(mailText(noticeOfEvent(event, london))).toContain('Made on 18 November, seen today');
  });

  test.each([
    ['listing', 'Found on 21 November by comparing listings'],
    ['snapshot', 'Found on 21 November by comparing versions'],
  ] as const)('of a late change without a row says that a %s showed it, and when', (via, found) => {
    const change = { from: 'amber', to: 'green', direction: 'upgraded', via } as const;
    const event = eventOf('entity.classified', change, { late: true, time: '2026-11-18T09:14:02.120000Z' });
    const text = mailText(noticeOfEvent(event, london));
    expect(text).toContain(`${found}, after later changes were published: no row of the log states it.`);
    expect(text).not.toContain('the catalogue showed it late');
  });

  test('keeps the R code where the name of the panel is too long for a subject', () => {
    const panel = {
      ...breast,
      name: 'Likely inborn error of metabolism, targeted testing not possible, '.repeat(3),
    };
    const subject = subjectOf(turnedGreen({ panel }));
    expect(subject.length).toBeLessThan(100);
    expect(subject).toMatch(/^BRCA1 is now green on Likely inborn.*… \(R208\)$/);
  });

  test('has no link where the page for people is unknown', () => {
    const event = { ...turnedGreen(), source: 'http://localhost:8080/api/v1/' };
    expect(pageAddress(event)).toBeNull();
    expect(mailText(noticeOfEvent(event, london))).not.toContain('http');
  });

  test('gives times in the zone of the reader, in summer and in winter', () => {
    const { moment } = timeWords('Europe/London');
    expect(moment('2026-07-01T08:14:00.000000Z')).toBe('1 July 2026, 09:14 (London)');
    expect(moment('2026-12-01T09:14:00.000000Z')).toBe('1 December 2026, 09:14 (London)');
    expect(timeWords('Australia/Melbourne').moment('2026-12-01T22:30:00Z')).toBe(
      '2 December 2026, 09:30 (Melbourne)',
    );
  });
});

describe('the message about several events of one panel', () => {
  const many = [
    eventOf('panel.promoted', { version: '6.0', previousVersion: '5.0', via: 'activity' }),
    ...Array.from({ length: 230 }, (_, place) => turnedGreen({ gene: `GENE${place}` })),
    rated('green', 'amber', 'downgraded', { gene: 'CNGB3' }),
  ] as const;

  test('counts what turned green in its subject, and lists it first', () => {
    const notice = noticeOfPanel([...many], london);
    expect(mailSubject(notice)).toMatch(
      /^232 changes on .*\(R208\): 230 genes now green, CNGB3 no longer green; promoted/,
    );
    const text = mailText(notice);
    expect(text).toContain('NOW GREEN (230)');
    expect(text).toContain('GENE0   amber → green');
    expect(text).toContain('and 130 more');
    expect(text.indexOf('NOW GREEN')).toBeLessThan(text.indexOf('NO LONGER GREEN'));
    expect(text).toContain('Promoted: version 5.0 → 6.0, by Catherine Snowe');
  });

  test('says once that an entity was added with a rating', () => {
    const added = eventOf('entity.added', { rating: 'green', sources: [], tags: [], copiedFrom: null });
    const notice = noticeOfPanel([added, rated(null, 'green', 'new')], london);
    expect(mailSubject(notice)).toMatch(/^BRCA1 was added as green to/);
  });
});

describe('a digest', () => {
  const period = { since: '2026-11-14T07:00:00Z', until: '2026-11-21T07:00:00Z' };
  const context = { ...london, subscription: 'weekly' };

  test('shows what remains of a week, greens first and what went back last', () => {
    const notice = noticeOfDigest(
      [
        rated('red', 'amber', 'upgraded', { gene: 'OTOF', time: '2026-11-14T10:00:00.000000Z' }),
        rated('green', 'red', 'downgraded', { gene: 'SCN1A', time: '2026-11-15T08:00:00.000000Z' }),
        rated('amber', 'green', 'upgraded', { gene: 'OTOF', time: '2026-11-15T10:00:00.000000Z' }),
        rated('red', 'green', 'upgraded', { gene: 'SCN1A', time: '2026-11-15T12:00:00.000000Z' }),
        eventOf('entity.tags-changed', { added: ['x'], removed: [] }),
      ],
      period,
      context,
    );
    expect(mailSubject(notice)).toBe('Panel changes 14–21 November 2026: 1 now green');
    expect(mailText(notice)).toContain(`NOW GREEN
  Inherited breast cancer and ovarian cancer (R208)   4.12; has a signed-off version, which may not hold these changes
  https://panelapp.genomicsengland.co.uk/panels/635/
    OTOF  red → green   15 November  (amber in between)
      https://panelapp.genomicsengland.co.uk/panels/635/gene/OTOF/

CHANGED AND CHANGED BACK
  Inherited breast cancer and ovarian cancer (R208)   4.12
    SCN1A  green → red → green   15 November

Also: 1 change of tags (BRCA1) on your panels.
`);
  });

  test.each([
    ['panel.signed-off', { signedOff: false, via: 'activity' }, '1 sign-off withdrawn'],
    ['panel.deleted', { name: 'Inherited breast cancer' }, '1 panel gone'],
    ['panel.withdrawn', { name: 'Inherited breast cancer' }, '1 panel gone'],
    ['entity.tags-changed', { added: ['x'], removed: [] }, 'small changes only'],
  ] as const)('never calls a panel or sign-off that is gone a small change: %s', (kind, change, words) => {
    const notice = noticeOfDigest([eventOf(kind, change as never)], period, context);
    expect(mailSubject(notice)).toBe(`Panel changes 14–21 November 2026: ${words}`);
  });

  test('of nothing is one line', () => {
    const notice = noticeOfDigest([], period, context);
    expect(mailSubject(notice)).toBe('Panel changes 14–21 November 2026: nothing changed');
    expect(mailText(notice)).toMatch(/^No change was published in this period\.\n/);
  });
});

describe('the subject about several events', () => {
  const tagged = (gene: string) =>
    eventOf('entity.tags-changed', { added: ['watchlist'], removed: [] }, { gene });
  const added = (gene: string) =>
    eventOf('entity.added', { rating: null, sources: [], tags: [], copiedFrom: null }, { gene });

  test('of one gene says the weightiest', () => {
    const notice = noticeOfPanel([tagged('BRCA1'), rated('red', 'amber', 'upgraded')], london);
    expect(mailSubject(notice)).toMatch(
      /^BRCA1 is now amber on Inherited .* \(R208\) \(was red\), and 1 more change$/,
    );
  });

  test('of several genes, none of them green, counts what happened', () => {
    const notice = noticeOfPanel(
      [tagged('A1'), added('A1'), added('B2'), rated('red', 'amber', 'upgraded')],
      london,
    );
    expect(mailSubject(notice)).toMatch(
      /^4 changes on Inherited .*: 1 other rating, 2 added, 1 change of tags$/,
    );
    expect(mailText(notice)).toContain('ADDED (2)\n  A1  added\n    tag “watchlist” added\n  B2  added\n');
  });

  test('of a day says an added gene once', () => {
    const period = { since: '2026-11-21T07:00:00Z', until: '2026-11-22T07:00:00Z' };
    const notice = noticeOfDigest([added('A1')], period, { ...london, subscription: 'daily' });
    expect(mailText(notice)).toMatch(/ADDED\n .*\n .*\n {4}A1 {2}21 November\n/);
  });
});

test('a comment on the rating is quoted without the words that the catalogue puts before it', () => {
  const text = mailText(
    noticeOfEvent(turnedGreen(), {
      ...london,
      background: () => ({ comment: 'Comment on list classification: Three families.' }),
    }),
  );
  expect(text).toContain('“Three families.”');
  expect(text).not.toContain('Comment on');
});

test('a digest over several catalogues names that of each panel', () => {
  const period = { since: '2026-11-14T07:00:00Z', until: '2026-11-21T07:00:00Z' };
  const events = [turnedGreen({ time: '2026-11-20T09:14:02.120000Z' })];
  const notice = noticeOfDigest(events, period, { ...london, subscription: 'weekly', namesCatalogue: true });
  expect(mailText(notice)).toContain('Inherited breast cancer and ovarian cancer (R208), catalogue uk');
});

describe('messages about the notifier itself', () => {
  const message = {
    AlarmName: 'panels-production-uk-no-successful-poll',
    AlarmDescription:
      'No poll has succeeded in 3 periods in a row. What to do: https://wiki/runbook#no-successful-poll',
    OldStateValue: 'OK',
    NewStateReason: 'Threshold Crossed',
    StateChangeTime: '2026-11-21T09:10:00.000+0000',
  };
  const known = { prefix: 'panels-production', catalogues: ['uk'] };
  const words = (state: string): string => {
    const change = readAlarm({ ...message, NewStateValue: state }, known);
    if (!change) throw new Error('No change of state was read');
    const notice = noticeOfAlarm(change, london);
    return `${mailSubject(notice)}\n\n${mailText(notice)}`;
  };

  test('say what is wrong, since when, and what to do', () => {
    expect(words('ALARM')).toMatch(
      /^No changes from catalogue uk since 09:10: the notifier cannot read it\n/,
    );
    expect(words('ALARM')).toContain('Nothing is lost');
    expect(words('ALARM')).toContain('What to do: https://wiki/runbook#no-successful-poll');
    expect(words('ALARM')).toContain('You will get a message when it is over.');
  });

  test('say that it is over', () => {
    expect(words('OK')).toMatch(/^Catalogue uk is being read again\n/);
  });

  test('say what was seen and what came of it, where that is known', () => {
    const change = {
      alarm: 'no-successful-poll',
      catalogue: 'uk',
      description: '',
      at: '2026-11-21T09:10:00.000Z',
    };
    const failed = { ...change, state: 'alarm', detail: 'The last 3 polls failed.' } as const;
    expect(mailText(noticeOfAlarm(failed, london))).toMatch(
      /^Nothing is lost: .*\n\nThe last 3 polls failed\.\n/,
    );
    const over = { ...change, state: 'ok', detail: '12 changes were caught up.' } as const;
    expect(mailText(noticeOfAlarm(over, london))).toMatch(/^12 changes were caught up\.\n\nOver since/);
  });

  test.each(alarmIds)('have words of their own for %s', (alarm) => {
    const change = { alarm, catalogue: 'uk', description: '', at: '2026-11-21T09:10:00.000Z' } as const;
    const subjects = (['alarm', 'ok'] as const).map((state) =>
      mailSubject(noticeOfAlarm({ ...change, state }, london)),
    );
    for (const subject of subjects) expect(subject).not.toMatch(/^Alarm “|\{/);
    expect(new Set(subjects).size).toBe(2);
  });

  test('are read from the alarms of this deployment alone', () => {
    expect(readAlarm({ ...message, NewStateValue: 'ALARM', AlarmName: 'other-alarm' }, known)).toBeNull();
    expect(readAlarm({ ...message, NewStateValue: 'INSUFFICIENT_DATA' }, known)).toBeNull();
    expect(readAlarm({ hello: 1 }, known)).toBeNull();
  });
});

describe('the reason for a message', () => {
  test.each([
    [{ to: ['green'], direction: ['upgraded'] }, 'upgrades to green'],
    [
      { to: ['green'], direction: ['upgraded', 'new'], entityTypes: ['gene'], rCodes: ['R208', 'R211'] },
      'genes that turn green on R208 and R211',
    ],
    [
      { to: ['green'], direction: ['upgraded', 'new', 'unknown'], rCodes: ['R208'] },
      'genes, STRs and regions that turn green or may have been green already on R208',
    ],
    [{ to: ['green'], genes: ['OTOF'] }, 'changes of rating to green of OTOF'],
    [
      { topics: ['promotions'], panelTypes: ['gms-signed-off'] },
      'promotions on panels of type gms-signed-off',
    ],
    [{ genes: ['A1', 'B2', 'C3', 'D4', 'E5'] }, 'all changes of A1, B2, C3 and 2 more genes'],
    [
      { green: ['now', 'maybe-now', 'no-longer'], entityTypes: ['gene'] },
      'genes that turn green, are rated green and may have been green already or are no longer green',
    ],
    [
      { inheritanceFrom: ['BIALLELIC'], inheritanceTo: ['mono', 'both'], rCodes: ['R67'] },
      'changes of the mode of inheritance from BIALLELIC to monoallelic or both monoallelic and biallelic on R67',
    ],
    [{}, 'all changes'],
  ] as const)('%j', (filter, words) => {
    expect(reasonOf('x', filter as object)).toBe(`You receive this because “x” asks for ${words}.`);
  });

  test('nothing that a filter asks for is called all changes', () => {
    const keys = Object.keys(filterSchema.shape);
    expect(keys.length).toBeGreaterThan(10);
    for (const key of keys)
      expect(reasonOf('x', { [key]: key === 'late' ? true : ['now'] }), key).not.toMatch(
        /asks for all changes\.$/,
      );
  });
});
