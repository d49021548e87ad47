import { inspect } from 'node:util';
import { expect } from 'vitest';
import { jsonLog, type Log } from '../../../lambdas/run/log.ts';

/** Marks text that must not be shown: each secret of these tests contains it, as it is or encoded. */
export const CANARY = 'canary5ecret';

const forms = [
  CANARY,
  Buffer.from(CANARY).toString('base64').slice(0, -4),
  Buffer.from(`:${CANARY}`).toString('base64').slice(2, -4),
  Buffer.from(`::${CANARY}`).toString('base64').slice(4, -4),
];

/** Whether a canary is in a text, or in all that an error or another value holds. */
export function showsCanary(value: unknown): boolean {
  const text = typeof value === 'string' ? value : inspect(value, { depth: 20, maxStringLength: null });
  return forms.some((form) => text.includes(form));
}

/** A log whose lines are kept; `expectSilence` fails if one of them, or another value, shows a canary. */
export function watchedLog(): {
  readonly log: Log;
  readonly lines: readonly string[];
  expectSilence(...others: readonly unknown[]): void;
} {
  const lines: string[] = [];
  return {
    log: jsonLog(
      (line) => lines.push(line),
      () => 0,
    ),
    lines,
    expectSilence: (...others) => expect([...lines, ...others].filter(showsCanary)).toEqual([]),
  };
}
