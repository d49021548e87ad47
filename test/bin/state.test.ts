import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { contentHash, stateFromDetail } from '../../lambdas/panels/state-from-detail.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand, words } from './run-command.ts';

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9), wokenByHand: true });
const root = newFolder();
const state = join(root, 'state');
let sandbox: RunningCatalogue;
let catalogue: Catalogue;

/** One line of NDJSON. */
interface Line {
  readonly panelId: number;
  readonly version: string;
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly name: string;
  readonly type: string;
  readonly rating: string;
  readonly hgncId: string | null;
  readonly location: string | null;
  readonly source: string;
  readonly sha256: string;
}

const run = (args: readonly string[]): Promise<Ran> =>
  runCommand(['state', '--state', state, ...args], { clock });
const linesOf = ({ stdout }: Ran): readonly Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

beforeAll(async () => {
  sandbox = await startCatalogue({ clock, history: 400 });
  catalogue = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  await runCommand(['poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk', '--state', state], {
    clock,
  });
  const file = openStateFile(state);
  const store = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  const readAt = instantOf(clock.now());
  for (const id of [1, 2]) {
    const detail = await catalogue.panelDetail(id);
    if (detail)
      await store.save(stateFromDetail(detail, { source: 'present', readAt, proof: { kind: 'baseline' } }));
  }
  file.close();
});
afterAll(async () => {
  await catalogue.close();
  await sandbox.close();
});

describe('state', () => {
  test('lists what a panel holds, without asking anybody', async () => {
    sandbox.forgetRequests();
    const detail = await catalogue.panelDetail(1);
    const asked = sandbox.requests.length;
    const ran = await run(['--panel', '1', '--format', 'ndjson']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(sandbox.requests.length).toBe(asked);
    const lines = linesOf(ran);
    const held = [...(detail?.genes ?? []), ...(detail?.strs ?? []), ...(detail?.regions ?? [])];
    expect(lines.map(({ name }) => name).toSorted()).toEqual(
      held.map(({ entity_name }) => entity_name).toSorted(),
    );
    expect(lines[0]).toMatchObject({
      catalogue: 'uk',
      panelId: 1,
      panelName: detail?.name,
      version: detail?.version,
      validTo: null,
      source: 'present',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const levels: Readonly<Record<string, string>> = {
      4: 'green',
      3: 'green',
      2: 'amber',
      1: 'red',
      0: 'none',
    };
    for (const { entity_name, confidence_level } of held) {
      expect(lines.find(({ name }) => name === entity_name)?.rating).toBe(levels[String(confidence_level)]);
    }
  });

  test('of all is unknown before the panels were listed', async () => {
    expect(await run(all)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('The panels of uk have not been listed yet.'),
    });
  });

  test('finds a panel by number, older id, name and code alike', async () => {
    const detail = await catalogue.panelDetail(1);
    const whole = await run(['--panel', '1', '--format', 'ndjson']);
    for (const option of [
      ['--panel', String(detail?.hash_id)],
      ['--panel', String(detail?.name).toUpperCase()],
      ['--r-code', String(detail?.relevant_disorders?.[0])],
    ]) {
      expect(await run([...option, '--format', 'ndjson']), option.join(' ')).toEqual(whole);
    }
  });

  test('shows a table with its source, time and SHA-256', async () => {
    const { stdout } = await run(['--panel', '1']);
    const [title, counts, hash, , list, heading] = stdout.split('\n');
    expect(title).toMatch(
      /\(1, older id [0-9a-f]{24}\), version 0\.\d+ of uk, from 2026-\d\d-\d\d \d\d:\d\dZ$/,
    );
    expect(counts).toMatch(
      /^\d+ green of \d+ genes, STRs and regions; as it was when it was read, 2026-11-20 09:00Z$/,
    );
    expect(hash).toMatch(/^SHA-256 [0-9a-f]{64}$/);
    expect(list).toMatch(/^HEARING LOSS \(1\), VERSION 0\.\d+ \(\d+\)$/);
    expect(heading).toMatch(/^gene, str or region {2,}rating {2,}hgnc/);
  });

  test('is unknown where a version is not kept and no catalogue may be asked', async () => {
    const ran = await run(['--panel', '1', '--version', '0.3']);
    expect(ran).toMatchObject({ code: 4, stdout: '' });
    expect(ran.stderr).toMatch(
      /^.+ \(1\): unknown\. The state of version 0\.3 is not kept\. Give --catalogue URL to ask the catalogue\.\n$/,
    );
    const early = await run(['--panel', '1', '--at', '2019-01-01', '--catalogue', sandbox.url]);
    expect(early.code).toBe(4);
    expect(early.stderr).toContain(
      'The archive of the catalogue does not show which version it had at 2019-01-01',
    );
  });

  test('reads a version from the archive once', async () => {
    const archived = await catalogue.panelDetail(1, '0.3');
    const asking = ['--panel', '1', '--version', '0.3', '--format', 'ndjson'];
    const first = await run([...asking, '--catalogue', sandbox.url]);
    expect(first.code).toBe(0);
    expect(
      linesOf(first)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(
      [...(archived?.genes ?? []), ...(archived?.strs ?? []), ...(archived?.regions ?? [])]
        .map(({ entity_name }) => entity_name)
        .toSorted(),
    );
    expect(linesOf(first)[0]).toMatchObject({ version: '0.3', source: 'archive' });
    // Old archives hold no tags: unknown is not empty.
    expect(linesOf(first)[0]).not.toHaveProperty('tags');
    sandbox.forgetRequests();
    expect(await run(asking)).toMatchObject({ code: 0, stdout: first.stdout });
    expect(sandbox.requests).toEqual([]);
  });

  test('finds the version that a panel had at a time', async () => {
    for (const version of ['0.2', '0.5']) {
      const [detail, next] = [
        await catalogue.panelDetail(2, version),
        await catalogue.panelDetail(2, `0.${Number(version.slice(2)) + 1}`),
      ];
      const [from, until] = [detail, next].map((one) => Date.parse(one?.version_created ?? ''));
      const middle = new Date(((from ?? 0) + (until ?? 0)) / 2).toISOString();
      const ran = await run(words`--panel 2 --at ${middle} --format ndjson --catalogue ${sandbox.url}`);
      expect(ran.code, version).toBe(0);
      expect(linesOf(ran)[0]).toMatchObject({
        version,
        validFrom: detail?.version_created,
        validTo: next?.version_created,
      });
    }
  });

  test('has what a polled row added without a new version, in that version and at that time', async () => {
    const present = await catalogue.panelDetail(2);
    if (!present) throw new Error('panel 2 is not public');
    const { name, version } = present;
    clock.pass(60_000);
    sandbox.addRows([
      {
        item_type: 'entity',
        panel_id: 2,
        panel_name: name,
        panel_version: version,
        user_name: 'A Reviewer',
        entity_type: 'gene',
        entity_name: 'NEWGENE9',
        text: `gene: NEWGENE9 was added\ngene: NEWGENE9 was added to ${name}. Sources: Literature`,
      },
    ]);
    clock.pass(1_000);
    const polled = ['poll', '--only', 'log', '--catalogue', sandbox.url, '--name', 'uk', '--state', state];
    expect((await runCommand(polled, { clock })).code).toBe(0);
    const asked = async (...wanted: readonly string[]) =>
      run(['--panel', '2', ...wanted, '--format', 'ndjson']);
    for (const wanted of [[], ['--version', String(version)]]) {
      const ran = await asked(...wanted);
      expect(ran.code).toBe(0);
      expect(linesOf(ran).find((one) => one.name === 'NEWGENE9')).toMatchObject({ version });
      expect(ran.stderr).toContain('with what events state up to');
    }
    // Before the row it was not there.
    const before = await asked('--at', new Date(clock.now() - 61_000).toISOString());
    expect(linesOf(before).some((one) => one.name === 'NEWGENE9')).toBe(false);
  });

  test('lists the version that is signed off, and the one that was', async () => {
    const { items } = await catalogue.signedOff();
    const [entry] = items;
    const asking = words`--panel ${Number(entry?.id)} --signed-off --format ndjson
      --catalogue ${sandbox.url}`;
    const ran = await run(asking);
    expect(ran.code).toBe(0);
    expect(linesOf(ran)[0]?.version).toBe(entry?.version);
    expect(ran.stderr).toContain(`version ${entry?.version} was signed off on ${entry?.signed_off}.`);
    const before = await run([...asking, '--at', '2019-01-01']);
    expect(before).toMatchObject({ code: 4, stdout: '' });
    expect(before.stderr).toContain('no version was signed off on 2019-01-01');
  });

  test('lists green entities by place as BED, and names those without a place', async () => {
    const file = join(root, 'green.bed');
    const ran = await run(['--panel', '1', '--format', 'bed', '--assembly', 'GRCh37', '--output', file]);
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    const text = await readFile(file, 'utf8');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    const green = linesOf(await run(['--panel', '1', '--format', 'ndjson'])).filter(
      ({ rating }) => rating === 'green',
    );
    const [, missing = ''] = /# without a location in GRCh37: (.+)/.exec(text) ?? [];
    const named = [...lines.map((line) => line.split('\t')[3]), ...missing.split(', ').filter(Boolean)];
    expect(named.toSorted()).toEqual(green.map(({ name }) => name).toSorted());
    for (const line of lines) expect(line).toMatch(/^chr(\d+|X)\t\d+\t\d+\t\S/);
    expect(text).toMatch(
      /^# panel: .+ \(1\), version 0\.\d+, of uk\n# source: present, read at .+; SHA-256 [0-9a-f]{64}\n/,
    );
    expect(ran.stderr.includes('without a location in GRCh37')).toBe(missing !== '');
  });

  test('the SHA-256 is that of the entities', async () => {
    const file = openStateFile(state);
    const newest = await createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now }).newest(1);
    file.close();
    const [line] = linesOf(await run(['--panel', '1', '--format', 'ndjson']));
    expect(line?.sha256).toBe(contentHash(newest?.entities ?? []));
  });

  test.each([
    [['--panel', 'Hearing'], /No panel is called “Hearing”\. Did you mean “Hearing loss”\?/],
    [['--panel', 'Hearing los'], /No panel is called “Hearing los”\. Did you mean “Hearing loss”\?/],
    [['--panel', 'r67'], /No panel is called “r67”\. It is an R code, of “Hearing loss” for example\./],
    [['--r-code', 'R999'], /No panel has the code R999\./],
    [['--panel', '1', '--name', 'nhs'], /No catalogue called “nhs” has been read\. It was uk\./],
    [[], /Name a panel or an R code, or ask for all\./],
  ])('%j is a name that does not exist', async (args, reason) => {
    const ran = await run(args);
    expect(ran).toMatchObject({ code: 3, stdout: '' });
    expect(ran.stderr).toMatch(reason);
  });

  test.each([
    [['--panel', '1', '--version', 'abc'], /--version "abc": expected a version such as 4\.12/],
    [['--panel', '1', '--version', '1.0', '--at', '2026-01-01'], /--version "1\.0": expected neither a time/],
    [['--all', '--panel', '1'], /--all .*expected no panel and no R code beside it/],
    [['--all', '--version', '1.0'], /--version "1\.0": expected one panel beside it, not all/],
    [['--r-code', 'R67', '--version', '1.0'], /a version is that of one panel/],
    [['--panel', '1', '--at', '2030-01-01'], /not in the future; is the year right\?/],
    [
      ['--panel', '1', '--format', 'xml'],
      /--format "xml": expected table, csv, ndjson, json, html, bed, scout, scout-jsonl, seqr or panelapp/,
    ],
  ])('%j is refused with the reason', async (args, reason) => {
    const ran = await run(args);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(reason);
  });

  test('of all has every public panel that was read, and names the others', async () => {
    const place = ['--catalogue', sandbox.url, '--name', 'uk', '--state', state];
    for (let acts = 0; acts < 60; acts += 1) sandbox.act({ kind: 'rate' });
    for (const only of ['log', 'listings']) await runCommand(['poll', '--only', only, ...place], { clock });
    const ran = await run(all);
    const unknown = [...ran.stderr.matchAll(/ \((\d+)\): unknown\./g)].map(([, id]) => Number(id));
    const listed = (await catalogue.panels()).map(({ id }) => id).sort((one, other) => one - other);
    expect(panelsOf(ran)).toEqual(listed.filter((id) => !unknown.includes(id)));
    expect(panelsOf(ran).length).toBeGreaterThan(5);
    expect(ran.code).toBe(4);
    expect(unknown.length).toBeGreaterThan(0);
  });
});

const all = ['--all', '--format', 'scout-jsonl'];
const panelsOf = ({ stdout }: Ran): readonly number[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id);
