import { expect, test } from 'vitest';
import { htmlOf } from '../../../lambdas/questions/documents.ts';
import { utcTimes } from '../../../lambdas/questions/question.ts';
import { question } from '../../../lambdas/questions/worklist.ts';
import { turnedGreen } from '../../words/events.ts';
import { entryOf } from './entries.ts';

test('a printed worklist calls the number of cases unknown where none is known to be concerned, and some may be', () => {
  const entry = entryOf([turnedGreen()]);
  const casesFor = (cases: number, unknown: number): string | undefined => {
    const rows = [{ entry, count: { cases, unknown } }];
    const answer = { lead: [], lists: [{ what: 'open', rows }], limits: [] };
    return /data-label="Cases">(.*?)<\/td>/.exec(htmlOf({ question, answer, times: utcTimes }))?.[1];
  };
  expect(casesFor(0, 2)).toBe('unknown');
  expect(casesFor(3, 2)).toBe('at least 3');
  expect(casesFor(0, 0)).toBe('0');
});
