import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/errors.ts';
import {
  nextMajor,
  nextMinor,
  regionNamed,
  type SimulatedCatalogue,
  type SimulatedPanel,
} from './simulated-catalogue.ts';
import { createSweepBench, type SweepBench } from './sweep-bench.ts';

/** A catalogue of seven panels whose log and listings were read once. */
async function settled(): Promise<
  SweepBench & { readonly panel: SimulatedPanel; readonly made: SimulatedCatalogue }
> {
  const bench = createSweepBench();
  const made = bench.world;
  for (let id = 1; id <= 7; id += 1) made.addPanel(id, `Panel ${id}`);
  const panel = made.panels.get(3);
  if (!panel) throw new Error('the catalogue has no panel 3');
  for (const each of made.panels.values()) made.write(each, 'promoted panel to version 1.0');
  await bench.poll();
  expect((await bench.sweep()).outcome).toBe('baseline');
  made.world.clock.pass(60 * 60 * 1000);
  return { ...bench, panel, made };
}

/** Kind, panel and change of each event that comparing found. */
const found = ({ listed }: SweepBench) =>
  listed().map(({ type, data }) => [
    type.slice('gene-panel.'.length, -'.v1'.length),
    data.entity?.name ?? data.panel?.id,
    data.change,
  ]);

test('the first sweep only remembers what is listed', async () => {
  const bench = await settled();
  expect(found(bench)).toEqual([]);
});

test('a quiet sweep reads each listing once, publishes nothing and writes nothing', async () => {
  const bench = await settled();
  const pages = bench.made.listingPages.count;
  const writes: string[] = [];
  const documents = { load: bench.documents.load, save: async (name: string) => writes.push(name) };
  const report = await bench.sweep({ documents });
  expect(report).toMatchObject({ outcome: 'quiet', panels: 7, regions: 7, events: {} });
  expect(bench.made.listingPages.count - pages).toBe(4);
  expect(writes).toEqual([]);
});

describe('a change without a row is published once', () => {
  const cases: Readonly<
    Record<
      string,
      readonly [change: (panel: SimulatedPanel, made: SimulatedCatalogue) => void, ...events: unknown[]]
    >
  > = {
    'a promotion': [
      (panel, made) => made.setVersion(panel, nextMajor(panel.listed.version)),
      ['panel.promoted', 3, { version: '2.0', previousVersion: '1.3', via: 'listing' }],
    ],
    'a new minor version': [
      (panel, made) => made.setVersion(panel, nextMinor(panel.listed.version)),
      ['panel.changed', 3, { changes: [{ field: 'version', from: '1.3', to: '1.4' }], via: 'listing' }],
    ],
    'a withdrawn panel': [
      (panel, made) => made.show(panel.id, false),
      ['panel.withdrawn', 3, { via: 'listing' }],
    ],
    'a new panel': [
      (_panel, made) => made.addPanel(8, 'Panel 8'),
      ['panel.published', 8, { via: 'listing' }],
    ],
    'a sign-off, by the type': [
      ({ listed }) => listed.types.push({ name: 'GMS signed-off', slug: 'gms-signed-off', description: '' }),
      ['panel.signed-off', 3, { signedOff: true, via: 'listing' }],
    ],
    'a new name and disease group, as one event': [
      ({ listed }) => Object.assign(listed, { name: 'Renamed', disease_group: 'Cardiology' }),
      [
        'panel.changed',
        3,
        {
          changes: [
            { field: 'name', from: 'Panel 3', to: 'Renamed' },
            { field: 'diseaseGroup', from: 'Neurology', to: 'Cardiology' },
          ],
          via: 'listing',
        },
      ],
    ],
    'a new description and other types': [
      ({ listed }) =>
        Object.assign(listed, {
          description: 'For the new test',
          types: [{ name: 'Cancer', slug: 'cancer', description: '' }],
        }),
      [
        'panel.changed',
        3,
        {
          changes: [
            { field: 'description', from: 'About panel 3', to: 'For the new test' },
            { field: 'types', from: ['Rare disease'], to: ['Cancer'] },
          ],
          via: 'listing',
        },
      ],
    ],
    'genes that appeared': [
      (panel) => {
        panel.genes += 2;
      },
      ['panel.changed', 3, { changes: [{ field: 'numberOfGenes', from: '20', to: '22' }], via: 'listing' }],
    ],
    'the rating of a region': [
      ({ held }) => Object.assign(held[0] ?? {}, { confidence_level: '3' }),
      [
        'entity.classified',
        'ISCA-3-Loss',
        { from: 'amber', to: 'green', direction: 'upgraded', via: 'listing' },
      ],
    ],
    'tags of a region': [
      ({ held }) => Object.assign(held[0] ?? {}, { tags: ['watchlist'] }),
      ['entity.tags-changed', 'ISCA-3-Loss', { added: ['watchlist'], removed: [], via: 'listing' }],
    ],
    'coordinates and cleared phenotypes of a region, as one event': [
      ({ held }) => Object.assign(held[0] ?? {}, { grch38_coordinates: [100, 250], phenotypes: [] }),
      [
        'entity.annotated',
        'ISCA-3-Loss',
        {
          changes: [
            { field: 'coordinates', aspect: 'GRCh38', from: '100-200', to: '100-250' },
            { field: 'phenotypes', from: ['Intellectual disability'], to: [] },
          ],
          via: 'listing',
        },
      ],
    ],
    'a region that vanished': [
      ({ held }) => held.pop(),
      ['entity.removed', 'ISCA-3-Loss', { rating: 'amber', via: 'listing' }],
    ],
  };
  for (const [title, [change, ...events]] of Object.entries(cases)) {
    test(title, async () => {
      const bench = await settled();
      change(bench.panel, bench.made);
      expect((await bench.sweep()).outcome).toBe('published');
      expect(found(bench)).toEqual(events);
      expect((await bench.sweep()).outcome).toBe('quiet');
      expect(found(bench)).toEqual(events);
    });
  }

  test('every other field of a region, as one event', async () => {
    const bench = await settled();
    const region = {
      chromosome: '8',
      grch37_coordinates: [1, 2],
      haploinsufficiency_score: '30',
      triplosensitivity_score: '1',
      required_overlap_percentage: 80,
      type_of_variants: 'cnv_gain',
      verbose_name: 'Renamed',
      mode_of_inheritance: 'BIALLELIC, autosomal or pseudoautosomal',
      mode_of_pathogenicity: 'Other',
      penetrance: 'Complete',
      publications: ['30000000'],
    };
    Object.assign(bench.panel.held[0] ?? {}, region);
    await bench.sweep();
    const [[kind, , change] = [], ...more] = found(bench);
    expect([kind, more]).toEqual(['entity.annotated', []]);
    const changed = change && typeof change === 'object' && 'changes' in change ? change.changes : [];
    const fields = (changed as readonly { readonly field: string; readonly aspect?: string }[]).map(
      ({ field, aspect }) => (aspect ? `${field} ${aspect}` : field),
    );
    expect(fields).toEqual([
      'coordinates GRCh37',
      'dosage haploinsufficiency',
      'dosage triplosensitivity',
      'requiredOverlapPercentage',
      'variantType',
      'verboseName',
      'chromosome',
      'modeOfInheritance',
      'modeOfPathogenicity',
      'penetrance',
      'publications',
    ]);
    expect((await bench.sweep()).outcome).toBe('quiet');
  });

  test('a region that appeared, with its rating and tags', async () => {
    const bench = await settled();
    bench.panel.held.push({ ...regionNamed('ISCA-9-Gain'), confidence_level: '3', tags: ['watchlist'] });
    await bench.sweep();
    expect(found(bench)).toMatchObject([
      ['entity.added', 'ISCA-9-Gain', { rating: 'green', via: 'listing' }],
      ['entity.classified', 'ISCA-9-Gain', { from: null, to: 'green', direction: 'new' }],
      ['entity.tags-changed', 'ISCA-9-Gain', { added: ['watchlist'] }],
    ]);
  });
});

test('a change with a row that the log undoes after the listing was read is left to the log', async () => {
  const bench = await settled();
  const { made, panel } = bench;
  const rename = (name: string): void => {
    made.write(panel, `Panel name changed from ${panel.listed.name} to ${name}`);
    panel.listed.name = name;
  };
  rename('Renamed');
  made.world.clock.pass(60_000);
  let pages = 0;
  made.betweenPages = () => {
    pages += 1;
    made.world.clock.pass(2_000);
    // The panels are on two pages, the regions on two more.
    if (pages === 3) rename('Panel 3');
  };
  expect((await bench.sweep()).outcome).toBe('explained');
  made.betweenPages = () => {};
  expect((await bench.sweep()).outcome).toBe('explained');
  expect(found(bench)).toEqual([]);
});

test('another order of a list is no change', async () => {
  const bench = await settled();
  const [region] = bench.panel.held;
  region?.phenotypes.unshift('Epilepsy');
  bench.panel.listed.relevant_disorders.push('R99');
  bench.panel.listed.types.push({ name: 'Cancer', slug: 'cancer', description: '' });
  await bench.sweep();
  const before = found(bench).length;
  region?.phenotypes.reverse();
  bench.panel.listed.relevant_disorders.reverse();
  bench.panel.listed.types.reverse();
  expect((await bench.sweep()).outcome).toBe('quiet');
  expect(found(bench)).toHaveLength(before);
});

describe('a change with a row is left to the log', () => {
  const cases: Readonly<Record<string, (panel: SimulatedPanel, made: SimulatedCatalogue) => void>> = {
    'a promotion': (panel, made) => {
      made.setVersion(panel, '2.0');
      made.write(panel, 'promoted panel to version 2.0');
    },
    'a promotion with edits after it': (panel, made) => {
      made.setVersion(panel, '2.0');
      made.write(panel, 'promoted panel to version 2.0');
      made.setVersion(panel, '2.1');
      made.write(panel, 'removed gene:BRCA1 from the panel');
      panel.genes -= 1;
    },
    'a new name': (panel, made) => {
      panel.listed.name = 'Renamed';
      made.setVersion(panel, '1.4');
      made.write(panel, 'Panel name changed from Panel 3 to Renamed');
    },
    'new types': (panel, made) => {
      panel.listed.types = [{ name: 'Cancer', slug: 'cancer', description: '' }];
      made.setVersion(panel, '1.4');
      made.write(panel, 'Panel types changed to Cancer');
    },
    'a rating and a tag of a region': (panel, made) => {
      const region = panel.held[0];
      if (!region) throw new Error('panel 3 holds no region');
      region.confidence_level = '3';
      region.tags.push('watchlist');
      made.setVersion(panel, '1.4');
      const entity = { item_type: 'entity', entity_name: region.entity_name, entity_type: 'region' };
      made.write(panel, 'Region: isca-3-loss has been classified as Green List (High Evidence).', entity);
      made.write(panel, 'Classified Region: ISCA-3-Loss as Green List (high evidence)', entity);
      made.write(panel, 'Tag watchlist tag was added to Region: ISCA-3-Loss.', entity);
    },
  };
  for (const [title, change] of Object.entries(cases)) {
    test(title, async () => {
      const bench = await settled();
      change(bench.panel, bench.made);
      expect((await bench.sweep()).outcome).toBe('explained');
      expect(found(bench)).toEqual([]);
      expect((await bench.sweep()).outcome).toBe('quiet');
    });
  }
});

test('a row that surfaces after the sweep does not repeat what the sweep published', async () => {
  const bench = await settled();
  bench.made.write(bench.panel, 'Panel status changed from public to internal');
  bench.made.show(3, false);
  await bench.sweep();
  bench.made.world.clock.pass(60 * 60 * 1000);
  bench.made.show(3, true);
  bench.made.write(bench.panel, 'Panel status changed from internal to public');
  await bench.sweep();
  const statuses = [...bench.history.values()].map(({ type, data }) => [type, data.change]);
  expect(statuses).toEqual([
    ['gene-panel.panel.withdrawn.v1', { via: 'listing' }],
    ['gene-panel.panel.published.v1', { via: 'activity' }],
  ]);
});

describe('a listing that cannot be trusted publishes nothing and keeps the stored one', () => {
  const cases: Readonly<Record<string, (bench: Awaited<ReturnType<typeof settled>>) => void>> = {
    empty: ({ made }) => {
      for (const id of made.panels.keys()) made.show(id, false);
    },
    shrunken: ({ made }) => {
      for (const id of [1, 2, 3, 4]) made.show(id, false);
    },
    incomplete: ({ made }) => {
      let pages = 0;
      made.betweenPages = () => {
        pages += 1;
        made.show(1, pages % 2 === 0);
      };
    },
  };
  for (const [refusal, disturb] of Object.entries(cases)) {
    test(refusal, async () => {
      const bench = await settled();
      disturb(bench);
      expect(await bench.sweep()).toMatchObject({ outcome: 'refused', refusal });
      bench.made.betweenPages = () => {};
      for (const id of bench.made.panels.keys()) bench.made.show(id, true);
      expect((await bench.sweep()).outcome).toBe('quiet');
      expect(found(bench)).toEqual([]);
    });
  }
});

test('a panel that is withdrawn without a row, comes back and is withdrawn again is published each time', async () => {
  const bench = await settled();
  for (const shown of [false, true, false]) {
    bench.made.show(3, shown);
    await bench.sweep();
    bench.made.world.clock.pass(60 * 60 * 1000);
  }
  expect(found(bench).map(([kind]) => kind)).toEqual([
    'panel.withdrawn',
    'panel.published',
    'panel.withdrawn',
  ]);
});

test('a catalogue that asks to wait is not asked again before that time', async () => {
  const bench = await settled();
  const { clock } = bench.made.world;
  const until = clock.now() + 60_000;
  const busy = {
    ...bench.made.catalogue,
    listPanels: async () => {
      throw new CatalogueError({
        condition: 'NOT_BEFORE',
        action: 'Listing the panels',
        seen: 'HTTP 429',
        status: 429,
        notBefore: until,
      });
    },
  };
  expect(await bench.sweep({ catalogue: busy })).toMatchObject({ outcome: 'postponed', notBefore: until });
  const pages = bench.made.listingPages.count;
  expect(await bench.sweep()).toMatchObject({ outcome: 'postponed', notBefore: until });
  expect(bench.made.listingPages.count).toBe(pages);
  clock.pass(60_000);
  expect((await bench.sweep()).outcome).toBe('quiet');
});

describe('a listing that is interrupted is read on by the next sweep', () => {
  const tooManyRequests = (notBefore: number) =>
    new CatalogueError({
      condition: 'NOT_BEFORE',
      action: 'Listing the panels',
      seen: 'HTTP 429',
      status: 429,
      notBefore,
    });

  /** Pages asked for by each of some sweeps, and how they ended. */
  async function sweeps(bench: Awaited<ReturnType<typeof settled>>, given: object, times: number) {
    const ended: [outcome: string, pages: number][] = [];
    for (let sweep = 0; sweep < times; sweep += 1) {
      const before = bench.made.listingPages.count;
      const { outcome } = await bench.sweep(given);
      ended.push([outcome, bench.made.listingPages.count - before]);
      bench.made.world.clock.pass(60_000);
    }
    return ended;
  }

  test('after a 429 that asks for a long wait', async () => {
    const bench = await settled();
    bench.made.setVersion(bench.panel, '2.0');
    const { clock } = bench.made.world;
    let pages = 0;
    bench.made.betweenPages = () => {
      pages += 1;
      if (pages === 4) throw tooManyRequests(clock.now() + 90_000);
    };
    expect(await sweeps(bench, {}, 4)).toEqual([
      ['postponed', 3],
      ['postponed', 0],
      ['published', 1],
      ['quiet', 4],
    ]);
    expect(found(bench)).toHaveLength(1);
  });

  test('after as many requests as a sweep may send', async () => {
    const bench = await settled();
    bench.made.setVersion(bench.panel, '2.0');
    expect(await sweeps(bench, { listingRequests: 2 }, 4)).toEqual([
      ['interrupted', 2],
      ['published', 2],
      ['interrupted', 2],
      ['quiet', 2],
    ]);
  });

  test('after an error, and from its beginning where that is more than a day ago', async () => {
    const bench = await settled();
    let fails = true;
    bench.made.betweenPages = () => {
      if (fails && bench.made.listingPages.count % 4 === 3) {
        throw new CatalogueError({ condition: 'UNAVAILABLE', action: 'Listing', seen: 'HTTP 503' });
      }
    };
    await expect(bench.sweep()).rejects.toMatchObject({ code: 'CATALOGUE_UNAVAILABLE' });
    fails = false;
    bench.made.world.clock.pass(26 * 60 * 60 * 1000);
    expect(await sweeps(bench, {}, 1)).toEqual([['quiet', 4]]);
  });

  test('before the first sweep has ended', async () => {
    const bench = createSweepBench();
    for (let id = 1; id <= 7; id += 1) bench.world.addPanel(id, `Panel ${id}`);
    expect((await bench.sweep({ listingRequests: 3 })).outcome).toBe('interrupted');
    expect(await bench.sweep({ listingRequests: 3 })).toMatchObject({ outcome: 'baseline', regions: 7 });
  });

  test('and anew where it changed meanwhile', async () => {
    const bench = await settled();
    await sweeps(bench, { listingRequests: 1 }, 1);
    bench.made.addPanel(8, 'A new panel');
    expect(await sweeps(bench, {}, 1)).toEqual([['published', 5]]);
    expect(found(bench)).toMatchObject([['panel.published', 8, {}]]);
  });
});

test('where the log cannot be read to its end, the differences wait for the next sweep', async () => {
  const bench = await settled();
  bench.made.setVersion(bench.panel, '2.0');
  expect((await bench.sweep({ readLog: async () => ({ complete: false, searching: false }) })).outcome).toBe(
    'log-unread',
  );
  expect(found(bench)).toEqual([]);
  expect((await bench.sweep()).outcome).toBe('published');
});

test('of two sweeps at once, one publishes and the other stops before it has', async () => {
  const bench = await settled();
  bench.made.setVersion(bench.panel, '2.0');
  const sweeps = await Promise.allSettled([bench.sweep(), bench.sweep()]);
  expect(sweeps.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(bench.accepted.filter(({ topic }) => topic === 'promotions')).toHaveLength(1);
});
