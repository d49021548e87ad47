import { describe, expect, test } from 'vitest';
import { nextMajor, type SimulatedCatalogue, type SimulatedPanel } from './simulated-catalogue.ts';
import { createSweepHarness, type SweepHarness } from './sweep-harness.ts';

const HOUR = 60 * 60 * 1000;
const PANELS = 60;

/** A catalogue of sixty panels whose log and listings were read once. */
async function settled(): Promise<SweepHarness> {
  const harness = createSweepHarness();
  const { catalogue } = harness;
  for (let id = 1; id <= PANELS; id += 1) catalogue.addPanel(id, `Panel ${id}`);
  for (const each of catalogue.panels.values()) {
    catalogue.write(each, 'promoted panel to version 1.0');
    catalogue.log.clock.pass(1000);
  }
  catalogue.log.clock.pass(HOUR);
  await harness.poll();
  expect((await harness.sweep()).outcome).toBe('baseline');
  catalogue.log.clock.pass(HOUR);
  const { sweep } = harness;
  return { ...harness, sweep: (given) => sweep({ listingRequests: 1000, ...given }) };
}

const someOf = ({ panels }: SimulatedCatalogue, count: number): SimulatedPanel[] =>
  [...panels.values()].slice(0, count);

const listings: Readonly<
  Record<string, readonly [lie: (catalogue: SimulatedCatalogue) => void, kind: string, panels: number]>
> = {
  'no types': [
    (catalogue) => {
      for (const { listed } of someOf(catalogue, 30)) listed.types = [];
    },
    'panel.changed types',
    30,
  ],
  'other names': [
    (catalogue) => {
      for (const { listed } of catalogue.panels.values()) listed.name = `x${listed.name}`;
    },
    'panel.changed name',
    PANELS,
  ],
  'no numbers of genes': [
    (catalogue) => {
      for (const panel of catalogue.panels.values()) panel.genes = 0;
    },
    'panel.changed numberOfGenes',
    PANELS,
  ],
  'versions back to 0.9': [
    (catalogue) => {
      for (const panel of catalogue.panels.values()) catalogue.setVersion(panel, '0.9');
    },
    'panel.changed version',
    PANELS,
  ],
  promotions: [
    (catalogue) => {
      for (const panel of catalogue.panels.values())
        catalogue.setVersion(panel, nextMajor(panel.listed.version));
    },
    'panel.promoted',
    PANELS,
  ],
  'green regions': [
    (catalogue) => {
      for (const { held } of catalogue.panels.values())
        for (const region of held) region.confidence_level = '3';
    },
    'entity.classified',
    PANELS,
  ],
  'a hundred panels more': [
    (catalogue) => {
      for (let id = 1001; id <= 1100; id += 1) catalogue.addPanel(id, `More ${id}`);
    },
    'panel.published',
    100,
  ],
};

describe('a listing in which many panels have the same kind of change publishes nothing', () => {
  test.each(Object.entries(listings))(
    '%s: until a sweep an hour later sees the same',
    async (_what, [lie, kind, panels]) => {
      const harness = await settled();
      lie(harness.catalogue);
      const massChanges = [{ kind, panels }];
      const refused = { outcome: 'refused', refusal: 'mass-change', massChanges };
      expect(await harness.sweep()).toMatchObject(refused);
      harness.catalogue.log.clock.pass(HOUR - 2000);
      expect(await harness.sweep()).toMatchObject(refused);
      expect(harness.listed()).toEqual([]);
      harness.catalogue.log.clock.pass(2000);
      expect(await harness.sweep()).toMatchObject({ outcome: 'published', massChanges: [] });
      expect(harness.listed().length).toBeGreaterThanOrEqual(panels);
      expect((await harness.sweep()).outcome).toBe('quiet');
    },
  );

  test.each(Object.entries(listings))(
    '%s: published at once where a person accepts it',
    async (_what, [lie, , panels]) => {
      const harness = await settled();
      lie(harness.catalogue);
      expect(await harness.sweep({ accept: true })).toMatchObject({ outcome: 'published' });
      expect(harness.listed().length).toBeGreaterThanOrEqual(panels);
    },
  );

  test('nor later, where it was repaired before: what then lies again is seen for the first time', async () => {
    const harness = await settled();
    const types = someOf(harness.catalogue, 30).map(({ listed }) => listed.types);
    for (let lies = 0; lies < 3; lies += 1) {
      for (const { listed } of someOf(harness.catalogue, 30)) listed.types = [];
      expect((await harness.sweep()).refusal).toBe('mass-change');
      harness.catalogue.log.clock.pass(HOUR);
      for (const [index, { listed }] of someOf(harness.catalogue, 30).entries())
        listed.types = types[index] ?? [];
      expect((await harness.sweep()).outcome).toBe('quiet');
      harness.catalogue.log.clock.pass(HOUR);
    }
    expect(harness.listed()).toEqual([]);
  });

  test('nor where an hour later other panels have the same kind of change', async () => {
    const harness = await settled();
    for (const { listed } of someOf(harness.catalogue, 30)) listed.name = `first ${listed.name}`;
    expect((await harness.sweep()).refusal).toBe('mass-change');
    harness.catalogue.log.clock.pass(HOUR);
    for (const { listed } of someOf(harness.catalogue, 30)) listed.name = `second ${listed.name}`;
    expect((await harness.sweep()).refusal).toBe('mass-change');
    expect(harness.listed()).toEqual([]);
  });

  test('but changes of ten panels are published at once, also in a small catalogue', async () => {
    const harness = await settled();
    for (const { listed } of someOf(harness.catalogue, 10)) listed.types = [];
    expect((await harness.sweep({ sameChangePercent: 1 })).outcome).toBe('published');
  });

  test('and what rows of the log explain is no such change', async () => {
    const harness = await settled();
    for (const panel of harness.catalogue.panels.values()) {
      harness.catalogue.setVersion(panel, nextMajor(panel.listed.version));
      harness.catalogue.write(panel, `promoted panel to version ${panel.listed.version}`);
      harness.catalogue.log.clock.pass(1000);
    }
    harness.catalogue.log.clock.pass(HOUR);
    expect((await harness.sweep()).outcome).toBe('explained');
  });
});

test('many new panels that rows of the log explain are no such change', async () => {
  const harness = await settled();
  for (let id = 1001; id <= 1012; id += 1) {
    const panel = harness.catalogue.addPanel(id, `More ${id}`);
    harness.catalogue.write(panel, `Added Panel More ${id}`);
    harness.catalogue.log.clock.pass(1000);
  }
  harness.catalogue.log.clock.pass(HOUR);
  expect((await harness.sweep({ sameChangePercent: 1 })).massChanges).toEqual([]);
});

describe('a renumbered catalogue', () => {
  async function renumbered(): Promise<SweepHarness> {
    const harness = await settled();
    for (const { id, listed } of [...harness.catalogue.panels.values()]) {
      harness.catalogue.panels.delete(id);
      harness.catalogue.addPanel(id + 500, listed.name);
    }
    return harness;
  }

  test('is recognised by the names of its panels, and nothing is published, also not an hour later', async () => {
    const harness = await renumbered();
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      expect(await harness.sweep()).toMatchObject({ outcome: 'refused', refusal: 'renumbered' });
      harness.catalogue.log.clock.pass(2 * HOUR);
    }
    expect(harness.listed()).toEqual([]);
  });

  test('that a person accepts is stored without an event, and compared from then on', async () => {
    const harness = await renumbered();
    expect((await harness.sweep({ accept: true })).outcome).toBe('baseline');
    expect((await harness.sweep()).outcome).toBe('quiet');
    expect(harness.listed()).toEqual([]);
    const panel = harness.catalogue.panels.get(501);
    if (!panel) throw new Error('panel 501 is missing');
    harness.catalogue.setVersion(panel, nextMajor(panel.listed.version));
    expect((await harness.sweep()).outcome).toBe('published');
  });
});

test('many panels that are gone are withdrawn where a person accepts it', async () => {
  const harness = await settled();
  for (const { id } of someOf(harness.catalogue, 31)) harness.catalogue.panels.delete(id);
  expect(await harness.sweep()).toMatchObject({ outcome: 'refused', refusal: 'shrunken' });
  expect((await harness.sweep({ accept: true })).outcome).toBe('published');
  expect(harness.listed()).toHaveLength(31);
});

test('as many panels under other ids and names are gone panels, although their number is the same', async () => {
  const harness = await settled();
  for (const { id } of someOf(harness.catalogue, 40)) {
    harness.catalogue.panels.delete(id);
    harness.catalogue.addPanel(id + 500, `Quite another panel ${id}`);
  }
  expect(await harness.sweep()).toMatchObject({ outcome: 'refused', refusal: 'shrunken' });
  expect(harness.listed()).toEqual([]);
});

test('a listing that is older than the last one publishes nothing until a sweep an hour later sees the same', async () => {
  const harness = await settled();
  const { catalogue } = harness;
  const [panel] = someOf(catalogue, 1);
  const before = structuredClone(panel?.listed);
  if (!panel || !before) throw new Error('the catalogue has no panel');
  catalogue.log.clock.pass(HOUR);
  catalogue.setVersion(panel, nextMajor(before.version));
  await harness.sweep();
  const published = harness.listed().length;
  Object.assign(panel.listed, before);
  expect(await harness.sweep()).toMatchObject({ outcome: 'refused', refusal: 'outdated' });
  catalogue.log.clock.pass(HOUR);
  expect((await harness.sweep()).refusal).toBeNull();
  expect(harness.listed().length).toBeGreaterThan(published);
});
