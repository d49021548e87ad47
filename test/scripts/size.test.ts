import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../new-folder.ts';
import { root } from '../sources.ts';

test('the size of each room is printed with what was added since a commit, new files included', () => {
  const folder = newFolder();
  const run = (command: string, ...args: readonly string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8' });
  const write = (path: string, lines: number): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), 'x\n'.repeat(lines));
  };
  const commit = (): void => {
    run('git', 'add', '.');
    run('git', '-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-q', '-m', 'x');
  };
  /** The rows with one space between words. */
  const size = (...args: readonly string[]): string[] =>
    run(process.execPath, join(root, 'scripts/size.ts'), ...args)
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.replaceAll(/ +/g, ' '));
  run('git', 'init', '-q');
  write('bin/main.ts', 3);
  write('lambdas/poll/poll.ts', 10);
  write('lambdas/old/gone.ts', 4);
  write('test/poll/poll.test.ts', 7);
  write('test/aws/run.ts', 2);
  write('page/browser/page.css', 5);
  write('docs/example.ts', 9);
  write('lambdas/poll/notes.md', 9);
  commit();
  expect(size()).toStrictEqual([
    'bin 3 1 0',
    'lambdas/old 4 1 0',
    'lambdas/poll 10 1 7',
    'page 5 1 0',
    'test/aws 0 0 2',
    'together 22 4 9',
  ]);
  write('lambdas/poll/poll.ts', 12);
  commit();
  rmSync(join(folder, 'lambdas/old'), { recursive: true });
  write('lambdas/poll/mark.ts', 1);
  write('test/poll/poll.test.ts', 6);
  expect(size('HEAD~1')).toStrictEqual([
    'bin 3 1 0',
    'lambdas/old 0 -4 0 -1 0',
    'lambdas/poll 13 +3 2 +1 6 -1',
    'page 5 1 0',
    'test/aws 0 0 2',
    'together 21 -1 4 8 -1',
  ]);
  expect(size()).toContain('lambdas/poll 13 +1 2 +1 6 -1');
});
