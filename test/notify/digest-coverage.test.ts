import { expect, test } from 'vitest';
import { digestCoverage } from '../../lambdas/notify/digest-facts.ts';
import { type Instant, parseInstant } from '../../lambdas/run/instant.ts';
import { readUpTo } from '../../lambdas/store/history/read-part.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';

const at = (time: string): Instant => parseInstant(time) ?? 0n;
const coverage = [
  { catalogue: 'uk', since: at('2026-11-01T00:00:00Z'), until: at('2026-11-20T17:00:00Z') },
] as const;
const period = { since: '2026-11-16T07:00:00.000Z', until: '2026-11-23T07:00:00.000Z' };
const said = (readTo: Instant | null) =>
  digestCoverage(period, {
    catalogues: ['uk'],
    history: { coverage: async () => readUpTo(coverage, { catalogue: 'uk', until: readTo }) },
    now: Date.parse(period.until),
    times: timeWords('Europe/London'),
  });

test('a digest after a quiet weekend says nothing of rows that a poll looked for and did not find', async () => {
  expect(await said(at('2026-11-23T06:59:00Z'))).toStrictEqual({
    nothing: 'No change was found in these 7 days.',
    unread: [],
  });
});

test('a digest without a poll that is known says what the newest row is, and who gets an alarm', async () => {
  expect(await said(null)).toStrictEqual({
    nothing: 'No change was found in the 4 of 7 days that were read.',
    unread: [
      'The newest row of uk that was read is of 20 November 2026, 17:00 (London). The log has no later one, or could not be read since; if so, those who run the notifier get an alarm.',
    ],
  });
});
