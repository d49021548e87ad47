import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toMessage } from '../../lambdas/publishing/message.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { type CatalogueOptions, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { smallArchive } from '../oracle/small-archive.ts';
import { createTestClock } from '../run/test-clock.ts';
import { breast, rated } from '../words/events.ts';
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
  const directory = newFolder();
  onTestFinished(() => sandbox.close());
  const place = ['--catalogue', sandbox.url, '--name', 'uk', '--state', join(directory, 'state')];
  const verifyNow = (...args: readonly string[]): Promise<Ran> =>
    runCommand(['verify', ...place, ...args], { clock });
  const verify = (...args: readonly string[]): Promise<Ran> => {
    clock.pass(2 * HOUR);
    return verifyNow(...args);
  };
  return { clock, sandbox, verify, verifyNow, state: join(directory, 'state') };
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

test('on a catalogue that rests, it ends with 0 at the time that it names, super panels included', async () => {
  const { clock, sandbox, verify, verifyNow } = await start();
  const { stdout } = await verify('--format', 'ndjson');
  const panels = new Set(linesOf({ stdout } as Ran).map(({ panelId }) => panelId));
  for (const panel of panels) {
    try {
      sandbox.act({ kind: 'rate', panel });
    } catch {
      // Super panels hold nothing of their own to rate.
    }
  }
  clock.pass(60_000);
  const early = await verifyNow('--format', 'ndjson');
  const [, hour, minute] = /run it again after (\d\d):(\d\d) UTC/.exec(early.stderr) ?? [];
  expect({ code: early.code, hour }).toEqual({ code: 1, hour: expect.any(String) });
  const named = new Date(clock.now());
  named.setUTCHours(Number(hour), Number(minute) + 1, 0);
  clock.pass(named.getTime() - clock.now());
  const ran = await verifyNow('--format', 'ndjson');
  const unproven = linesOf(ran).filter(({ proof }) => proof === 'unproven');
  expect({ code: ran.code, unproven }).toEqual({ code: 0, unproven: [] });
  const proven = linesOf(ran).filter(({ proof }) => proof === 'proven');
  expect(proven.map(({ panelId }) => panelId)).toContain(17);
});

test('an event that named a false rating before is corrected, named with its correction, and ends with 1', async () => {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 2, 9, 30) });
  const { activities, current, versions } = smallArchive();
  const details = { current, versions, signedOff: [] };
  const lists = { activities, panels: Object.values(current), regions: [], details };
  const directory = newFolder();
  const withoutArchive = await startCatalogue({ clock, lists, ties: 'fixed', details: 'none' });
  const place = ['--catalogue', withoutArchive.url, '--name', 'uk', '--state', join(directory, 'state')];
  clock.pass(24 * HOUR);
  expect(
    await runCommand(['poll', '--only', 'log', ...place, '--from', '2026-11-01'], { clock }),
  ).toMatchObject({ code: 0 });
  await withoutArchive.close();
  const port = Number(new URL(withoutArchive.url).port);
  const sandbox = await startCatalogue({ clock, lists, ties: 'fixed', port });
  onTestFinished(() => sandbox.close());
  // What served no state is asked again after a week.
  clock.pass(8 * 24 * HOUR);
  const ran = await runCommand(['verify', ...place, '--all-versions', '--format', 'ndjson'], { clock });
  expect(linesOf(ran).find(({ version }) => version === '0.5')).toMatchObject({
    proof: 'explained',
    differences: [
      'Correction: HACD1 was upgraded from amber to green on Example in version 0.5. ' +
        'It was published as: HACD1 was upgraded from red to green on Example in version 0.5.',
    ],
  });
  expect(ran.code).toBe(1);
  // The newest version is compared once its rows must be visible.
  clock.pass(2 * HOUR);
  await runCommand(['verify', ...place], { clock });
  const again = await runCommand(['verify', ...place], { clock });
  expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('0 unproven') });
});

test('an event that contradicts the event before it of its entity is named with it, and ends with 1', async () => {
  const { sandbox, verify, state } = await start();
  const { panel } = sandbox.act({ kind: 'rate' });
  await verify();
  await verify();
  expect((await verify()).code).toBe(0);
  const on = (version: string, day: number) => ({
    gene: 'HACD1',
    panel: { ...breast, id: panel.id, version },
    time: `2026-01-0${day}T09:00:00.000000Z`,
  });
  const events = [
    rated('red', 'green', 'upgraded', on('0.1', 1)),
    rated('red', 'red', 'unchanged', on('0.2', 2)),
  ];
  const file = openStateFile(state);
  const until = BigInt(Date.UTC(2026, 0, 3)) * 1000n;
  await createSqliteHistory(file).append(
    events.map((event) => toMessage(event)),
    { catalogue: 'uk', since: until - 1n, until },
  );
  file.close();
  const ran = await verify('--format', 'ndjson');
  expect(linesOf(ran).filter(({ proof }) => proof === 'unproven')).toMatchObject([
    {
      panelId: panel.id,
      version: '0.2',
      why: 'an event contradicts the event before it of its entity',
      differences: [
        expect.stringMatching(
          /confirmed as red .* The event before it said: HACD1 was upgraded from red to green/,
        ),
      ],
    },
  ]);
  expect(ran.code).toBe(1);
  expect(
    linesOf(await verify('--since', '1d', '--format', 'ndjson')).map(({ version }) => version),
  ).not.toContain('0.2');
});

test('a version that was read for its sign-off alone is a baseline, is named so, and goes on no longer than up to the next one', async () => {
  const { sandbox, verify } = await start();
  await verify();
  const { panel } = sandbox.act({ kind: 'sign off an older version' });
  await verify();
  const ran = await verify('--panel', String(panel.id), '--format', 'ndjson');
  const alone = linesOf(ran).find(({ why }) => why?.startsWith('it was read for its sign-off alone; '));
  expect({ code: ran.code, proof: alone?.proof }).toEqual({ code: 0, proof: 'baseline' });
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
  expect(ran.stderr).toContain('no version has been read yet: nothing is proven');
});
