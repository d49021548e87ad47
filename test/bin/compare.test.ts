import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock as clock } from '../../lambdas/run/clock.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { runCommand } from './run-command.ts';

/** A panel as a catalogue lists it. */
function panel(id: number, name: string, given: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    hash_id: null,
    name,
    disease_group: 'Neurology',
    disease_sub_group: '',
    status: 'public',
    version: '1.3',
    version_created: '2026-01-31T12:00:00Z',
    relevant_disorders: [],
    stats: { number_of_genes: 10, number_of_strs: 0, number_of_regions: 0 },
    types: [{ name: 'Rare disease', slug: 'rare-disease', description: '' }],
    ...given,
  };
}

function region(name: string, held: ReturnType<typeof panel>, given: Readonly<Record<string, unknown>> = {}) {
  return {
    gene_data: null,
    entity_type: 'region',
    entity_name: name,
    verbose_name: name,
    confidence_level: '3',
    penetrance: null,
    mode_of_pathogenicity: null,
    haploinsufficiency_score: '3',
    triplosensitivity_score: '',
    required_overlap_percentage: 60,
    type_of_variants: 'cnv_loss',
    publications: [],
    evidence: [],
    phenotypes: [],
    mode_of_inheritance: '',
    chromosome: '7',
    grch37_coordinates: null,
    grch38_coordinates: [100, 200],
    tags: [],
    panel: held,
    ...given,
  };
}

const ukPanels = [
  panel(1, 'Hereditary ataxia', { relevant_disorders: ['R54'] }),
  panel(2, 'Cataracts', { relevant_disorders: ['R1'] }),
  panel(3, 'Only here', { relevant_disorders: ['R999', 'An ordinary name'] }),
  panel(4, 'The same | *everywhere*', { relevant_disorders: ['R1'] }),
] as const;
const auPanels = [
  panel(101, 'Ataxia', {
    relevant_disorders: ['R54', 'R55'],
    version: '2.0',
    types: [{ name: 'GMS signed-off', slug: 'gms-signed-off', description: '' }],
    stats: { number_of_genes: 12, number_of_strs: 3, number_of_regions: 0 },
  }),
  panel(102, 'CATARACTS ', { disease_group: 'Eyes' }),
  panel(104, 'The same | *everywhere*', { relevant_disorders: ['R1'] }),
] as const;

let state: string;

async function sweepOnce(
  name: string,
  panels: readonly unknown[],
  regions: readonly unknown[],
): Promise<void> {
  const lists = { activities: [], panels: [...panels], regions: [...regions] } as never;
  const catalogue = await startCatalogue({ clock, lists });
  try {
    const args = ['--catalogue', catalogue.url, '--name', name, '--state', state];
    expect(await runCommand(['poll', '--only', 'listings', ...args])).toMatchObject({ code: 0 });
  } finally {
    await catalogue.close();
  }
}

const compare = (...args: string[]) =>
  runCommand(['report', '--compare', 'uk,au', '--state', state, ...args]);

describe('report --compare', () => {
  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'compare-'));
    await sweepOnce('uk', ukPanels, [region('ISCA-1-Loss', ukPanels[0]), region('ISCA-2-Gain', ukPanels[0])]);
    await sweepOnce('au', auPanels, [
      region('ISCA-1-Loss', auPanels[0], { grch38_coordinates: [100, 250], confidence_level: '2' }),
    ]);
  });

  afterAll(() => rm(state, { recursive: true }));

  test('pairs panels by name, else by R code, and shows what differs', async () => {
    const { panels, regions, catalogues } = JSON.parse((await compare('--format', 'json')).stdout);
    expect(panels).toMatchObject([
      { panels: [{ id: 2 }, { id: 102 }], codes: [], sameName: true },
      { panels: [{ id: 1 }, { id: 101 }], codes: ['R54'], sameName: false },
      { panels: [{ id: 4 }, { id: 104 }], sameName: true, differences: [] },
    ]);
    expect(panels[1].differences).toStrictEqual([
      { field: 'name', values: ['Hereditary ataxia', 'Ataxia'] },
      { field: 'signed off', values: ['no', 'yes'] },
      { field: 'types', values: ['Rare disease', null] },
      { field: 'disorders', values: ['R54', 'R54, R55'] },
      { field: 'genes', values: ['10', '12'] },
      { field: 'STRs', values: ['0', '3'] },
    ]);
    expect(regions).toStrictEqual([
      {
        name: 'ISCA-1-Loss',
        differences: [
          { field: 'coordinates GRCh38', values: ['7:100-200', '7:100-250'] },
          { field: 'rating', values: ['green', 'amber'] },
          { field: 'panels', values: ['Hereditary ataxia (green)', 'Ataxia (amber)'] },
        ],
      },
    ]);
    expect(catalogues.map(({ onlyHere }: { onlyHere: unknown }) => onlyHere)).toMatchObject([
      { panels: [{ id: 3, codes: ['R999'] }], regions: ['ISCA-2-Gain'] },
      { panels: [], regions: [] },
    ]);
  });

  test('is Markdown for a person, HTML without other files, and CSV with a line for each difference', async () => {
    const { stdout: markdown, code } = await compare();
    expect(code).toBe(0);
    expect(markdown).toContain('# Gene panels of uk and au\n');
    expect(markdown).toContain('3 pairs of panels by name or R code; 2 differ.');
    expect(markdown).toContain(
      '## Hereditary ataxia / Ataxia\n\n- the same R code R54\n- version 1.3 in uk (panel 1)\n- version 2.0 in au (panel 101)\n',
    );
    expect(markdown).toContain('- genes: 10 in uk, 12 in au\n');
    expect(markdown).toContain('## Only in uk\n\n### Panels\n\n- Only here (3), version 1.3, R999\n');
    const { stdout: html } = await compare('--format', 'html');
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain('<li>genes: 10 in uk, 12 in au</li>');
    const { stdout: csv } = await compare('--format', 'csv');
    const lines = csv.slice(1).trimEnd().split(/\r?\n/);
    expect(lines[0]).toBe(
      'what,matched by,panel in uk,panel id in uk,version in uk,R codes in uk,panel in au,panel id in au,version in au,R codes in au,region,differs in,uk,au',
    );
    expect(lines).toContain('panel,R54,Hereditary ataxia,1,v1.3,R54,Ataxia,101,v2.0,R54 R55,,genes,10,12');
    expect(lines).toContain(
      'panel,name R1,The same | *everywhere*,4,v1.3,R1,The same | *everywhere*,104,v1.3,R1,,nothing,,',
    );
    expect(lines).toContain('panel only in uk,,Only here,3,v1.3,R999,,,,,,,,');
    expect(lines).toContain('region only in uk,,,,,,,,,,ISCA-2-Gain,,,');
    expect(lines).toContain('region,name,,,,,,,,,ISCA-1-Loss,rating,green,amber');
    expect(lines.at(-2)).toMatch(/^list read(?:,){12}"?20.*Z: 4 panels, 2 regions"?,$/);
    expect(new Set(lines.map((line) => line.replace(/"[^"]*"/g, '').split(',').length))).toStrictEqual(
      new Set([14]),
    );
  });

  test.each([
    [['--compare', 'uk'], 'expected two catalogues, such as uk,australia'],
    [['--compare', 'uk,uk'], 'expected two catalogues'],
    [['--compare', 'uk,nz'], 'has no such catalogue; it has au, uk'],
    [['--compare', 'uk,au', '--from', '2026-01-01'], '--from does not go with --compare'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await runCommand(['report', ...args, '--state', state]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
