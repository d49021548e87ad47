import { describe, expect, test } from 'vitest';
import { runCommand } from './run-command.ts';

const refused = async (...args: string[]): Promise<string> => {
  const { code, stderr } = await runCommand(['history', ...args]);
  expect(code).toBe(2);
  return stderr.split('\n')[0] ?? '';
};

describe('a wrong value of a filter is refused with those that are right', () => {
  test.each([
    [['--to', 'blue'], '--to "blue": expected green, amber, red, none, unknown'],
    [['--to', 'green,blue'], '--to "blue": expected green, amber, red, none, unknown'],
    [['--direction', 'up'], '--direction "up": expected upgraded, downgraded, new, unchanged, unknown'],
    [['--entity-type', 'genes'], '--entity-type "genes": expected gene, str, region'],
    [['--r-code', '59'], '--r-code "59": expected a code such as R59 or R59.3'],
    [['--from-rating', ''], '--from-rating "": expected RATING'],
  ])('%j', async (args, message) => {
    expect(await refused(...args)).toBe(`gene-panel-notifier history: ${message}`);
  });

  test('a file of genes without a gene', async () => {
    const { code, stderr } = await runCommand(['history', '--genes-file', '-'], { stdin: '# none\n\n' });
    expect(code).toBe(2);
    expect(stderr).toContain('--genes-file "standard input": it names no gene; expected one a line');
  });
});
