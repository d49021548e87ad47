import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Catalogue, createCatalogue } from '../../lambdas/catalogue/client.ts';
import { anonymous } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Filter } from '../../lambdas/filters/filter.ts';
import { policyOf } from '../../lambdas/filters/filter-policy.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { type RunningCatalogue, startCatalogue } from '../../sandbox/catalogue/start.ts';
import { silentKinds } from '../../sandbox/software/silent-kinds.ts';
import { passes } from '../filters/sns-policy.ts';
import { createNotifyHarness, planOf, subscriptionOf } from '../notify/notify-harness.ts';
import { createTestClock } from '../run/test-clock.ts';
import { createSweeper, type Sweeper } from './sweep-harness.ts';

const HOUR = 3_600_000;
const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
let sandbox: RunningCatalogue;
let catalogue: Catalogue;
let sweeper: Sweeper;

beforeAll(async () => {
  sandbox = await startCatalogue({ clock, history: 250, seed: 5 });
  catalogue = createCatalogue({ baseUrl: sandbox.url, access: anonymous, clock, log: silentLog });
  sweeper = createSweeper({ catalogue, clock });
  await sweeper.poll();
  expect(await sweeper.sweep()).toMatchObject({ outcome: 'baseline' });
});
afterAll(async () => {
  await catalogue.close();
  await sandbox.close();
});

/** Type and changed fields of the events that the sweep publishes after something was done, by the panel's id. */
async function publishedAfter(what: () => void): Promise<ReadonlyMap<number, readonly string[]>> {
  const before = sweeper.listed().length;
  clock.pass(HOUR);
  what();
  await sweeper.sweep();
  const found = sweeper.listed().slice(before);
  clock.pass(HOUR);
  expect(await sweeper.sweep()).toMatchObject({ outcome: 'quiet', events: {} });
  const byPanel = Map.groupBy(found, ({ data }) => data.panel?.id ?? 0);
  return new Map([...byPanel].map(([id, events]) => [id, events.map(statement)]));
}

function statement({ type, data: { change } }: PanelEvent): string {
  const kind = type.slice('gene-panel.'.length, -'.v1'.length);
  return 'changes' in change ? `${kind} ${change.changes.map(({ field }) => field).join(', ')}` : kind;
}

/** The event of a panel after each change without a row. */
const expected: Readonly<Record<string, string | null>> = {
  'raise the version silently': 'panel.changed version',
  'set the version back silently': 'panel.changed version',
  'promote a super panel silently': 'panel.promoted',
  'make internal silently': 'panel.withdrawn',
  'make public silently': 'panel.published',
  'delete a panel for good': 'panel.withdrawn',
  'edit the name silently': 'panel.changed name',
  'edit the description silently': 'panel.changed version, description',
  'edit the types silently': 'panel.changed types',
  'edit the disease group silently': 'panel.changed version, diseaseGroup',
  'give or take the signed-off type silently': 'panel.changed types',
  'clear the phenotypes of a region': 'panel.changed version; entity.annotated phenotypes',
  'clear the publications of a region': 'panel.changed version; entity.annotated publications',
  'approve a region': 'entity.classified',
  'clear the phenotypes of a gene': 'panel.changed version',
  'clear the publications of a gene': 'panel.changed version',
  'clear the mode of pathogenicity of a gene': 'panel.changed version',
  // No listing shows the rating of a gene (docs/sweep.md, "What cannot be seen").
  'approve a gene': null,
  'rate a gene as administrator': 'panel.changed version',
  'rate a gene in the database': null,
  'delete a gene silently': 'panel.changed version, numberOfGenes',
  'replace the symbol of a gene silently': null,
  // Only the list of signed-off panels shows it.
  'sign off silently': null,
  'remove the sign-off silently': null,
  'rename a tag': 'entity.tags-changed',
  'delete a tag': 'entity.tags-changed',
};

describe('the sweep publishes once what the sandbox changes without a row', () => {
  test.each(silentKinds.map(({ kind }) => kind))('%s', async (kind) => {
    let id = 0;
    const found = await publishedAfter(() => {
      id = sandbox.act({ kind }).panel.id;
    });
    const own = found.get(id)?.join('; ');
    // The other panel from which the group was taken may have another subgroup or the same one.
    expect(own?.replace(', diseaseSubGroup', '') ?? null).toBe(expected[kind]);
  });

  test('the promotion of a panel, which promotes the super panel that holds it', async () => {
    const [superPanel] = (await catalogue.panels()).filter(({ child_panel_ids }) => child_panel_ids?.length);
    let promoted = 0;
    const found = await publishedAfter(() => {
      while (!superPanel?.child_panel_ids?.includes(promoted)) {
        promoted = sandbox.act({ kind: 'promote a panel' }).panel.id;
      }
    });
    expect([...found]).toEqual([[superPanel?.id, ['panel.promoted']]]);
  });

  test('the promotion of a super panel, which a subscription to promotions gets', async () => {
    const before = sweeper.accepted.length;
    await publishedAfter(() => sandbox.act({ kind: 'promote a super panel silently' }));
    const [message, ...more] = sweeper.accepted.slice(before);
    if (!message) throw new Error('nothing was published');
    expect(more).toEqual([]);
    const filter: Filter = { topics: ['promotions'], panelTypes: ['superpanel'] };
    const policy = policyOf(filter, 'promotions')?.policy;
    expect(policy).toEqual({ panelTypes: ['superpanel'] });
    expect(passes(policy ?? {}, message.attributes)).toBe(true);

    const harness = createNotifyHarness(planOf(subscriptionOf({ filter })));
    const event = JSON.parse(message.body) as PanelEvent;
    harness.published.push(event);
    await harness.notifier().receive(event);
    harness.clock.pass(HOUR);
    await harness.notifier().run();
    expect(harness.headlines()).toEqual([
      expect.stringMatching(/^Paediatric disorders.* is promoted to version \d+\.0$/),
    ]);
  });

  test('ratings of regions that follow from clearing sources', async () => {
    const ratings = async () =>
      (await catalogue.regions()).map(({ panel, entity_name, confidence_level }) => ({
        panel: panel.id,
        region: `${panel.id} ${entity_name} ${confidence_level}`,
      }));
    const before = new Set((await ratings()).map(({ region }) => region));
    const found = await publishedAfter(() => {
      for (let times = 0; times < 60; times += 1) sandbox.act({ kind: 'clear all sources' });
    });
    const classified = [...found].flatMap(([panel, kinds]) =>
      kinds.flatMap((kind) => (kind === 'entity.classified' ? [panel] : [])),
    );
    const changed = (await ratings()).filter(({ region }) => !before.has(region));
    expect(changed.length).toBeGreaterThan(1);
    expect(classified.toSorted()).toEqual(changed.map(({ panel }) => panel).toSorted());
  });
});
