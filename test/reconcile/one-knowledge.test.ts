import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { difference } from '../../lambdas/differences/difference.ts';
import { eventsOf } from '../../lambdas/differences/events-of.ts';
import { inOrder } from '../../lambdas/events/order.ts';
import { typeName } from '../../lambdas/events/schemas.ts';
import { minutes, parseInstant } from '../../lambdas/run/instant.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { type ServedCatalogue, serveCatalogue } from './served-catalogue.ts';

let served: ServedCatalogue;
beforeEach(async () => {
  served = await serveCatalogue();
});
afterEach(() => served.close());

const gene = { item_type: 'entity', entity_name: 'BRCA1', entity_type: 'gene' };
const amberToGreen = { from: 'amber', to: 'green', direction: 'upgraded' } as const;

describe('no change is published twice', () => {
  test('where its transaction was open while a sweep read', async () => {
    const { panel, panels } = served;
    const [other] = panels;
    if (!other) throw new Error('the catalogue has no panel');
    other.description = 'Changed without a row';
    await served.sweep();
    served.clock.pass(8_000);
    const open = { lateMs: 14_000 };
    served.rate('Green List (High Evidence)', open);
    panel.name = 'Renamed';
    served.write('Panel name changed from Panel 3 to Renamed', open);
    served.promote(open);
    await served.pollAfter(3_000);
    await served.sweepAfter(1);
    expect(served.published('entity.classified')).toEqual([amberToGreen]);
    expect(served.published('panel.promoted')).toEqual([
      { version: '2.0', previousVersion: '1.3', via: 'activity' },
    ]);
    expect(served.published('panel.changed')).toHaveLength(1);
  });

  test('where a row waits for its paired row while a sweep reads', async () => {
    served.region.confidence_level = '3';
    const about = { item_type: 'entity', entity_name: 'ISCA-3-Loss', entity_type: 'region' };
    served.write('Region: isca-3-loss has been classified as Green List (High Evidence).', { about });
    await served.sweep();
    await served.pollAfter(60_000);
    await served.sweepAfter(1);
    expect(served.published('entity.classified')).toEqual([amberToGreen]);
  });

  test('where a sweep was killed before the poller knew of what it had recorded', async () => {
    served.panel.version = '2.0';
    const killed = async (): Promise<never> => {
      throw new Error('killed');
    };
    const run = served.sweep({ state: { ...createMemoryStore(served.table), learn: killed } });
    await expect(run).rejects.toThrow('killed');
    served.promote();
    await served.pollAfter(60_000);
    for (const _sweep of [1, 2]) {
      await served.sweepAfter(1);
    }
    expect(served.published('panel.promoted')).toEqual([
      { version: '3.0', previousVersion: '1.3', via: 'activity' },
    ]);
  });

  test('and what a killed sweep found is published before a later row of its entity', async () => {
    served.region.confidence_level = '3';
    const publish = async (): Promise<never> => {
      throw new Error('killed');
    };
    await expect(served.sweep({ publisher: { publish } })).rejects.toThrow('killed');
    served.clock.pass(60_000);
    served.rate('Red List (Low Evidence)');
    await served.pollAfter(60_000);
    expect(served.published('entity.classified')).toEqual([
      { ...amberToGreen, via: 'listing' },
      { from: 'green', to: 'red', direction: 'downgraded' },
    ]);
    const bodies = new Map(served.accepted.map(({ id, body }) => [id, body]));
    for (const _sweep of [1, 2]) {
      await served.sweepAfter(1);
    }
    expect(served.published('entity.classified')).toHaveLength(2);
    for (const { id, body } of served.accepted) expect(bodies.get(id) ?? body).toBe(body);
  });

  test('where a row comes after a sweep that was read from an index that lags', async () => {
    served.promote();
    const lagging = { append: async () => {}, async *find() {} };
    await served.sweep({ history: lagging });
    served.pass(1);
    await served.sweep({ history: lagging });
    expect(served.published('panel.promoted')).toMatchObject([{ version: '2.0', via: 'activity' }]);
  });

  test('where rows of a panel were written while it was hidden', async () => {
    served.hide(3);
    await served.sweep();
    served.pass(1);
    served.panel.version = '1.4';
    served.write('Tag watchlist tag was added to gene: BRCA1.', {
      about: { item_type: 'entity', entity_name: 'BRCA1', entity_type: 'gene' },
    });
    served.pass(5);
    served.reveal(3);
    served.write('Panel status changed from internal to public');
    for (const _sweep of [1, 2, 3]) {
      await served.sweep();
      served.pass(1);
    }
    expect(served.published('panel.changed')).toEqual([]);
    expect(served.published('panel.published')).toEqual([{ via: 'activity' }]);
    expect(served.published('entity.tags-changed')).toHaveLength(1);
  });

  test('where a version was made while its panel was hidden, and its rows show up after the panel', async () => {
    const { panel } = served;
    served.hide(3);
    await served.sweep();
    served.pass(1);
    // A transaction that ends after the sweep that sees the panel again.
    served.rate('Green List (High Evidence)', { lateMs: 90_000 });
    served.promote({ lateMs: 60_000 });
    panel.version = '2.1';
    served.write('Tag watchlist tag was added to gene: BRCA1.', { about: gene, lateMs: 45_000 });
    served.reveal(3);
    for (const _sweep of [1, 2, 3]) {
      await served.sweep();
      served.pass(1);
      await served.poll();
    }
    expect(served.published('panel.promoted')).toMatchObject([{ version: '2.0', via: 'activity' }]);
    expect(served.published('panel.changed')).toEqual([]);
    expect(served.published('entity.classified')).toHaveLength(1);
    expect(served.published('panel.published')).toEqual([{ via: 'listing' }]);
  });

  test.each([
    ['the same rating', '1', []],
    ['another rating', '3', [{ from: 'red', to: 'green', direction: 'upgraded', via: 'listing' }]],
  ] as const)(
    'where the state of a version gave it before, and a sweep sees %s',
    async (_what, level, published) => {
      const change = { from: 'amber', to: 'red', direction: 'downgraded', via: 'snapshot' } as const;
      const { panel, region } = served;
      const entity = { type: 'region' as const, name: region.entity_name };
      const [event] = eventsOf(panel, [difference('entity.classified', change, entity)], {
        catalogue: { name: 'test', url: served.catalogue.url },
        foundAgainst: '1.3',
        at: parseInstant('2026-10-01T00:00:00Z') ?? 0n,
        facts: undefined,
      });
      if (!event) throw new Error('the difference has no event');
      const nothing = { ratings: new Map(), versions: new Map(), asOf: 0, at: 0n };
      const silent = new Map([[panel.id, [event]]]);
      await createMemoryStore(served.table).learn({ ...nothing, origin: 'snapshot', silent });
      region.confidence_level = level;
      for (const _sweep of [1, 2]) {
        await served.sweep();
        served.pass(1);
      }
      expect(served.published('entity.classified')).toEqual(published);
    },
  );

  test('where one row renames a region and changes its tags', async () => {
    const { region } = served;
    await served.sweep();
    served.pass(1);
    Object.assign(region, { entity_name: 'ISCA-3-Gain', tags: ['treatable'] });
    served.write('ISCA-3-Loss was changed to ISCA-3-Gain\nTag treatable was added to Region: ISCA-3-Gain.', {
      about: { item_type: 'entity', entity_name: 'ISCA-3-Gain', entity_type: 'region' },
    });
    await served.poll();
    await served.sweepAfter(1);
    expect(served.published('entity.renamed')).toEqual([{ from: 'ISCA-3-Loss', to: 'ISCA-3-Gain' }]);
    expect(served.published('entity.tags-changed')).toEqual([{ added: ['treatable'], removed: [] }]);
  });

  test('where a row shows up before the overlap, because its panel was hidden between two sweeps', async () => {
    const other = served.panels[0];
    if (!other) throw new Error('the catalogue has no panel');
    const live = async (): Promise<void> => {
      served.clock.pass(600_000);
      served.write('commented on gene: BRCA1: ordinary', { panel: other, about: gene });
      await served.poll();
    };
    await served.sweep();
    await live();
    served.hide(3);
    served.panel.version = '1.4';
    served.write('Tag watchlist tag was added to gene: BRCA1.', { about: gene });
    for (const _poll of [1, 2, 3]) await live();
    served.reveal(3);
    await live();
    for (let hours = 0; hours < 5; hours += 1) {
      await served.sweep();
      for (const _poll of [1, 2, 3, 4, 5]) await live();
    }
    expect(served.published('entity.tags-changed')).toHaveLength(1);
    expect(served.published('panel.changed')).toEqual([]);
  });
});

describe('what a listing shows is what the next row starts from', () => {
  test('a region that is silently amber and then rated green by a row was amber', async () => {
    served.rate('Green List (High Evidence)');
    await served.poll();
    served.region.confidence_level = '2';
    await served.sweepAfter(1);
    served.clock.pass(60_000);
    served.rate('Green List (High Evidence)');
    await served.pollAfter(60_000);
    expect(served.published('entity.classified').map(({ from, to }) => [from, to])).toEqual([
      ['amber', 'green'],
      ['green', 'amber'],
      ['amber', 'green'],
    ]);
    expect(served.published('entity.classified').at(-1)).toEqual(amberToGreen);
  });

  test('the first row of a region after the first sweep starts from its listed rating', async () => {
    served.rate('Red List (Low Evidence)');
    await served.pollAfter(60_000);
    expect(served.published('entity.classified')).toEqual([
      { from: 'amber', to: 'red', direction: 'downgraded' },
    ]);
  });

  test('a region that a row rates green and that is silently red within one interval', async () => {
    served.rate('Green List (High Evidence)');
    await served.pollAfter(60_000);
    served.region.confidence_level = '1';
    await served.sweepAfter(1);
    expect(served.published('entity.classified').at(-1)).toEqual({
      from: 'green',
      to: 'red',
      direction: 'downgraded',
      via: 'listing',
    });
  });

  test('a region that a row rates green and that is silently amber again within one interval', async () => {
    served.rate('Green List (High Evidence)');
    await served.pollAfter(60_000);
    served.region.confidence_level = '2';
    await served.sweepAfter(1);
    expect(served.published('entity.classified').at(-1)).toMatchObject({ from: 'green', to: 'amber' });
  });

  test('a promotion by row after a version that was set back', async () => {
    const { panel } = served;
    panel.version = '1.8';
    served.write('Panel name changed from Panel 3 to Panel 3');
    await served.poll();
    panel.version = '1.2';
    panel.version_created = new Date(served.clock.now()).toISOString();
    await served.sweepAfter(1);
    served.clock.pass(60_000);
    served.promote();
    await served.pollAfter(60_000);
    expect(served.published('panel.promoted').at(-1)).toMatchObject({
      version: '2.0',
      previousVersion: '1.2',
    });
  });

  test.each(['name', 'rating'] as const)(
    'a %s that a row of an open transaction changed after a sweep had shown another one, by time too',
    async (fact) => {
      const { panel, region } = served;
      if (fact === 'name') panel.name = 'Silent';
      else region.confidence_level = '1';
      served.clock.pass(3_000);
      await served.sweep();
      served.clock.pass(60_000);
      if (fact === 'name') {
        panel.name = 'Renamed';
        served.write('Panel name changed from Silent to Renamed', { lateMs: 62_000 });
      } else served.rate('Green List (High Evidence)', { lateMs: 62_000 });
      await served.poll();
      for (let times = 0; times < 3; times += 1) {
        await served.sweep();
        served.pass(1);
      }
      const kind = fact === 'name' ? 'panel.changed' : 'entity.classified';
      const own = inOrder(served.events()).filter(({ type }) => type === typeName(kind));
      expect(own.map(({ data }) => data.late)).toEqual([true, false, false]);
      const changes = own.map(({ data: { change } }) => ('changes' in change ? change.changes[0] : change));
      expect(changes.map((one) => one && 'to' in one && one.to)).toEqual(
        fact === 'name' ? ['Renamed', 'Silent', 'Renamed'] : ['green', 'red', 'green'],
      );
    },
  );

  test('types that change silently within five minutes of a row that states them', async () => {
    const { panel } = served;
    panel.types = [{ name: 'Cancer', slug: 'cancer', description: '' }];
    served.write('Panel types changed to Cancer');
    await served.pollAfter(60_000);
    panel.types = [{ name: 'Superpanel', slug: 'superpanel', description: '' }];
    served.clock.pass(60_000);
    await served.sweep();
    served.clock.pass(60_000);
    served.promote();
    await served.pollAfter(60_000);
    expect(served.events().at(-1)?.data.panel?.types).toEqual(['superpanel']);
  });
});

/** A row that rates the region, of a version that is not the panel's present one. */
const rateIn = (version: string, list: string, given = {}): void =>
  served.write(`Region: isca-3-loss has been classified as ${list}.`, {
    ...given,
    about: {
      item_type: 'entity',
      entity_name: 'ISCA-3-Loss',
      entity_type: 'region',
      panel_version: version,
    },
  });

test.each([
  ['one poll', false],
  ['a poll after each', true],
])(
  'rows of transactions that overlap, in %s, follow from each other by their versions',
  async (_how, apart) => {
    rateIn('1.5', 'Green List (High Evidence)');
    served.clock.pass(60_000);
    if (apart) await served.poll();
    // The transaction that was stamped later was counted first.
    rateIn('1.4', 'Red List (Low Evidence)');
    served.promote({ about: { panel_version: '1.4' } });
    await served.pollAfter(60_000);
    rateIn('1.6', 'Amber List (Moderate Evidence)');
    await served.pollAfter(60_000);
    const own = inOrder(served.events()).filter(({ type }) => type === typeName('entity.classified'));
    expect(own.map(({ data }) => [data.panel?.version, data.change, data.late])).toEqual([
      ['1.4', { from: null, to: 'red', direction: 'unknown' }, true],
      ['1.5', { from: 'amber', to: 'green', direction: 'upgraded' }, false],
      ['1.6', { from: 'green', to: 'amber', direction: 'downgraded' }, false],
    ]);
  },
);

test('a row that shows up late comes after what its panel had in the version before', async () => {
  rateIn('1.4', 'Red List (Low Evidence)');
  await served.pollAfter(60_000);
  rateIn('1.5', 'Green List (High Evidence)', { lateMs: 62_000 });
  await served.poll();
  served.clock.pass(60_000);
  rateIn('1.6', 'Amber List (Moderate Evidence)');
  await served.pollAfter(60_000);
  expect(served.published('entity.classified')).toEqual([
    { from: 'amber', to: 'red', direction: 'downgraded' },
    { from: 'red', to: 'green', direction: 'upgraded' },
    { from: 'green', to: 'amber', direction: 'downgraded' },
  ]);
});

describe('a change without a row is noticed', () => {
  test('of a panel that was created and promoted between two sweeps', async () => {
    const panel = served.addPanel(8);
    Object.assign(panel, { version: '0.1', relevant_disorders: [], stats: { number_of_genes: 0 } });
    served.regions.pop();
    served.write('Added panel Panel 8', { panel });
    served.write('Panel types changed to Rare disease', { panel });
    await served.pollAfter(60_000);
    panel.version = '1.0';
    panel.types.push({ name: 'Cancer', slug: 'cancer', description: '' });
    await served.sweepAfter(1);
    expect(served.published('panel.promoted', 8)).toEqual([
      { version: '1.0', previousVersion: '0.1', via: 'listing' },
    ]);
    expect(served.published('panel.changed', 8).at(-1)).toMatchObject({
      changes: [{ field: 'types', from: ['Rare disease'], to: ['Cancer', 'Rare disease'] }],
      via: 'listing',
    });
    expect(served.published('panel.published', 8)).toEqual([]);
  });

  test('a minor version after a promotion with a row', async () => {
    served.promote();
    served.panel.version = '2.1';
    served.clock.pass(60_000);
    await served.sweep();
    expect(served.published('panel.changed')).toEqual([
      { changes: [{ field: 'version', from: '2.0', to: '2.1' }], via: 'listing' },
    ]);
  });

  test('two promotions and two minor versions of a super panel', async () => {
    served.panel.version = '3.2';
    await served.sweep();
    expect(served.published('panel.promoted')).toEqual([
      { version: '2.0', previousVersion: '1.3', via: 'listing' },
      { version: '3.0', previousVersion: '2.0', via: 'listing' },
    ]);
    expect(served.published('panel.changed')).toMatchObject([
      { changes: [{ field: 'version', from: '3.0', to: '3.2' }] },
    ]);
  });

  test('a gene that is deleted silently after three that rows deleted', async () => {
    for (const name of ['GENE1', 'GENE2', 'GENE3']) {
      served.panel.stats.number_of_genes = (served.panel.stats.number_of_genes ?? 0) - 1;
      served.write(`removed gene:${name} from the panel`);
    }
    await served.poll();
    await served.sweepAfter(1);
    expect(served.published('panel.changed')).toEqual([]);
    served.panel.stats.number_of_genes = 16;
    await served.sweepAfter(1);
    expect(served.published('panel.changed')).toMatchObject([
      { changes: [{ field: 'numberOfGenes', from: '17', to: '16' }] },
    ]);
  });

  test('the only region of a panel that is deleted while the number of regions stays', async () => {
    served.regions.splice(served.regions.indexOf(served.region), 1);
    await served.sweep();
    await served.sweepAfter(1);
    expect(served.published('entity.removed')).toEqual([{ rating: 'amber', via: 'listing' }]);
  });

  test('the linked gene and the sources of a region', async () => {
    served.region.gene_data = { gene_symbol: 'GENE1' };
    served.region.evidence = ['Expert list', 'Expert Review Amber'];
    await served.sweep();
    expect(served.published('entity.annotated')).toEqual([
      {
        changes: [
          { field: 'gene', from: null, to: 'GENE1' },
          { field: 'sources', added: ['Expert list'] },
        ],
        via: 'listing',
      },
    ]);
  });

  test('a region that appears, with its sources', async () => {
    const evidence = ['Expert list'];
    served.regions.push({ ...served.region, entity_name: 'ISCA-9-Gain', evidence });
    await served.sweep();
    expect(served.published('entity.added')).toMatchObject([{ rating: 'amber', sources: evidence }]);
  });

  test('a version without a row that was made while its panel was hidden', async () => {
    served.hide(3);
    await served.sweep();
    served.pass(1);
    served.panel.version = '2.1';
    served.reveal(3);
    for (const _sweep of [1, 2, 3]) {
      await served.sweep();
      served.pass(1);
    }
    expect(served.published('panel.promoted')).toEqual([
      { version: '2.0', previousVersion: '1.3', via: 'listing' },
    ]);
    expect(served.published('panel.changed')).toEqual([
      { changes: [{ field: 'version', from: '2.0', to: '2.1' }], via: 'listing' },
    ]);
  });

  test('a panel that a row makes public within a second of a sweep that found it public', async () => {
    served.hide(3);
    await served.sweep();
    served.pass(1);
    served.reveal(3);
    await served.sweep();
    served.hide(3);
    served.clock.pass(100);
    served.reveal(3);
    served.write('Panel status changed from internal to public');
    await served.poll();
    expect(served.published('panel.published')).toEqual([{ via: 'listing' }, { via: 'activity' }]);
  });
});

describe('once the mark was moved back', () => {
  test('what was found without a row since is not found again, and is known before a later row', async () => {
    served.rate('Green List (High Evidence)');
    await served.pollAfter(60_000);
    served.region.confidence_level = '2';
    await served.sweepAfter(1);
    const before = served.accepted.length;
    await served.moveMarkBack(minutes(30));
    await served.poll();
    const again = served.accepted.slice(before);
    await served.sweepAfter(1);
    served.rate('Red List (Low Evidence)');
    await served.pollAfter(60_000);
    expect(served.published('entity.classified')).toEqual([
      amberToGreen,
      { from: 'green', to: 'amber', direction: 'downgraded', via: 'listing' },
      { from: 'amber', to: 'red', direction: 'downgraded' },
    ]);
    expect(again.map(({ body }) => body)).toEqual(
      served.accepted
        .slice(0, before)
        .flatMap(({ body }) => (body.includes('"via":"listing"') ? [] : [body])),
    );
    expect(again).not.toHaveLength(0);
  });
});
