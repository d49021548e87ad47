import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { runCommand } from './run-command.ts';
import {
  type SavedCatalogue,
  type ServedEntity,
  type ServedPanel,
  saveCatalogue,
} from './saved-catalogue.ts';

const HOUR = 3_600_000;

/** The version from which the archive shows another thing than the rows say. */
interface Planted {
  readonly version: string;
  readonly gene: string;
}

/** Changes a green gene in the version before the present one and in that one, and runs `verify` over every version of its panel. */
async function verifyWith(change: (gene: ServedEntity, panel: ServedPanel) => void) {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const saved = await saveCatalogue(clock, 100);
  const { panelId, name, versions } = greenGeneOf(saved);
  const from = versions.length - 2;
  for (const panel of versions.slice(from)) {
    const gene = panel.genes.find(({ entity_name }) => entity_name === name);
    if (gene) change(gene, panel);
  }
  clock.pass(2 * HOUR);
  const catalogue = await startCatalogue({ clock, lists: saved.lists });
  const directory = newFolder();
  onTestFinished(() => catalogue.close());
  const verify = () =>
    runCommand(
      [
        ...['verify', '--catalogue', catalogue.url, '--name', 'uk', '--state', join(directory, 'state')],
        ...['--panel', String(panelId), '--all-versions', '--format', 'ndjson'],
      ],
      { clock },
    );
  const first = await verify();
  const differences = first.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { version: string; differences: string[]; proof: string })
    .flatMap((one) => one.differences.map((said) => `${one.version} ${one.proof}: ${said}`));
  clock.pass(HOUR);
  const again = await verify();
  const planted: Planted = { version: versions[from]?.version ?? '', gene: name };
  return { first, differences, again, planted };
}

/** A green gene that the last three versions of a panel hold. */
function greenGeneOf({ versionsOf }: SavedCatalogue) {
  for (let panelId = 1; panelId < 20; panelId += 1) {
    const versions = versionsOf(panelId);
    const [before, ...others] = versions.slice(-3);
    const gene = before?.genes.find(
      ({ entity_name: name, confidence_level: level, tags }) =>
        Number(level) >= 3 &&
        Array.isArray(tags) &&
        others.length === 2 &&
        others.every(({ genes }) =>
          genes.some((one) => one.entity_name === name && Number(one.confidence_level) >= 3),
        ),
    );
    if (gene) return { panelId, name: gene.entity_name, versions };
  }
  throw new Error('no panel has a green gene that stays');
}

test('what the rows explain gives no difference and exit code 0', async () => {
  const { first, differences, again } = await verifyWith(() => {});
  expect(differences).toEqual([]);
  expect(first.stderr).not.toContain('no event led to');
  expect(again.code).toBe(0);
});

test.each([
  [
    'a rating',
    (gene: ServedEntity) => Object.assign(gene, { confidence_level: '1' }),
    ['%g was downgraded from green to red on '],
  ],
  [
    'a member',
    (gene: ServedEntity, panel: ServedPanel) => {
      panel.genes = panel.genes.filter((one) => one !== gene);
    },
    ['%g, last rated green, was removed from '],
  ],
  [
    'a tag',
    (gene: ServedEntity) => Object.assign(gene, { tags: [...(gene.tags as string[]), 'planted'] }),
    ['Tag “planted” was added to %g on '],
  ],
  [
    'an id',
    (gene: ServedEntity) =>
      Object.assign(gene, { gene_data: { ...(gene.gene_data as object), hgnc_id: 'HGNC:99999' } }),
    ['HGNC id of %g was changed on '],
  ],
])(
  '%s that the archive shows otherwise is named, once, with exit code 1',
  async (_what, change, sentences) => {
    const { first, differences, again, planted } = await verifyWith(change);
    // An entity that is added has its tags, too.
    const named = differences.filter((said) => !(sentences.length > 1 && said.includes(': Tag')));
    expect(named.length).toBe(sentences.length);
    expect(differences.every((said) => said.includes(planted.gene))).toBe(true);
    for (const sentence of sentences) {
      const said = `${planted.version} explained: ${sentence.replace('%g', planted.gene)}`;
      expect(differences.filter((one) => one.startsWith(said))).toHaveLength(1);
    }
    expect(first.code).toBe(1);
    expect(first.stderr).toContain(
      '1 version did not agree with the events that led to it; what the archive shows is published now',
    );
    // What was published is known.
    expect(again.code).toBe(0);
  },
);
