import { expect, test } from 'vitest';
import { MOST_LINES } from '../../page/impact.ts';
import { openCases, sendCases } from './open-cases.ts';

test('a file of cases with as many lines as the page takes is answered, and one with more is refused', async () => {
  const { browser, token } = await openCases();
  const lines = Array.from({ length: MOST_LINES }, (_each, number) => `case-${number},R208,4.0\n`).join('');
  const text = `case,panel,version\n${lines}`;
  const answer = await sendCases(browser, { text, as: 'case', token });
  const shown = await answer.text();
  expect(shown).toContain('200,000 cases with a change');
  expect(shown).toContain('the CSV has the 199,000 others');
  const refused = await sendCases(browser, { text: `${text}one-more,R208,4.0\n`, token });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('more than 200,000 lines');
});
