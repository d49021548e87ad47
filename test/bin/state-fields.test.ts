import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { type Ran, runCommand } from './run-command.ts';

/** An entity as the catalogue serves it. */
type Served = Readonly<Record<string, unknown>> & {
  readonly entity_type: 'gene' | 'str' | 'region';
  readonly entity_name: string;
  readonly confidence_level: string | number;
  readonly chromosome?: string;
  readonly grch37_coordinates?: readonly number[] | null;
  readonly grch38_coordinates?: readonly number[] | null;
  readonly gene_data: {
    readonly hgnc_id: string;
    readonly omim_gene: readonly string[];
    readonly ensembl_genes: Readonly<
      Record<string, Readonly<Record<string, { readonly ensembl_id: string; readonly location: string }>>>
    >;
  } | null;
  readonly panel?: { readonly id: number; readonly name: string; readonly version: string };
};

interface ServedPanel {
  readonly id: number;
  readonly name: string;
  readonly hash_id: string | null;
  readonly version: string;
  readonly version_created: string;
  readonly relevant_disorders: readonly string[];
  readonly genes: readonly Served[];
  readonly strs: readonly Served[];
  readonly regions: readonly Served[];
}

type Line = Readonly<Record<string, unknown>> & { readonly name: string; readonly sha256: string };

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
const root = newFolder();
const state = join(root, 'state');
let sandbox: RunningCatalogue;
let panels: readonly ServedPanel[];

const served = async (path: string): Promise<unknown> => (await fetch(sandbox.url + path)).json();
const run = (...args: readonly string[]): Promise<Ran> =>
  runCommand(['state', '--state', state, ...args], { clock });
const linesOf = ({ stdout }: Ran): readonly Line[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  sandbox = await startCatalogue({ clock, history: 150 });
  await runCommand(
    ['poll', '--only', 'states', '--catalogue', sandbox.url, '--name', 'au', '--state', state],
    { clock },
  );
  const { results } = (await served('panels/')) as { readonly results: readonly ServedPanel[] };
  panels = (await Promise.all(results.map(({ id }) => served(`panels/${id}/`)))) as ServedPanel[];
});
afterAll(() => sandbox.close());

const heldBy = ({ genes, strs, regions }: ServedPanel): readonly Served[] => [...genes, ...strs, ...regions];

const ratings: Readonly<Record<string, string>> = {
  4: 'green',
  3: 'green',
  2: 'amber',
  1: 'red',
  0: 'none',
};

/** The fields of a line, as the documentation states them, from what the catalogue serves. */
function expectedOf(entity: Served): Readonly<Record<string, unknown>> {
  const { gene_data: gene, panel, entity_type: type } = entity;
  const newest = (build: string) => Object.values(gene?.ensembl_genes[build] ?? {}).at(-1);
  const span = (coordinates: readonly number[] | null | undefined): string | null =>
    coordinates ? `${entity.chromosome}:${coordinates.join('-')}` : null;
  const all = {
    type,
    name: entity.entity_name,
    hgncId: gene?.hgnc_id ?? null,
    ensemblId: newest('GRch38')?.ensembl_id ?? null,
    omimIds: gene?.omim_gene ?? [],
    rating: ratings[String(entity.confidence_level)],
    tags: entity.tags,
    modeOfInheritance: entity.mode_of_inheritance,
    modeOfPathogenicity: entity.mode_of_pathogenicity,
    penetrance: entity.penetrance,
    phenotypes: entity.phenotypes,
    publications: entity.publications,
    evidence: entity.evidence,
    // No list of transcripts is an empty one.
    transcript: entity.transcript === null ? [] : entity.transcript,
    location: type === 'gene' ? (newest('GRch38')?.location ?? null) : span(entity.grch38_coordinates),
    locationGRCh37: type === 'gene' ? (newest('GRch37')?.location ?? null) : span(entity.grch37_coordinates),
    repeatedSequence: entity.repeated_sequence,
    normalRepeats: textOf(entity.normal_repeats),
    pathogenicRepeats: textOf(entity.pathogenic_repeats),
    verboseName: entity.verbose_name,
    variantType: entity.type_of_variants,
    haploinsufficiency: entity.haploinsufficiency_score,
    triplosensitivity: entity.triplosensitivity_score,
    requiredOverlap: textOf(entity.required_overlap_percentage),
    ...(panel && { fromPanelId: panel.id, fromPanelName: panel.name, fromPanelVersion: panel.version }),
  };
  // An empty text and null both mean that nothing was given.
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value === '' ? null : value]],
    ),
  );
}

const textOf = (value: unknown): unknown => (typeof value === 'number' ? String(value) : value);
const keyOf = (line: Readonly<Record<string, unknown>>): string =>
  `${line.type} ${line.name} ${line.fromPanelId ?? ''}`;
const inOrder = <Item extends Readonly<Record<string, unknown>>>(items: readonly Item[]): readonly Item[] =>
  items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

describe('the lines of a panel', () => {
  test('have every field as the catalogue serves it, of genes, STRs, regions and super panels', async () => {
    const types = new Set<string>();
    let ofSuperPanels = 0;
    for (const panel of panels) {
      const lines = linesOf(await run('--panel', String(panel.id), '--format', 'ndjson'));
      const expected = heldBy(panel).map((entity) => ({
        what: `${panel.name} (${panel.id}), version ${panel.version}`,
        catalogue: 'au',
        panelId: panel.id,
        hashId: panel.hash_id,
        panelName: panel.name,
        version: panel.version,
        validFrom: microsecondsOf(panel.version_created),
        validTo: null,
        ...expectedOf(entity),
        source: 'present',
        readAt: '2026-11-20T09:00:00.000000Z',
        sha256: lines[0]?.sha256,
      }));
      expect(inOrder(lines), panel.name).toEqual(inOrder(expected));
      for (const { entity_type: type, panel: child } of heldBy(panel)) {
        types.add(type);
        if (child) ofSuperPanels += 1;
      }
    }
    expect([...types].toSorted()).toEqual(['gene', 'region', 'str']);
    expect(ofSuperPanels).toBeGreaterThan(5);
  });

  test('of an old archive lack the fields that it lacks', async () => {
    const old = (await served('panels/1/?version=0.2')) as ServedPanel;
    const args = ['--panel', '1', '--version', '0.2', '--catalogue', sandbox.url, '--format', 'ndjson'];
    const lines = linesOf(await run(...args));
    expect(lines.length).toBeGreaterThan(0);
    const expected = inOrder(heldBy(old).map(expectedOf));
    expect(inOrder(lines)).toEqual(expected.map((line) => expect.objectContaining(line)));
    for (const line of lines) expect(line).not.toHaveProperty('tags');
  });

  test('are the rows of the CSV, with versions that a spreadsheet keeps', async () => {
    for (const { id } of panels.slice(0, 4)) {
      const lines = linesOf(await run('--panel', String(id), '--format', 'ndjson'));
      const { stdout } = await run('--panel', String(id), '--format', 'csv');
      const rows: readonly Readonly<Record<string, string>>[] = parse(stdout, { columns: true, bom: true });
      expect(rows.length).toBe(lines.length);
      for (const [place, line] of lines.entries()) {
        for (const [field, value] of Object.entries(line)) {
          const text = Array.isArray(value) ? value.join('; ') : String(value ?? '');
          const cell = field === 'version' || field === 'fromPanelVersion' ? `v${text}` : text;
          expect(rows[place]?.[field]?.replace(/^'/, ''), `${line.name} ${field}`).toBe(cell);
        }
      }
    }
  });
});

test.each(['GRCh37', 'GRCh38'])(
  'the BED of %s has the green entities of the catalogue, by place',
  async (assembly) => {
    for (const panel of panels) {
      const file = join(root, `${panel.id}.bed`);
      await run('--panel', String(panel.id), '--format', 'bed', '--assembly', assembly, '--output', file);
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
      const location = assembly === 'GRCh37' ? 'locationGRCh37' : 'location';
      const green = heldBy(panel)
        .map(expectedOf)
        .filter(({ rating }) => rating === 'green');
      const places = green.flatMap((entity) => {
        const [, chromosome, start, end] = /^(\w+):(\d+)-(\d+)$/.exec(String(entity[location])) ?? [];
        const name = chromosome === 'MT' ? 'M' : chromosome;
        return chromosome ? [[`chr${name}`, Number(start) - 1, end, entity.name].join('\t')] : [];
      });
      expect(lines.filter((line) => !line.startsWith('#')).toSorted(), panel.name).toEqual(
        [...new Set(places)].toSorted(),
      );
      expect(lines[0]).toBe(`# panel: ${panel.name} (${panel.id}), version ${panel.version}, of au`);
      expect(lines[1]).toMatch(
        /^# source: present, read at 2026-11-20T09:00:00\.000000Z; SHA-256 [0-9a-f]{64}$/,
      );
      const unplaced = green.filter((entity) => entity[location] === null).map(({ name }) => String(name));
      const named = lines.find((line) => line.startsWith('# without a location')) ?? '';
      for (const name of unplaced) expect(named).toContain(name);
    }
  },
);

test('a panel is found by the name that it had, and by a code of the test directory', async () => {
  const { panel } = sandbox.act({ kind: 'edit the name silently' });
  await runCommand(
    ['poll', '--only', 'listings', '--catalogue', sandbox.url, '--name', 'au', '--state', state],
    { clock },
  );
  clock.pass(3_600_000);
  await runCommand(
    ['poll', '--only', 'listings', '--catalogue', sandbox.url, '--name', 'au', '--state', state],
    { clock },
  );
  const former = panels.find(({ id }) => id === panel.id);
  const lines = linesOf(await run('--panel', String(former?.name), '--format', 'ndjson'));
  expect(new Set(lines.map(({ panelId }) => panelId))).toEqual(new Set([panel.id]));
  const code = former?.relevant_disorders.find((disorder) => /^R\d+$/.test(disorder)) ?? '';
  const held = panels.filter(({ relevant_disorders: all }) => all.includes(code)).map(({ id }) => id);
  const coded = linesOf(await run('--r-code', code, '--format', 'ndjson'));
  expect(new Set(coded.map(({ panelId }) => panelId))).toEqual(new Set(held));
});

const microsecondsOf = (time: string): string => (time.includes('.') ? time : time.replace('Z', '.000000Z'));
