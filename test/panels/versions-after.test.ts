import { expect, test } from 'vitest';
import { versionsAfter } from '../../lambdas/panels/panel-versions.ts';

/** What is asked for and what is missing, where the archive has some versions. */
function walk(range: Parameters<typeof versionsAfter>[0], there: readonly string[]) {
  const asked: string[] = [];
  const gaps: string[] = [];
  for (const version of versionsAfter(range)) {
    asked.push(version.text);
    if (version.isGap(there.includes(version.text))) gaps.push(version.text);
  }
  return { asked, gaps };
}

test('the versions between two minor ones are certain', () => {
  expect(walk({ after: '0.10', upTo: '0.12', known: [] }, ['0.12'])).toEqual({
    asked: ['0.11', '0.12'],
    gaps: ['0.11'],
  });
});

test('a promotion asks for one minor version more, which need not be there', () => {
  expect(walk({ after: '0.1', upTo: '1.0', known: [] }, ['1.0'])).toEqual({
    asked: ['0.2', '1.0'],
    gaps: [],
  });
});

test('a minor version before a promotion that nothing announced is found', () => {
  const found = walk({ after: '0.1', upTo: '2.0', known: [] }, ['0.2', '1.0', '2.0']);
  expect(found).toEqual({ asked: ['0.2', '0.3', '1.0', '1.1', '2.0'], gaps: [] });
});

test('a version that a row names and the archive lacks is a gap', () => {
  expect(walk({ after: null, upTo: '1.0', known: ['0.1'] }, ['0.0', '1.0']).gaps).toEqual(['0.1']);
});

test('a panel that was set back has none', () => {
  expect(walk({ after: '1.4', upTo: '1.3', known: ['1.5'] }, [])).toEqual({ asked: [], gaps: [] });
});
