import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileFilter } from '../../consumer/filter.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { firstStated, withoutCorrected } from '../../lambdas/events/summary.ts';
import { reasonNotToSend } from '../../lambdas/notify/changes-since.ts';
import { attributesOf } from '../../lambdas/publishing/message.ts';
import { mailSubject, mailText } from '../../lambdas/words/mail.ts';
import { noticeOfEvent } from '../../lambdas/words/notice-of-changes.ts';
import { noticeOfDigest } from '../../lambdas/words/notice-of-digest.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';

const example = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../docs/examples/${name}.json`), 'utf8'));

/** Published as "upgraded from amber to green"; in truth it was red before. */
const correction: PanelEvent<'entity.classified'> = example('correction');
const first: PanelEvent<'entity.classified'> = example('gene-panel.entity.classified.v1');

/** In truth nothing changed. */
const unchanged = {
  ...correction,
  data: { ...correction.data, change: { from: 'green', to: 'green', direction: 'unchanged' } },
} as PanelEvent<'entity.classified'>;

test('the mail about a correction begins with the word, and says what was reported before', () => {
  const context = { times: timeWords('UTC'), now: '2026-11-30T10:00:00Z', reason: null };
  const notice = noticeOfEvent(correction, context);
  expect(mailSubject(notice)).toMatch(/^Correction: EXAMPLE1 is now green on Example panel/);
  expect(mailText(notice)).toContain('red → green (correction; reported before: amber → green)');
});

test('the mail about a change that was reported of a later version says of which', () => {
  const context = { times: timeWords('UTC'), now: '2026-11-30T10:00:00Z', reason: null };
  const { change } = correction.data;
  const data = { ...correction.data, correctedChange: change, correctedVersion: '1.6' };
  expect(mailText(noticeOfEvent({ ...correction, data }, context))).toContain(
    'red → green (correction; reported before: red → green in version 1.6)',
  );
  expect(firstStated({ ...correction, data })?.data).toMatchObject({
    panel: { version: '1.6' },
    summary: expect.stringContaining('in version 1.6'),
  });
});

test('the mail about a late correction does not say that the catalogue showed it late', () => {
  const late = { ...correction, data: { ...correction.data, late: true } };
  const context = { times: timeWords('UTC'), now: '2026-11-30T10:00:00Z', reason: null };
  expect(mailText(noticeOfEvent(late, context))).not.toContain('showed it late');
});

describe('a digest', () => {
  const period = { since: '2026-11-23T07:00:00Z', until: '2026-11-30T07:00:00Z' };
  const context = {
    times: timeWords('UTC'),
    now: '2026-11-30T10:00:00Z',
    reason: null,
    subscription: 'weekly',
  };

  test.each([
    ['changes a rating', correction, 'red → green (correction; reported before: amber → green)'],
    ['leaves no change', unchanged, 'confirmed as green (correction; reported before: amber → green)'],
  ])('carries a correction that %s with the word, and what was reported before', (_what, event, words) => {
    const notice = noticeOfDigest([event], period, context);
    expect(mailSubject(notice)).toMatch(/: 1 correction\b/);
    expect(mailText(notice)).toMatch(/^CORRECTION\n/m);
    expect(mailText(notice)).toContain(words);
    expect(mailText(notice)).not.toContain('Also:');
  });

  test('does not carry a correction that the reader did not ask for', () => {
    const notice = noticeOfDigest([correction], period, { ...context, unasked: new Set([correction.id]) });
    expect(`${mailSubject(notice)}${mailText(notice)}`).not.toMatch(/correction/i);
  });
});

test('a correction goes to the reader of the event that it corrects, and to the reader of what is true', () => {
  expect(reasonNotToSend({ direction: ['upgraded'] })(unchanged)).toBeNull();
  expect(reasonNotToSend({ from: ['amber'] })(correction)).toBeNull();
  expect(reasonNotToSend({ from: ['red'] })(correction)).toBeNull();
  expect(reasonNotToSend({ from: ['none'] })(correction)).toBe('filter');
  expect(
    reasonNotToSend({})({
      ...unchanged,
      data: { ...unchanged.data, correctedChange: unchanged.data.change },
    }),
  ).toBe('unchanged');
});

test('the filters of SNS and of consumers find a correction by both values', () => {
  const attributes = attributesOf(correction);
  expect(attributes.ratingFrom).toEqual({ type: 'String.Array', value: '["red","amber"]' });
  expect(attributes.ratingTo).toEqual({ type: 'String', value: 'green' });
  for (const rating of ['red', 'amber'] as const) {
    expect(compileFilter({ from: [rating] })(correction as never)).toBe(true);
  }
  expect(compileFilter({ from: ['none'] })(correction as never)).toBe(false);
});

test('what was corrected before it was read is left out', () => {
  expect(withoutCorrected([first, correction])).toEqual([correction]);
  expect(withoutCorrected([first])).toEqual([first]);
});
