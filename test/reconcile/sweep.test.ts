import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import {
  nextMajor,
  nextMinor,
  regionNamed,
  type SimulatedCatalogue,
  type SimulatedPanel,
} from './simulated-catalogue.ts';
import { createSweepHarness, type SweepHarness } from './sweep-harness.ts';

/** A catalogue of seven panels whose log and listings were read once. */
async function settled(): Promise<
  SweepHarness & { readonly panel: SimulatedPanel; readonly catalogue: SimulatedCatalogue }
> {
  const harness = createSweepHarness();
  const { catalogue } = harness;
  for (let id = 1; id <= 7; id += 1) catalogue.addPanel(id, `Panel ${id}`);
  const panel = catalogue.panels.get(3);
  if (!panel) throw new Error('the catalogue has no panel 3');
  for (const each of catalogue.panels.values()) catalogue.write(each, 'promoted panel to version 1.0');
  await harness.poll();
  expect((await harness.sweep()).outcome).toBe('baseline');
  catalogue.log.clock.pass(60 * 60 * 1000);
  return { ...harness, panel };
}

/** Kind, panel and change of each event that comparing found. */
const found = ({ listed }: SweepHarness) =>
  listed().map(({ type, data }) => [
    type.slice('gene-panel.'.length, -'.v1'.length),
    data.entity?.name ?? data.panel?.id,
    data.change,
  ]);

test('the first sweep only remembers what is listed', async () => {
  const harness = await settled();
  expect(found(harness)).toEqual([]);
});

test('a quiet sweep reads each listing once, publishes nothing and writes nothing', async () => {
  const harness = await settled();
  const pages = harness.catalogue.listingPages.count;
  const writes: string[] = [];
  const documents = { load: harness.documents.load, save: async (name: string) => writes.push(name) };
  const report = await harness.sweep({ documents });
  expect(report).toMatchObject({ outcome: 'quiet', panels: 7, regions: 7, events: {} });
  expect(harness.catalogue.listingPages.count - pages).toBe(4);
  expect(writes).toEqual([]);
});

describe('a change without a row is published once', () => {
  const cases: Readonly<
    Record<
      string,
      readonly [change: (panel: SimulatedPanel, catalogue: SimulatedCatalogue) => void, ...events: unknown[]]
    >
  > = {
    'a promotion': [
      (panel, catalogue) => catalogue.setVersion(panel, nextMajor(panel.listed.version)),
      ['panel.promoted', 3, { version: '2.0', previousVersion: '1.3', via: 'listing' }],
    ],
    'a new minor version': [
      (panel, catalogue) => catalogue.setVersion(panel, nextMinor(panel.listed.version)),
      ['panel.changed', 3, { changes: [{ field: 'version', from: '1.3', to: '1.4' }], via: 'listing' }],
    ],
    'a withdrawn panel': [
      (panel, catalogue) => catalogue.show(panel.id, false),
      ['panel.withdrawn', 3, { via: 'listing' }],
    ],
    'a new panel': [
      (_panel, catalogue) => catalogue.addPanel(8, 'Panel 8'),
      ['panel.published', 8, { via: 'listing' }],
    ],
    'the type of signed-off panels, which is no sign-off': [
      ({ listed }) => listed.types.push({ name: 'GMS signed-off', slug: 'gms-signed-off', description: '' }),
      [
        'panel.changed',
        3,
        {
          changes: [{ field: 'types', from: ['Rare disease'], to: ['GMS signed-off', 'Rare disease'] }],
          via: 'listing',
        },
      ],
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
      const harness = await settled();
      change(harness.panel, harness.catalogue);
      expect((await harness.sweep()).outcome).toBe('published');
      expect(found(harness)).toEqual(events);
      expect((await harness.sweep()).outcome).toBe('quiet');
      expect(found(harness)).toEqual(events);
    });
  }

  test('every other field of a region, as one event', async () => {
    const harness = await settled();
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
    Object.assign(harness.panel.held[0] ?? {}, region);
    await harness.sweep();
    const [[kind, , change] = [], ...more] = found(harness);
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
    expect((await harness.sweep()).outcome).toBe('quiet');
  });

  test('a region that appeared, with its rating and tags', async () => {
    const harness = await settled();
    harness.panel.held.push({ ...regionNamed('ISCA-9-Gain'), confidence_level: '3', tags: ['watchlist'] });
    await harness.sweep();
    expect(found(harness)).toMatchObject([
      ['entity.added', 'ISCA-9-Gain', { rating: 'green', via: 'listing' }],
      ['entity.classified', 'ISCA-9-Gain', { from: null, to: 'green', direction: 'new' }],
      ['entity.tags-changed', 'ISCA-9-Gain', { added: ['watchlist'] }],
    ]);
  });
});

test('a change with a row that the log undoes after the listing was read is left to the log', async () => {
  const harness = await settled();
  const { catalogue, panel } = harness;
  const rename = (name: string): void => {
    catalogue.write(panel, `Panel name changed from ${panel.listed.name} to ${name}`);
    panel.listed.name = name;
  };
  rename('Renamed');
  catalogue.log.clock.pass(60_000);
  let pages = 0;
  catalogue.betweenPages = () => {
    pages += 1;
    catalogue.log.clock.pass(2_000);
    // The panels are on two pages, the regions on two more.
    if (pages === 3) rename('Panel 3');
  };
  expect((await harness.sweep()).outcome).toBe('explained');
  catalogue.betweenPages = () => {};
  expect((await harness.sweep()).outcome).toBe('quiet');
  expect(found(harness)).toEqual([]);
});

test('the differences of a panel that got a version between the two listings wait for the next sweep', async () => {
  const harness = await settled();
  const { catalogue, panel } = harness;
  let pages = 0;
  catalogue.betweenPages = () => {
    pages += 1;
    const [region] = panel.held;
    if (pages !== 3 || !region) return;
    catalogue.setVersion(panel, '1.4');
    region.confidence_level = '3';
  };
  expect((await harness.sweep()).outcome).toBe('explained');
  catalogue.betweenPages = () => {};
  expect(found(harness)).toEqual([]);
  expect((await harness.sweep()).outcome).toBe('published');
  expect(harness.listed().map(({ type, data }) => [type, data.panel?.version])).toEqual([
    ['gene-panel.panel.changed.v1', '1.4'],
    ['gene-panel.entity.classified.v1', '1.4'],
  ]);
});

test('another order of a list is no change', async () => {
  const harness = await settled();
  const [region] = harness.panel.held;
  region?.phenotypes.unshift('Epilepsy');
  harness.panel.listed.relevant_disorders.push('R99');
  harness.panel.listed.types.push({ name: 'Cancer', slug: 'cancer', description: '' });
  await harness.sweep();
  const before = found(harness).length;
  region?.phenotypes.reverse();
  harness.panel.listed.relevant_disorders.reverse();
  harness.panel.listed.types.reverse();
  expect((await harness.sweep()).outcome).toBe('quiet');
  expect(found(harness)).toHaveLength(before);
});

describe('a change with a row is left to the log', () => {
  const cases: Readonly<Record<string, (panel: SimulatedPanel, catalogue: SimulatedCatalogue) => void>> = {
    'a promotion': (panel, catalogue) => {
      catalogue.setVersion(panel, '2.0');
      catalogue.write(panel, 'promoted panel to version 2.0');
    },
    'a promotion with edits after it': (panel, catalogue) => {
      catalogue.setVersion(panel, '2.0');
      catalogue.write(panel, 'promoted panel to version 2.0');
      catalogue.setVersion(panel, '2.1');
      catalogue.write(panel, 'removed gene:BRCA1 from the panel');
      panel.genes -= 1;
    },
    'a new name': (panel, catalogue) => {
      panel.listed.name = 'Renamed';
      catalogue.setVersion(panel, '1.4');
      catalogue.write(panel, 'Panel name changed from Panel 3 to Renamed');
    },
    'new types': (panel, catalogue) => {
      panel.listed.types = [{ name: 'Cancer', slug: 'cancer', description: '' }];
      catalogue.setVersion(panel, '1.4');
      catalogue.write(panel, 'Panel types changed to Cancer');
    },
    'a rating and a tag of a region': (panel, catalogue) => {
      const region = panel.held[0];
      if (!region) throw new Error('panel 3 holds no region');
      region.confidence_level = '3';
      region.tags.push('watchlist');
      catalogue.setVersion(panel, '1.4');
      const entity = { item_type: 'entity', entity_name: region.entity_name, entity_type: 'region' };
      catalogue.write(
        panel,
        'Region: isca-3-loss has been classified as Green List (High Evidence).',
        entity,
      );
      catalogue.write(panel, 'Classified Region: ISCA-3-Loss as Green List (high evidence)', entity);
      catalogue.write(panel, 'Tag watchlist tag was added to Region: ISCA-3-Loss.', entity);
    },
  };
  for (const [title, change] of Object.entries(cases)) {
    test(title, async () => {
      const harness = await settled();
      change(harness.panel, harness.catalogue);
      expect((await harness.sweep()).outcome).toBe('explained');
      expect(found(harness)).toEqual([]);
      expect((await harness.sweep()).outcome).toBe('quiet');
    });
  }
});

test('a sweep never begins with a catalogue: the first poll does, where its settings say', async () => {
  const harness = createSweepHarness();
  const { catalogue } = harness;
  const panel = catalogue.addPanel(3, 'Panel 3');
  const from = instantOf(catalogue.log.clock.now());
  catalogue.log.clock.pass(60_000);
  expect((await harness.sweep()).outcome).toBe('baseline');
  catalogue.write(panel, 'promoted panel to version 1.0');
  catalogue.log.clock.pass(60 * 60 * 1000);
  catalogue.setVersion(panel, nextMajor(panel.listed.version));
  expect((await harness.sweep()).outcome).toBe('log-unread');
  expect(harness.table.position).toBeNull();
  await harness.poll({ from });
  expect(harness.accepted.length).toBeGreaterThan(0);
});

test('a row that shows up after the sweep does not repeat what the sweep published', async () => {
  const harness = await settled();
  harness.catalogue.write(harness.panel, 'Panel status changed from public to internal');
  harness.catalogue.show(3, false);
  await harness.sweep();
  harness.catalogue.log.clock.pass(60 * 60 * 1000);
  harness.catalogue.show(3, true);
  harness.catalogue.write(harness.panel, 'Panel status changed from internal to public');
  await harness.sweep();
  const statuses = [...harness.history.values()].map(({ type, data }) => [type, data.change]);
  expect(statuses).toEqual([
    ['gene-panel.panel.withdrawn.v1', { via: 'listing' }],
    ['gene-panel.panel.published.v1', { via: 'activity' }],
  ]);
});

describe('a listing that cannot be trusted publishes nothing and keeps the stored one', () => {
  const cases: Readonly<Record<string, (harness: Awaited<ReturnType<typeof settled>>) => void>> = {
    empty: ({ catalogue }) => {
      for (const id of catalogue.panels.keys()) catalogue.show(id, false);
    },
    shrunken: ({ catalogue }) => {
      for (const id of [1, 2, 3, 4]) catalogue.show(id, false);
    },
    incomplete: ({ catalogue }) => {
      let pages = 0;
      catalogue.betweenPages = () => {
        pages += 1;
        catalogue.show(1, pages % 2 === 0);
      };
    },
  };
  for (const [refusal, disturb] of Object.entries(cases)) {
    test(refusal, async () => {
      const harness = await settled();
      disturb(harness);
      expect(await harness.sweep()).toMatchObject({ outcome: 'refused', refusal });
      harness.catalogue.betweenPages = () => {};
      for (const id of harness.catalogue.panels.keys()) harness.catalogue.show(id, true);
      expect((await harness.sweep()).outcome).toBe('quiet');
      expect(found(harness)).toEqual([]);
    });
  }
});

test('a panel that is withdrawn without a row, comes back and is withdrawn again is published each time', async () => {
  const harness = await settled();
  for (const shown of [false, true, false]) {
    harness.catalogue.show(3, shown);
    await harness.sweep();
    harness.catalogue.log.clock.pass(60 * 60 * 1000);
  }
  expect(found(harness).map(([kind]) => kind)).toEqual([
    'panel.withdrawn',
    'panel.published',
    'panel.withdrawn',
  ]);
});

test('a catalogue that asks to wait is not asked again before that time', async () => {
  const harness = await settled();
  const { clock } = harness.catalogue.log;
  const until = clock.now() + 60_000;
  const busy = {
    ...harness.catalogue.client,
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
  expect(await harness.sweep({ catalogue: busy })).toMatchObject({ outcome: 'postponed', notBefore: until });
  const pages = harness.catalogue.listingPages.count;
  expect(await harness.sweep()).toMatchObject({ outcome: 'postponed', notBefore: until });
  expect(harness.catalogue.listingPages.count).toBe(pages);
  clock.pass(60_000);
  expect((await harness.sweep()).outcome).toBe('quiet');
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
  async function sweeps(harness: Awaited<ReturnType<typeof settled>>, given: object, times: number) {
    const ended: [outcome: string, pages: number][] = [];
    for (let sweep = 0; sweep < times; sweep += 1) {
      const before = harness.catalogue.listingPages.count;
      const { outcome } = await harness.sweep(given);
      ended.push([outcome, harness.catalogue.listingPages.count - before]);
      harness.catalogue.log.clock.pass(60_000);
    }
    return ended;
  }

  test('after a 429 that asks for a long wait', async () => {
    const harness = await settled();
    harness.catalogue.setVersion(harness.panel, '2.0');
    const { clock } = harness.catalogue.log;
    let pages = 0;
    harness.catalogue.betweenPages = () => {
      pages += 1;
      if (pages === 4) throw tooManyRequests(clock.now() + 90_000);
    };
    expect(await sweeps(harness, {}, 4)).toEqual([
      ['postponed', 3],
      ['postponed', 0],
      // The page before is asked for again: panels may have moved across its end.
      ['published', 2],
      ['quiet', 4],
    ]);
    expect(found(harness)).toHaveLength(1);
  });

  test('after as many requests as a sweep may send', async () => {
    const harness = await settled();
    harness.catalogue.setVersion(harness.panel, '2.0');
    expect(await sweeps(harness, { listingRequests: 2 }, 4)).toEqual([
      ['interrupted', 2],
      ['published', 2],
      ['interrupted', 2],
      ['quiet', 2],
    ]);
  });

  test('after an error, and from its beginning where that is more than a day ago', async () => {
    const harness = await settled();
    let fails = true;
    harness.catalogue.betweenPages = () => {
      if (fails && harness.catalogue.listingPages.count % 4 === 3) {
        throw new CatalogueError({ condition: 'UNAVAILABLE', action: 'Listing', seen: 'HTTP 503' });
      }
    };
    await expect(harness.sweep()).rejects.toMatchObject({ code: 'CATALOGUE_UNAVAILABLE' });
    fails = false;
    harness.catalogue.log.clock.pass(26 * 60 * 60 * 1000);
    expect(await sweeps(harness, {}, 1)).toEqual([['quiet', 4]]);
  });

  test('before the first sweep has ended', async () => {
    const harness = createSweepHarness();
    for (let id = 1; id <= 7; id += 1) harness.catalogue.addPanel(id, `Panel ${id}`);
    expect((await harness.sweep({ listingRequests: 3 })).outcome).toBe('interrupted');
    expect(await harness.sweep({ listingRequests: 3 })).toMatchObject({ outcome: 'baseline', regions: 7 });
  });

  test('and anew where it changed meanwhile', async () => {
    const harness = await settled();
    await sweeps(harness, { listingRequests: 1 }, 1);
    harness.catalogue.addPanel(8, 'A new panel');
    expect(await sweeps(harness, {}, 1)).toEqual([['published', 5]]);
    expect(found(harness)).toMatchObject([['panel.published', 8, {}]]);
  });
});

test('where the log cannot be read to its end, the differences wait for the next sweep', async () => {
  const harness = await settled();
  harness.catalogue.setVersion(harness.panel, '2.0');
  expect(
    (await harness.sweep({ readLog: async () => ({ complete: false, searching: false }) })).outcome,
  ).toBe('log-unread');
  expect(found(harness)).toEqual([]);
  expect((await harness.sweep()).outcome).toBe('published');
});

test('of two sweeps at once, one publishes and the other stops before it has', async () => {
  const harness = await settled();
  harness.catalogue.setVersion(harness.panel, '2.0');
  const sweeps = await Promise.allSettled([harness.sweep(), harness.sweep()]);
  expect(sweeps.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(harness.accepted.filter(({ topic }) => topic === 'promotions')).toHaveLength(1);
});
