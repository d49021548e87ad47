import { once } from 'node:events';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { commandOf } from '../../bin/ask.ts';
import { createSqlitePanelStates } from '../../lambdas/panels/sqlite-panel-states.ts';
import { question } from '../../lambdas/questions/impact.ts';
import { createSqliteStore } from '../../lambdas/store/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { at, madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { commandHarness } from './command-harness.ts';
import type { Ran } from './run-command.ts';
import { words } from './run-command.ts';

/** Stands in every field that is no part of the answer. */
const SECRET = 'PLANTED';
const root = newFolder();
const state = join(root, 'state');

beforeAll(async () => {
  const file = openStateFile(state);
  const source = 'https://panelapp.example/api/v1/';
  await createSqliteStore(file, 'uk').begin({ mark: 0n, start: 0n, count: 0, source }, []);
  const store = createSqlitePanelStates({ file, catalogue: 'uk', now: () => Date.UTC(2026, 10, 20) });
  const example = { panelId: 9999, panelName: 'Example panel' };
  const versions = [
    ['1.2', '2026-01-01', '2026-02-01', 'amber'],
    ['1.4', '2026-02-01', '2026-03-01', 'amber'],
    ['1.5', '2026-03-01', null, 'green'],
  ] as const;
  for (const [version, from, to, rating] of versions) {
    const entities = [madeUpGene('EXAMPLE1', { rating, hgncId: 'HGNC:1' })];
    const validTo = to && at(`${to}T00:00:00`);
    const times = { validFrom: at(`${from}T00:00:00`), validTo, source: to ? 'archive' : 'present' } as const;
    await store.save(madeUpState({ ...example, version, entities, ...times }));
  }
  await store.save(madeUpState({ panelId: 9998, panelName: 'Another example panel', version: '3.10' }));
  file.close();
});

/** Runs `impact` on the cases at an address; the sandbox's own by default. */
async function impact(args: readonly string[] = [], url?: string): Promise<Ran> {
  const { run, applications } = await commandHarness();
  const base = url ?? applications.urls['interpretation-api'];
  return run(
    commandOf(question),
    words`--state ${state} --from-interpretation ${base} --format ndjson ${args}`,
  );
}

/** An interpretation API with a form of its own; the text of each page is as given. */
async function serve(...pages: readonly string[]): Promise<string> {
  const server = createServer((request, response) => {
    const number = Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page') ?? 1);
    const next = number < pages.length ? '"more"' : 'null';
    response.setHeader('content-type', 'application/json');
    response.end(`{"count": ${pages.length}, "next": ${next}, "results": [${pages[number - 1] ?? ''}]}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function mappingFile(mapping: object): Promise<readonly string[]> {
  const file = join(await mkdtemp(join(root, 'mapping-')), 'mapping.json');
  await writeFile(file, JSON.stringify(mapping));
  return ['--mapping', file];
}

const rowsOf = ({ stdout }: Ran): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

const counted = (ran: Ran): readonly string[] =>
  rowsOf(ran).map(({ change, name, reason, cases }) => `${change} ${name ?? reason}: ${cases}`);

test("the sandbox's cases are read without a mapping, and what cannot be known of them is said", async () => {
  const ran = await impact();
  expect(ran.code).toBe(4);
  expect(counted(ran)).toEqual([
    'now green EXAMPLE1: 2',
    expect.stringMatching(/^unknown Example panel \(9999\): The state of version 0\.9 is not kept/),
    expect.stringMatching(/^unknown Example panel \(9999\): The state of version 1\.10 is not kept/),
    'unknown the panel is missing: 1',
  ]);
});

test('a list of panels by name, id and version needs no mapping', async () => {
  const page = (caseId: string, panel: object) => JSON.stringify({ caseId, note: SECRET, panels: [panel] });
  const url = await serve(
    page('a', { panelName: 'Example panel', panelVersion: '1.4' }),
    page('b', { panelId: 9999, panelName: SECRET, panelVersion: 'v1.2' }),
    page('c', { panelId: 9999, panelVersion: '1.5' }),
  );
  const ran = await impact([], url);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(counted(ran)).toEqual(['now green EXAMPLE1: 2']);
  expect(ran.stdout).not.toContain(SECRET);
});

test('a mapping says where another form has its fields; a version sent as a number keeps its digits', async () => {
  const args = await mappingFile({
    case: '/referral/id',
    panels: ['/analysis/panels', '/old~1panels'],
    panel: '/panel/code',
    version: '/panel/used',
    date: '/analysis/day',
  });
  const url = await serve(
    '{"referral": {"id": 7}, "analysis": {"panels": [{"panel": {"code": "9998", "used": 3.10}}], "day": null}}',
    `{"referral": {"id": "${SECRET}"}, "old/panels": [{"panel": {"code": "Example panel"}}], "analysis": {"day": "2026-01-15"}}`,
  );
  const ran = await impact(args, url);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(counted(ran)).toEqual(['now green EXAMPLE1: 1']);
  const byCase = await impact([...args, '--by', 'case'], url);
  expect(rowsOf(byCase)).toMatchObject([{ case: SECRET, change: 'now green', name: 'EXAMPLE1' }]);
});

test('an item without a case ends the command, which names its place and nothing of it', async () => {
  const url = await serve('{"caseId": "a", "panels": []}', `{"person": "${SECRET}"}`);
  const ran = await impact([], url);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('item 2 of interpretation-request: no case is named at');
  expect(ran.stdout + ran.stderr).not.toContain(SECRET);
});

test.each([
  ['no JSON', 'x', /it is not JSON/],
  ['a field of another name', '{"cases": "/a"}', /--mapping/],
  [
    'no pointer',
    '{"case": "a"}',
    /case is "a": expected a JSON pointer, such as \/panels, or a list of them/,
  ],
])('a mapping with %s is refused', async (_title, text, message) => {
  const file = join(await mkdtemp(join(root, 'wrong-')), 'mapping.json');
  await writeFile(file, text);
  const ran = await impact(['--mapping', file]);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toMatch(message);
});

test('nothing of a case is written to the state, a log or an error', async () => {
  const item = (panel: object) =>
    JSON.stringify({ caseId: `${SECRET}-1`, name: SECRET, panels: [{ note: SECRET, ...panel }] });
  const pages = [
    item({ panelId: 9999, panelVersion: '1.4' }),
    item({ panelName: `${SECRET} panel`, panelVersion: '1.4' }),
    item({ panelId: 9999, panelVersion: SECRET }),
    item({}),
  ];
  const ran = await impact(['--format', 'table'], await serve(...pages));
  expect(ran.code).toBe(4);
  expect(ran.stdout).toContain('1 case with something unknown');
  expect(ran.stdout + ran.stderr).not.toContain(SECRET);
  for (const file of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const content = await readFile(join(file.parentPath, file.name));
    expect(content.includes(SECRET), file.name).toBe(false);
  }
});
