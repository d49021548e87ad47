import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { helps } from '../../bin/main.ts';
import { newFolder } from '../new-folder.ts';
import { packagedProgram } from './packaged-program.ts';
import { runCommand } from './run-command.ts';

const folder = newFolder();
let program: string;
beforeAll(async () => {
  program = await packagedProgram(folder);
});

const runPackage = (args: readonly string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });

test('what sends requests loads no HTTP/2, and nothing for forms', async () => {
  const [pool = ''] = globSync(join(folder, 'dist/bin/pool-*.js'));
  const code = await readFile(pool, 'utf8');
  expect(code).toContain('undici/lib/dispatcher/pool.js');
  expect(code).toContain('no-http2.ts');
  expect(code).not.toContain('undici/lib/web/');
});

test('what was compiled is kept beside the package, where that may be written', async () => {
  const [place, kept] = [join(folder, 'node_modules'), join(folder, 'node_modules/.cache/node')];
  await rm(place, { recursive: true, force: true });
  expect(runPackage(['--version']).status).toBe(0);
  expect(globSync('*/*', { cwd: kept }).length).toBeGreaterThan(1);
  await rm(place, { recursive: true });
  await writeFile(place, '');
  expect(runPackage(['--version'])).toMatchObject({ status: 0, stderr: '' });
  await rm(place);
});

test('what commands share lies in few files', async () => {
  const [ask = ''] = globSync('ask-*.js', { cwd: join(folder, 'dist/bin') });
  const loaded = new Set([ask]);
  for (const file of loaded) {
    const code = await readFile(join(folder, 'dist/bin', file), 'utf8');
    for (const [, other = ''] of code.matchAll(/from"\.\/([^"]+)"/g)) loaded.add(other);
  }
  expect(loaded.size).toBeGreaterThan(3);
  expect(loaded.size).toBeLessThan(30);
});

test('the package prints the help of each command without its code', async () => {
  const refused = await runCommand(['pol', '--help']);
  // What no other file shares: the code of each command.
  const commands = globSync('*.js', { cwd: join(folder, 'dist/bin') }).filter(
    (file) => !/^(main\.js$|chunk-)/.test(file),
  );
  expect(commands.length).toBeGreaterThan(20);
  await Promise.all(commands.map((file) => rm(join(folder, 'dist/bin', file))));

  expect(runPackage(['mark']).stderr).toContain('Cannot find module');
  expect(helps.size).toBeGreaterThan(20);
  for (const name of [...helps.keys()].slice(1)) {
    const args = [...name.split(' '), '--help'];
    const { stdout, stderr } = runPackage(args);
    expect({ stdout, stderr, code: 0 }, name).toEqual(await runCommand(args));
  }
  expect(runPackage(['--help']).stdout).toBe((await runCommand(['--help'])).stdout);
  const { stderr, status } = runPackage(['pol', '--help']);
  expect({ stderr, code: status }).toEqual({ stderr: refused.stderr, code: 2 });
});
