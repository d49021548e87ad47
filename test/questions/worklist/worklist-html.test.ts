import { expect, test } from 'vitest';
import { worklistHtml } from '../../../lambdas/questions/worklist/worklist-limits.ts';
import { turnedGreen } from '../../words/events.ts';
import { entryOf } from './entries.ts';

test('a printed worklist calls the number of cases unknown where none is known to be concerned, and some may be', () => {
  const entry = entryOf([turnedGreen()]);
  const heading = { at: '2026-11-22', shown: '', limits: [], asked: '' };
  const casesFor = (cases: number, unknown: number): string | undefined =>
    /data-label="Cases">(.*?)<\/td>/.exec(
      worklistHtml([entry], heading, new Map([[entry.id, { cases, unknown }]])),
    )?.[1];
  expect(casesFor(0, 2)).toContain('unknown');
  expect(casesFor(3, 2)).toBe('at least 3');
  expect(casesFor(0, 0)).toBe('0');
});
