import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const workflow = readFileSync('.github/workflows/release.yml', 'utf8');
const read = (file: string): { readonly version: string; readonly name: string } =>
  JSON.parse(readFileSync(file, 'utf8'));

test('a tag publishes both packages with their provenance, and only after every check', () => {
  const steps = workflow
    .split(/\n {6}- /)
    .slice(1)
    .map((step) => step.replaceAll(/^ +/gm, '').trim());
  const publishing = steps.filter((step) => step.includes('npm publish'));
  expect(publishing).toEqual([
    'run: npm publish --provenance --access public',
    'run: npm publish --provenance --access public\nworking-directory: consumer',
  ]);
  const checks = steps.findIndex((step) => /^run: \.ci\/run$/m.test(step));
  expect(checks).toBeGreaterThanOrEqual(0);
  expect(checks).toBeLessThan(steps.findIndex((step) => step.includes('npm publish')));
  expect(workflow).toMatch(/^ {6}id-token: write$/m);
});

test.each([
  ['a version with its date', '## [1.2.3] - 2026-12-01', true],
  ['a version without a date', '## [1.2.3] - not published yet', false],
  ['another version', '## [1.2.4] - 2026-12-01', false],
])('%s in the changelog lets a tag be published, or stops it: %s', (_what, heading, isReleased) => {
  const [, pattern = ''] = /grep -E "(\^## .*\$)" CHANGELOG\.md/.exec(workflow) ?? [];
  // The shell takes one of two backslashes.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the workflow's own variable
  const shown = pattern.replaceAll('\\\\', '\\').replace('${GITHUB_REF_NAME#v}', '1.2.3');
  expect(pattern).not.toBe('');
  expect(new RegExp(shown).test(heading)).toBe(isReleased);
});

test('both packages have one version, and the changelog has its entry', () => {
  const { version } = read('package.json');
  expect(read('consumer/package.json').version).toBe(version);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## [${version}] - `);
});
