import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { runCommand } from './run-command.ts';

interface Gene {
  readonly entity_name: string;
  readonly gene_data: { readonly hgnc_id: string; readonly alias: readonly string[] };
}

const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
const root = newFolder();
let place: readonly string[];
let sandbox: RunningCatalogue;
/** Every gene of the catalogue before a symbol was replaced. */
let genes: readonly Gene[];
let renaming: { readonly from: string; readonly to: string; readonly hgncId: string };

const events = async (...args: readonly string[]): Promise<readonly PanelEvent[]> => {
  const asking = ['history', ...place, '--format', 'ndjson', '--limit', '9999', ...args];
  const { stdout } = await runCommand(asking, { clock });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
};
const idsOf = (found: readonly PanelEvent[]): readonly string[] => found.map(({ id }) => id);

beforeAll(async () => {
  place = ['--state', join(root, 'state')];
  sandbox = await startCatalogue({ clock, history: 100, pageSize: 10_000 });
  const verify = () =>
    runCommand(['verify', '--catalogue', sandbox.url, '--name', 'au', ...place], { clock });
  await verify();
  genes = ((await (await fetch(`${sandbox.url}genes/`)).json()) as { results: Gene[] }).results;
  clock.pass(3_600_000);
  for (let acts = 0; acts < 20; acts += 1) sandbox.act({ kind: 'rate' });
  sandbox.act({ kind: 'replace the symbol of a gene silently' });
  for (let acts = 0; acts < 20; acts += 1) sandbox.act({ kind: 'rate' });
  for (let times = 0; times < 2; times += 1) {
    clock.pass(3 * 3_600_000);
    await verify();
  }
  const [renamed] = await events('--type', 'entity.renamed');
  if (renamed?.type !== 'gene-panel.entity.renamed.v1') throw new Error('no renaming was published');
  const { entity, change } = renamed.data;
  renaming = { from: change.from, to: change.to, hgncId: entity?.hgncId ?? '' };
});
afterAll(() => sandbox.close());

describe('a symbol that HGNC changed without a row', () => {
  test('is an entity.renamed, found by comparing states, with the id that stayed', async () => {
    const found = await events('--type', 'entity.renamed');
    for (const { data } of found) expect(data.change).toMatchObject({ via: 'snapshot' });
    const known = genes.find(({ entity_name: name }) => name === renaming.from);
    expect(renaming).toMatchObject({ to: `${renaming.from}-R2`, hgncId: known?.gene_data.hgnc_id });
  });

  test('finds the same events as the symbol before and as the HGNC id, in any letter case', async () => {
    const byId = await events('--gene', renaming.hgncId);
    expect(byId.length).toBeGreaterThan(1);
    expect(byId.at(-1)?.data.entity).toMatchObject({ hgncId: renaming.hgncId });
    const { from, to, hgncId } = renaming;
    for (const name of [from, to, to.toLowerCase(), hgncId.toLowerCase()]) {
      expect(idsOf(await events('--gene', name)), name).toEqual(idsOf(byId));
    }
  });
});

test('a file of ids and symbols finds the events of all of them', async () => {
  // A curator may have replaced a gene by another on one panel: the symbol then finds both there.
  const named = Map.groupBy(
    await events('--entity-type', 'gene'),
    ({ data: { entity } }) => entity?.name ?? '',
  );
  const replaced = new Set((await events('--type', 'entity.renamed')).map(({ data }) => data.entity?.name));
  const [name = '', own = []] =
    [...named].find(
      ([symbol, [first]]) => !/-R2$/.test(symbol) && !replaced.has(symbol) && first?.data.entity?.hgncId,
    ) ?? [];
  const hgncId = own[0]?.data.entity?.hgncId ?? '';
  const both = [...(await events('--gene', name)), ...(await events('--gene', renaming.hgncId))];
  const files = [
    [name, renaming.hgncId],
    [hgncId, renaming.from],
    ['# ids', hgncId, '', renaming.hgncId],
  ];
  for (const [index, lines] of files.entries()) {
    const file = join(root, `genes-${index}.txt`);
    await writeFile(file, `${lines.join('\n')}\n`);
    expect(new Set(idsOf(await events('--genes-file', file))), lines.join(' ')).toEqual(new Set(idsOf(both)));
  }
});

test('an alias finds nothing of the gene that has it', async () => {
  const symbols = new Map(genes.map((gene) => [gene.entity_name, gene.gene_data]));
  const aliased = genes.flatMap(({ entity_name: name, gene_data: { alias, hgnc_id: id } }) =>
    alias.map((other) => ({ name, id, alias: other })),
  );
  expect(aliased.length).toBeGreaterThan(5);
  for (const { name, id, alias } of aliased.slice(0, 20)) {
    const found = await events('--gene', alias);
    const names = new Set(
      found.flatMap(({ data: { entity } }) => (entity?.type === 'gene' ? entity.name : [])),
    );
    expect(names.has(name), `${alias} is an alias of ${name} (${id})`).toBe(false);
    if (!symbols.has(alias)) expect(names.size).toBe(0);
  }
});
