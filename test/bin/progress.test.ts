import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress } from '../../bin/progress.ts';
import { createTestClock } from '../clock/test-clock.ts';

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

test('a terminal sees it in place from the first moment, with the time that is left', () => {
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

test('without a total it says what is done', () => {
  expect(shown(false, null).split('\n')[0]).toBe('12,000 activities');
});
