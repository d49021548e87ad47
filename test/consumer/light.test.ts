import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** What a subscriber's function is bundled to, and the packages that it then imports. */
async function bundled(
  contents: string,
): Promise<{ readonly kilobytes: number; readonly packages: readonly string[] }> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: 'consumer' },
    ...{ bundle: true, write: false, metafile: true, outfile: 'function.js' },
    ...{ platform: 'node', format: 'esm', packages: 'external' },
  });
  const [output] = Object.values(metafile.outputs);
  return {
    kilobytes: (output?.bytes ?? Number.NaN) / 1e3,
    packages: output?.imports.map(({ path }) => path).filter((path) => !path.startsWith('node:')) ?? [],
  };
}

/** The figures of the page, in its order. */
const stated = [...readFileSync('consumer/README.md', 'utf8').matchAll(/less than (\d+) kB/g)].map(
  ([, figure]) => Number(figure),
);

test.each([
  [
    'one guard',
    "import { isClassified } from './index.ts'; export const handler = (event) => isClassified(event);",
    0,
  ],
  [
    'the handler of a queue',
    "import { createSqsHandler } from './index.ts'; export const handler = createSqsHandler({ filter: { to: ['green'] }, handle() {} });",
    1,
  ],
])(
  'a function with %s needs no other package, and is as small as the page says',
  async (_, contents, place) => {
    const { kilobytes, packages } = await bundled(contents);
    expect(packages).toEqual([]);
    expect(kilobytes).toBeLessThan(stated[place] ?? Number.NaN);
    expect(kilobytes).toBeGreaterThan((stated[place] ?? Number.NaN) / 4);
  },
);
