import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * Prints the CPU seconds (user and system, all processes) of `npm test`, folder by folder:
 * `npm run test:cpu`, or `npm run test:cpu -- --files test/poll` for each file of one folder. Needs bash.
 */

const { values, positionals } = parseArgs({
  options: { files: { type: 'boolean' }, long: { type: 'boolean' }, total: { type: 'boolean' } },
  allowPositionals: true,
});

/** CPU seconds of a `vitest run`, and whether its tests passed. */
function measure(paths: readonly string[]): { seconds: number; wall: number; passed: boolean } {
  const config = values.long ? ['--config', 'vitest.long.config.ts'] : [];
  const began = process.hrtime.bigint();
  const vitest = ['vitest', 'run', '--reporter=dot', ...config, ...paths];
  const run = spawnSync(
    'bash',
    ['-c', '"$@" >/dev/null 2>&1; code=$?; times; exit $code', 'bash', ...vitest],
    {
      encoding: 'utf8',
    },
  );
  const wall = Number(process.hrtime.bigint() - began) / 1e9;
  const children = run.stdout.trim().split('\n').at(-1) ?? '';
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, rest]) => sum + Number(minutes) * 60 + Number(rest),
    0,
  );
  return { seconds, wall, passed: run.status === 0 };
}

function print(name: string, paths: readonly string[]): void {
  const { seconds, wall, passed } = measure(paths);
  const columns = [seconds.toFixed(1).padStart(7), wall.toFixed(1).padStart(7), passed ? '' : '  failed'];
  process.stdout.write(`${name.padEnd(44)}${columns.join('')}\n`);
}

const kind = values.long ? '.long.test.ts' : '.test.ts';
const within = positionals.length > 0 ? positionals : ['test'];
const files = within
  .flatMap((path) => (path.endsWith('.ts') ? [path] : globSync(`${path}/**/*${kind}`)))
  .filter((file) => values.long || !file.endsWith('.long.test.ts'))
  .map((file) => file.replaceAll('\\', '/'));
const groups = values.files ? files : [...new Set(files.map((file) => `${dirname(file)}/`))];

process.stdout.write(`${''.padEnd(44)}    CPU   wall seconds\n`);
if (!values.total) for (const group of groups.sort()) print(group, [group]);
print('all in one run', within);
