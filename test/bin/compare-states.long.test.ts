import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { type CatalogueOptions, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

const NO_LONGER = 'green in the signed-off version, not in the newest version';
const NOT_SIGNED_OFF = 'green in the newest version, not in the signed-off version';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

interface Line {
  readonly what: string;
  readonly firstVersion: string;
  readonly secondVersion: string;
  readonly name: string;
  readonly firstRating: string;
  readonly secondRating: string;
  readonly since: string;
  readonly sinceIsExact: boolean;
  readonly days: number;
}

async function start(options: Partial<CatalogueOptions> = {}) {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const sandbox = await startCatalogue({ clock, history: 100, ...options });
  const directory = newFolder();
  const client = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  const place = ['--state', join(directory, 'state')];
  const run = (...args: readonly string[]): Promise<Ran> => runCommand([...args, ...place], { clock });
  const read = async (): Promise<void> => {
    for (const part of ['log', 'listings', 'states']) {
      const catalogue = ['--catalogue', sandbox.url, '--name', 'uk'];
      const pace = part === 'states' ? ['--pace', '0'] : [];
      const ran = await run('poll', '--only', part, ...catalogue, ...pace);
      expect(ran.code, `${part}: ${ran.stderr}`).toBe(0);
      clock.pass(HOUR);
    }
  };
  const lines = (ran: Ran): readonly Line[] =>
    ran.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  return { clock, sandbox, client, run, read, lines, directory };
}

test('what turned green after the sign-off is listed with the time since when, and what is no longer green before it', async () => {
  const { clock, sandbox, client, run, read, lines } = await start();
  await read();
  const { panel } = sandbox.act({ kind: 'sign off the present version' });
  clock.pass(DAY);
  await read();
  const { items } = await client.signedOff();
  const signOff = items.find(({ id }) => id === panel.id);
  const greensOf = async (version?: string): Promise<ReadonlySet<string>> => {
    const detail = await client.panelDetail(panel.id, version);
    const all = [...(detail?.genes ?? []), ...(detail?.strs ?? []), ...(detail?.regions ?? [])];
    return new Set(
      all.filter(({ confidence_level: level }) => Number(level) >= 3).map((one) => one.entity_name),
    );
  };
  let changed = false;
  for (let tries = 0; tries < 400 && !changed; tries += 1) {
    sandbox.act({ kind: 'rate' });
    clock.pass(HOUR);
    const [now, then] = [await greensOf(), await greensOf(signOff?.version)];
    changed = [...now].some((name) => !then.has(name)) && [...then].some((name) => !now.has(name));
  }
  expect(changed).toBe(true);
  await read();
  const ran = await run('compare', '--panel', String(panel.id), '--format', 'ndjson');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const [now, then] = [await greensOf(), await greensOf(signOff?.version)];
  const found = lines(ran);
  const named = (what: string): readonly string[] =>
    found
      .filter((line) => line.what === what)
      .map(({ name }) => name)
      .toSorted();
  expect(named(NOT_SIGNED_OFF)).toEqual([...now].filter((name) => !then.has(name)).toSorted());
  expect(named(NO_LONGER)).toEqual([...then].filter((name) => !now.has(name)).toSorted());
  expect(found[0]?.what).toBe(NO_LONGER);
  expect(found.every((line) => line.sinceIsExact && line.firstVersion === signOff?.version)).toBe(true);
  const history = await run(
    'history',
    '--panel',
    String(panel.id),
    '--gene',
    found[0]?.name ?? '',
    '--format',
    'ndjson',
  );
  expect(history.stdout).toContain(found[0]?.since.slice(0, 19));
});

test('a green gene whose mode of inheritance changed since the sign-off is listed apart, with both values', async () => {
  const { clock, run, lines, directory } = await start();
  const file = openStateFile(join(directory, 'state'));
  const source = 'https://panelapp.example/api/v1/';
  await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const [bi, both] = [
    'BIALLELIC, autosomal or pseudoautosomal',
    'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
  ];
  for (const [version, from, to, mode] of [
    ['1.0', '2026-01-01T00:00:00', '2026-03-01T00:00:00', bi],
    ['1.1', '2026-03-01T00:00:00', null, both],
  ] as const)
    await states.save(
      madeUpState({
        version,
        entities: [madeUpGene('GJB2', { modeOfInheritance: mode }), madeUpGene('OTOF')],
        validFrom: at(from),
        validTo: to && at(to),
        source: to ? 'archive' : 'present',
        readAt: at('2026-11-20T08:00:00'),
      }),
    );
  const signOff = { panelId: 3, panelName: 'Hearing loss', listedAt: 0n, removedAt: null };
  await states.saveSignOffs([{ ...signOff, version: '1.0', date: '2026-01-10' }]);
  file.close();
  const found = lines(await run('compare', '--format', 'ndjson'));
  expect(found).toMatchObject([
    {
      what: 'green in both, mode of inheritance differs',
      name: 'GJB2',
      firstInheritance: bi,
      secondInheritance: both,
    },
  ]);
  const { stdout } = await run('compare');
  expect(stdout).toMatch(
    /GREEN IN BOTH, MODE OF INHERITANCE DIFFERS \(1\)\n.*\n.*GJB2 .* BIALLELIC \(1\.0, 2026-01-10\) .* BOTH monoallelic and biallelic \(1\.1/,
  );
  expect((await run('compare', '--without-inheritance')).stdout).toContain(
    'the same ratings and modes of inheritance',
  );
});

test('a gene that a row made green again after the reading is not listed as no longer green', async () => {
  const { clock, sandbox, client, run, read, lines } = await start();
  await read();
  const { panel } = sandbox.act({ kind: 'sign off the present version' });
  clock.pass(DAY);
  await read();
  const greens = async (): Promise<ReadonlySet<string>> => {
    const detail = await client.panelDetail(panel.id);
    const all = [...(detail?.genes ?? []), ...(detail?.strs ?? []), ...(detail?.regions ?? [])];
    return new Set(all.filter((one) => Number(one.confidence_level) >= 3).map((one) => one.entity_name));
  };
  const signedOff = await greens();
  const rateUntil = async (isReached: (now: ReadonlySet<string>) => boolean): Promise<void> => {
    for (let tries = 0; tries < 2_000; tries += 1) {
      sandbox.act({ kind: 'rate' });
      clock.pass(60_000);
      if (tries % 5 === 0 && isReached(await greens())) return;
    }
    throw new Error('The sandbox never rated so');
  };
  await rateUntil((now) => [...signedOff].some((name) => !now.has(name)));
  await read();
  const then = await greens();
  const lost = [...signedOff].filter((name) => !then.has(name));
  await rateUntil((now) => lost.some((name) => now.has(name)));
  await run('poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk');
  const now = await greens();
  const ran = await run('compare', '--panel', String(panel.id), '--format', 'ndjson');
  const named = lines(ran).filter(({ what }) => what === NO_LONGER);
  expect(named.map(({ name }) => name).toSorted()).toEqual(
    [...signedOff].filter((name) => !now.has(name)).toSorted(),
  );
  expect(ran.stderr).toMatch(/has not been read yet\. The lists show version \d+\.\d+/);
});

test('without a sign-off nothing is said to be signed off, and the exit code is 3', async () => {
  const { sandbox, run } = await start({ details: 'none' });
  await run('poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk');
  const ran = await run('compare');
  expect(ran.code).toBe(3);
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toContain('No sign-off of uk is known');
});

test('a signed-off version whose state is not kept is named as unknown', async () => {
  const { clock, sandbox, run, read } = await start();
  await read();
  sandbox.act({ kind: 'sign off an older version' });
  clock.pass(DAY);
  await run('poll', '--only', 'listings', '--catalogue', sandbox.url, '--name', 'uk');
  const ran = await run('compare');
  expect(ran.code).toBe(4);
  expect(ran.stderr).toMatch(
    /\(\d+\): unknown\. The contents of its signed-off version \d+\.\d+ are not kept\./,
  );
});

test('a panel of which a later version than the one that was read is known is compared, and unknown after it', async () => {
  const { clock, sandbox, run, read } = await start();
  await read();
  const { panel } = sandbox.act({ kind: 'sign off the present version' });
  clock.pass(DAY);
  await read();
  const before = await run('compare', '--panel', String(panel.id));
  expect(before).toMatchObject({ code: 0, stderr: '' });
  for (let tries = 0; tries < 200; tries += 1) {
    if (sandbox.act({ kind: 'rate' }).panel.id === panel.id) break;
  }
  clock.pass(HOUR);
  await run('poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk');
  const ran = await run('compare', '--panel', String(panel.id));
  expect(ran.code).toBe(4);
  expect(ran.stderr).toMatch(
    /: version \d+\.\d+ has not been read yet\. The lists show version (\d+\.\d+), with what events state since\./,
  );
});

test('a panel that does not exist is an error', async () => {
  const { run, read } = await start();
  await read();
  expect(await run('compare', '--panel', 'Nonsens')).toMatchObject({ code: 3, stdout: '' });
});
