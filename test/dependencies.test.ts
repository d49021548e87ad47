import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

interface LockedPackage {
  readonly hasInstallScript?: boolean;
  readonly resolved?: string;
  readonly link?: boolean;
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

/** Packages whose script runs on each machine that installs the checkout, and what it does there. */
const withInstallScript: Readonly<Record<string, string>> = {
  'node_modules/classic-level': 'compiles a database for the emulated tables, where no compiled one fits',
  'node_modules/esbuild': 'checks that its program runs on this machine',
};

test('no package runs a script when it is installed, but for those that are listed with their reason', () => {
  const found = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(found.map(([name]) => name).sort()).toStrictEqual(Object.keys(withInstallScript).sort());
});

test('the package that reports installations is replaced by an empty one', () => {
  const brought = Object.entries(packages).filter(([name]) => name.endsWith('@scarf/scarf'));
  expect(brought).toStrictEqual([
    ['node_modules/@scarf/scarf', { resolved: 'scripts/no-telemetry', link: true }],
  ]);
});
