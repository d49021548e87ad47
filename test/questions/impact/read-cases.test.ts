import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { recogniseCases } from '../../../lambdas/questions/impact/read-cases.ts';

const LINES = 20_000;

/** A file of cases that counts the lines that are read of it. */
function countedFile(headings: string, cells: (line: number) => string) {
  let read = 0;
  return {
    read: () => read,
    input: {
      ...{ name: 'cases.csv', format: 'csv' as const },
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.from(`${headings}\n`);
            for (; read < LINES; read++) yield Buffer.from(`${cells(read)}\n`);
          })(),
        ),
    },
  };
}

describe('the form of a file of cases', () => {
  it.each([
    ['case,panel,version', (line: number) => `C${line},7,1.2`],
    ['case,panel,date', (line: number) => `C${line},7,2026-01-31`],
  ])('with the headings %s is found without reading all of it', async (headings, cells) => {
    const { input, read } = countedFile(headings, cells);
    await recogniseCases(input);
    expect(read()).toBeGreaterThan(0);
    expect(read()).toBeLessThan(LINES / 2);
  });

  it('is found below lines that cannot be used', async () => {
    const { input } = countedFile('case,panel,version', (line) =>
      line < 50 ? `C${line}` : `C${line},7,1.2`,
    );
    expect(await recogniseCases(input)).toMatchObject({ sentence: null });
  });
});
