import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../bin/commands/watch.ts';
import { newFolder } from '../new-folder.ts';

const unit = readFileSync('examples/one-machine/gene-panel-notifier.service', 'utf8');

test('the unit and the container run watch with options that it has', () => {
  const container = readFileSync('examples/one-machine/Dockerfile', 'utf8');
  for (const text of [unit, container]) {
    const [, line = ''] = /(?:gene-panel-notifier watch|CMD \["watch")((?:\\\n|[^\n])*)/.exec(text) ?? [];
    const options = [...line.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    expect(options.length).toBeGreaterThan(4);
    for (const option of options) expect(command.usage).toContain(`  ${option} `);
  }
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

/** Needs systemd-analyze, which not every Linux has. */
describe.skipIf(!hasSystemd)('the unit', () => {
  const analyse = (...parameters: readonly string[]): string => {
    const folder = newFolder();
    const file = join(folder, 'gene-panel-notifier.service');
    // A program that is there, in place of the one that the guide installs.
    writeFileSync(file, unit.replaceAll(/\/opt\/\S*\/gene-panel-notifier(?= watch)/g, process.execPath));
    const { stdout, stderr } = spawnSync('systemd-analyze', [...parameters, file], { encoding: 'utf8' });
    return stdout + stderr;
  };

  test('is what systemd accepts', () => {
    expect(analyse('verify')).toBe('');
  });

  test('has the exposure that the guide states', () => {
    const [, level] =
      /Overall exposure level for \S+: ([\d.]+) /.exec(analyse('security', '--offline=true')) ?? [];
    expect(readFileSync('docs/guides/one-machine.md', 'utf8')).toContain(`rates it ${level} of 10`);
  });
});
