import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type CatalogueOptions, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { createTestClock } from '../clock/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

const HOUR = 3_600_000;

interface Line {
  readonly panelId: number;
  readonly version: string;
  readonly proof: string;
  readonly why: string | null;
  readonly differences: readonly string[];
}

async function start(options: Partial<CatalogueOptions> = {}) {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const sandbox = await startCatalogue({ clock, history: 100, ...options });
  const directory = await mkdtemp(join(tmpdir(), 'verify-'));
  onTestFinished(async () => {
    await sandbox.close();
    await rm(directory, { recursive: true });
  });
  const place = ['--catalogue', sandbox.url, '--name', 'uk', '--state', join(directory, 'state')];
  const verify = (...args: readonly string[]): Promise<Ran> => {
    clock.pass(2 * HOUR);
    return runCommand(['verify', ...place, ...args], { clock });
  };
  return { sandbox, verify };
}

const linesOf = ({ stdout }: Ran): readonly Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

test('a version with rows alone is proven, and one that an administrator changed is explained by name', async () => {
  const { sandbox, verify } = await start();
  const first = await verify('--format', 'ndjson');
  expect(new Set(linesOf(first).map(({ proof }) => proof))).toEqual(new Set(['baseline']));
  const rated = sandbox.act({ kind: 'rate' });
  const silent = sandbox.act({ kind: 'rate a gene as administrator' });
  const early = await verify('--format', 'ndjson');
  expect(early.code).toBe(1);
  expect(early.stderr).toMatch(/run it again after \d\d:\d\d UTC/);
  expect(
    linesOf(early).find(({ panelId, proof }) => panelId === silent.panel.id && proof === 'unproven')?.why,
  ).toBe('its rows may still be missing from the log');
  const ran = await verify('--format', 'ndjson');
  const changed = linesOf(ran).filter(({ differences }) => differences.length > 0);
  expect(changed.map(({ panelId, proof }) => [panelId, proof])).toEqual([[silent.panel.id, 'explained']]);
  expect(changed[0]?.differences[0]).toContain(' was ');
  expect(linesOf(ran).some(({ panelId, proof }) => panelId === rated.panel.id && proof === 'proven')).toBe(
    rated.panel.id !== silent.panel.id,
  );
  expect(ran.stderr).toMatch(/\d+ versions: \d+ proven, 1 explained, \d+ baseline, 0 unproven/);
  // A difference that this run found ends it with 1; afterwards it is known.
  expect(ran.code).toBe(1);
  expect((await verify()).code).toBe(0);
});

test('a version that was read for its sign-off alone is named so, and goes on no longer than up to the next one', async () => {
  const { sandbox, verify } = await start();
  await verify();
  const { panel } = sandbox.act({ kind: 'sign off an older version' });
  await verify();
  const ran = await verify('--panel', String(panel.id), '--format', 'ndjson');
  const alone = linesOf(ran).find(({ proof }) => proof === 'unproven');
  expect(alone?.why).toBe('it was read for its sign-off alone; verify --all-versions compares it');
  sandbox.act({ kind: 'rate' });
  const lately = await verify('--panel', String(panel.id), '--since', '1h', '--format', 'ndjson');
  expect(linesOf(lately).map(({ version }) => version)).not.toContain(alone?.version);
});

test('every version of one panel is read from the archive and listed', async () => {
  const { verify } = await start();
  await verify();
  const ran = await verify('--panel', '1', '--all-versions', '--format', 'ndjson');
  const versions = linesOf(ran);
  expect(versions.every(({ panelId }) => panelId === 1)).toBe(true);
  expect(versions.slice(0, 4).map(({ version }) => version)).toEqual(['0.0', '0.1', '0.2', '0.3']);
  const table = await verify('--panel', '1');
  expect(table.stdout.split('\n')[0]).toMatch(/^(baseline|proven|explained) +.+ \(1\) 0\.0 {2}from 2026-/);
});

test('the panels of a super panel are read with it, so that it is proven', async () => {
  const { verify } = await start({ history: 400 });
  const name = 'Paediatric disorders - super panel';
  const own = await verify('--panel', name, '--all-versions', '--format', 'ndjson');
  const proofs = linesOf(own).map(({ proof }) => proof);
  expect(proofs.length).toBeGreaterThan(10);
  expect(proofs.slice(1, -1).filter((proof) => proof !== 'proven')).toEqual([]);
});

test('a panel that was only listed so far is found by number and by name', async () => {
  const { verify } = await start();
  for (const panel of ['1', 'Hearing loss']) {
    const ran = await verify('--panel', panel, '--all-versions', '--format', 'ndjson');
    expect(ran.stderr).not.toContain('is called');
    expect(linesOf(ran)[0]).toMatchObject({ version: '0.0', proof: 'baseline' });
  }
});

test('nothing is proven where the catalogue serves no archive', async () => {
  const { verify } = await start({ details: 'none' });
  const ran = await verify();
  expect(ran).toMatchObject({ code: 1, stdout: '' });
  expect(ran.stderr).toContain('no version was read yet: nothing is proven');
});
