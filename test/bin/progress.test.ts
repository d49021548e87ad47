import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { withProgress } from '../../bin/local/notifier.ts';
import { createProgress } from '../../bin/terminal.ts';
import type { Catalogue } from '../../lambdas/catalogue/client.ts';
import { createTestClock } from '../run/test-clock.ts';

/** What is written while a tenth of the work is done every second. */
function shown(isTTY: boolean, total: number | null): string {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const clock = createTestClock();
  const progress = createProgress({ stderr, clock }, 'activities');
  for (let second = 0; second <= 20; second++) {
    progress.show(second * 1200, total);
    clock.pass(1000);
  }
  progress.end();
  return String(stderr.read() ?? '');
}

test('a terminal shows progress in place from the first moment, with the time left', () => {
  const frames = shown(true, 24_000).split('\r\u001b[K');
  expect(frames[1]).toBe('0 of 24,000 activities, 0 %');
  expect(frames[6]).toBe('6,000 of 24,000 activities, 25 %, about 15 s left');
  expect(frames.at(-1)).toBe('');
});

test('a file or pipe gets a line every ten seconds', () => {
  expect(shown(false, 48_000).split('\n')).toStrictEqual([
    '12,000 of 48,000 activities, 25 %, about 30 s left',
    '24,000 of 48,000 activities, 50 %, about 20 s left',
    '',
  ]);
});

test('a file or pipe gets no progress of work that takes less than ten seconds, also when it is repeated', () => {
  const stderr = Object.assign(new PassThrough(), { isTTY: false });
  const clock = createTestClock();
  const progress = createProgress({ stderr, clock }, 'activities');
  for (let poll = 0; poll < 3; poll++) {
    progress.show(100, 300);
    progress.end();
    clock.pass(60_000);
  }
  expect(stderr.read()).toBeNull();
});

test('without a total, progress states what is done', () => {
  expect(shown(false, null).split('\n')[0]).toBe('12,000 activities');
});

test.each([
  ['each page once', [1, 2, 4, 8, 6, 5, 4, 3, 2, 1]],
  ['some pages again, where rows moved between them', [1, 2, 4, 8, 6, 7, 5, 6, 4, 5, 3, 4, 2, 3, 1, 2]],
])('a backlog that is read from its old end shows how far it has come: %s', async (_what, numbers) => {
  const shown: string[] = [];
  const progress = { show: (done: number, total: number | null) => shown.push(`${done}/${total}`), end() {} };
  const page = { rows: Array.from({ length: 100 }) };
  const catalogue = withProgress({ activities: async () => page } as unknown as Catalogue, progress);
  // The next poll reads the newest page and shows nothing.
  for (const number of [...numbers, 1]) await catalogue.activities(number);
  expect(shown).toStrictEqual(['100/600', '200/600', '300/600', '400/600']);
});
