import { describe, expect, test } from 'vitest';
import { minutes, parseInstant } from '../../lambdas/clock/instant.ts';
import { createBench, textsOf } from './run.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

describe('a first poll', () => {
  test('bookmarks the newest row and publishes nothing', async () => {
    const { world, poll, newEvents } = createBench();
    for (let index = 0; index < 35; index++)
      world.write(comment(`old ${index}`), { at: noon - minutes(index) });
    expect((await poll()).outcome).toBe('begun');
    expect(newEvents()).toStrictEqual([]);
    world.write(comment('new'));
    await poll();
    expect(textsOf(newEvents())).toStrictEqual([comment('new')]);
  });

  test('publishes every row since the time it is given, inclusively', async () => {
    const { world, poll, newEvents } = createBench();
    for (let index = 0; index < 35; index++)
      world.write(comment(`row ${index}`), { at: noon - minutes(index) });
    await poll({ from: noon - minutes(12) });
    expect(textsOf(newEvents())).toStrictEqual(
      Array.from({ length: 13 }, (_, index) => comment(`row ${12 - index}`)),
    );
    await poll();
    expect(newEvents()).toStrictEqual([]);
  });

  test('learns ratings from older rows without publishing them', async () => {
    const { world, poll, newEvents } = createBench();
    world.write('Classified gene: BRCA1 as Amber List (moderate evidence)', { at: noon - minutes(5000) });
    for (let index = 1; index < 80; index++)
      world.write(comment(`old ${index}`), { at: noon - minutes(index * 20) });
    await poll({ learnSince: 0n });
    expect(newEvents()).toStrictEqual([]);
    world.clock.pass(60_000);
    world.write('Gene: brca1 has been classified as Green List (High Evidence).');
    world.write('Classified gene: BRCA1 as Green List (high evidence)');
    world.clock.pass(60_000);
    await poll();
    expect(newEvents()).toMatchObject([
      { data: { change: { from: 'amber', to: 'green', direction: 'upgraded' }, activities: [{}, {}] } },
    ]);
  });

  test('with a start learns from rows before it, and publishes those after', async () => {
    const { world, poll, newEvents } = createBench();
    world.write('Classified gene: BRCA1 as Red List (low evidence)', { at: noon - minutes(60) });
    world.write('Classified gene: BRCA1 as Green List (high evidence)', { at: noon - minutes(30) });
    await poll({ from: noon - minutes(40), learnSince: noon - minutes(100) });
    expect(newEvents()).toMatchObject([
      { data: { change: { from: 'red', to: 'green', direction: 'upgraded' } } },
    ]);
  });

  test.each([
    ['from', 'it is to be published since 2036-01-31T12:00:00.000000Z'],
    ['learnSince', 'it is to be learnt from since 2036-01-31T12:00:00.000000Z'],
  ])('refuses to start in the future: %s', async (option, words) => {
    const { world, poll, table } = createBench();
    world.write(comment('old'));
    const inTenYears = parseInstant('2036-01-31T12:00:00Z') ?? 0n;
    await expect(poll({ [option]: inTenYears })).rejects.toMatchObject({
      code: 'START_WRONG',
      message: expect.stringContaining(words),
    });
    expect(table.position).toBeNull();
    await poll({ [option]: noon + minutes(5) });
    expect(table.position, 'clocks may differ by minutes').not.toBeNull();
  });

  test('fails on an empty log, where it has no row to start from', async () => {
    const { poll } = createBench();
    await expect(poll()).rejects.toMatchObject({
      code: 'LOG_EMPTY',
      message: expect.stringContaining('--from'),
    });
  });
});

describe('a position in the log of one catalogue', () => {
  test('is refused for another catalogue, and its recorded chunk is not published', async () => {
    const { world, poll, table, newEvents, accepted } = createBench({
      step: async (name) => {
        if (name === 'publish before' && accepted.length === 0) throw new Error('died');
      },
    });
    world.write(comment('old'));
    await poll();
    world.clock.pass(1000);
    world.write(comment('new'));
    await expect(poll()).rejects.toThrow('died');
    const other = { ...world, now: world.now, url: 'https://other.example/api/v1/' };
    await expect(poll({ catalogue: other })).rejects.toMatchObject({
      code: 'CATALOGUE_CHANGED',
      message: expect.stringContaining('it was begun for http://127.0.0.1/api/v1/'),
    });
    expect(newEvents()).toStrictEqual([]);
    expect(table.pending).not.toBeNull();
  });

  test('without an address, as an early version wrote it, goes on', async () => {
    const { world, poll, table, newEvents } = createBench();
    world.write(comment('old'));
    await poll();
    if (table.position) table.position = { ...table.position, source: null };
    world.clock.pass(1000);
    world.write(comment('new'));
    await poll();
    expect(textsOf(newEvents())).toStrictEqual([comment('new')]);
  });
});

describe('a poll', () => {
  const begun = async (options = {}) => {
    const bench = createBench(options);
    for (let index = 0; index < 40; index++) {
      bench.world.write(comment(`old ${index}`), { at: noon - minutes(index + 1) });
    }
    await bench.poll();
    bench.world.clock.pass(1000);
    return bench;
  };

  test('that finds nothing new makes one request, one read and no write', async () => {
    const steps: string[] = [];
    const bench = await begun({
      pageSize: 20,
      step: async (name: string) => {
        steps.push(name);
      },
    });
    steps.length = 0;
    bench.world.asked.length = 0;
    expect((await bench.poll()).outcome).toBe('quiet');
    expect(steps).toStrictEqual(['load before', 'load after']);
    expect(bench.world.asked).toStrictEqual([1]);
  });

  test('publishes a row that appears late, within the overlap', async () => {
    const { world, poll, newEvents } = await begun();
    world.write(comment('late'), { at: noon - minutes(10) });
    await poll();
    expect(newEvents()).toMatchObject([{ data: { late: true, activities: [{ text: comment('late') }] } }]);
    await poll();
    expect(newEvents()).toStrictEqual([]);
  });

  test('publishes all rows of one instant, across pages', async () => {
    const { world, poll, newEvents } = await begun();
    const tied = Array.from({ length: 33 }, (_, index) => comment(`tied ${index}`));
    for (const text of tied) world.write(text, { at: world.now });
    world.clock.pass(60_000);
    for (let polls = 0; polls < 12; polls++) await poll();
    expect(textsOf(newEvents()).sort()).toStrictEqual([...tied].sort());
  });

  test('publishes the row that moved to the page before, because another vanished', async () => {
    const { world, poll, newEvents } = await begun();
    const written = Array.from({ length: 25 }, (_, index) => {
      world.clock.pass(1000);
      return world.write(comment(`new ${index}`), { panel_id: index === 20 ? 99 : 12 });
    });
    let requests = 0;
    world.between = () => {
      requests += 1;
      if (requests === 2) world.hidden.add(99);
    };
    await poll();
    expect(textsOf(newEvents())).toStrictEqual(
      expect.arrayContaining(written.filter(({ row }) => row.panel_id !== 99).map(({ row }) => row.text)),
    );
  });

  test('publishes a row once that is on two pages, because one was added between the requests', async () => {
    const { world, poll, newEvents } = await begun();
    for (let index = 0; index < 25; index++) {
      world.clock.pass(1000);
      world.write(comment(`new ${index}`));
    }
    world.between = () => {
      world.clock.pass(100);
      world.write(comment(`between ${world.asked.length}`));
    };
    await poll();
    world.between = () => {};
    await poll();
    const texts = textsOf(newEvents());
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(world.rows.length - 40);
  });

  test('publishes two rows that are equal in every field once', async () => {
    const { world, poll, newEvents } = await begun();
    const { at } = world.write(comment('twice'));
    world.write(comment('twice'), { at });
    await poll();
    await poll();
    expect(textsOf(newEvents())).toStrictEqual([comment('twice')]);
  });

  test('publishes a row from the future once, and keeps the mark at the present', async () => {
    const { world, poll, newEvents, table } = await begun();
    world.write(comment('tomorrow'), { at: world.now + minutes(1440) });
    expect((await poll()).anomalies).toStrictEqual(['rows-from-the-future']);
    expect(table.position?.mark).toBe(world.now);
    world.clock.pass(60_000);
    world.write(comment('now'));
    await poll();
    await poll();
    expect(textsOf(newEvents())).toStrictEqual([comment('tomorrow'), comment('now')]);
  });

  test.each([
    ['without created', { created: undefined }],
    ['with a null', { created: null }],
    ['with a text for a time', { created: 'yesterday' }],
    ['from the year 1', { created: '0001-01-01T00:00:00Z' }],
    ['from the year 9999', { created: '9999-12-31T23:59:59Z' }],
    ['with a version that became a number', { panel_version: 3.1 }],
  ])('publishes a row %s as invalid, and goes on', async (_what, fault) => {
    const { world, poll, newEvents } = await begun();
    world.write(comment('before'));
    world.clock.pass(1000);
    world.write(comment('bad'), fault as object);
    world.clock.pass(1000);
    world.write(comment('after'));
    expect(await poll()).toMatchObject({ activities: 3, quarantined: 1 });
    const events = newEvents();
    expect(textsOf(events).sort()).toStrictEqual([comment('after'), comment('bad'), comment('before')]);
    const aside = events.filter(({ type }) => type === 'gene-panel.activity.unclassified.v1');
    expect(aside).toHaveLength(1);
    expect(aside[0]).toMatchObject({
      data: { change: { reason: 'invalid-row', row: { text: comment('bad') } } },
    });
    await poll();
    expect(newEvents()).toStrictEqual([]);
  });

  test('fails on a log without a valid row, and keeps the mark', async () => {
    const { world, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    for (const written of world.rows) Object.assign(written.row, { panel_id: 'x' });
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(table.position?.mark).toBe(mark);
  });

  test('fails on a log that is suddenly empty, and keeps the mark', async () => {
    const { world, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    world.hidden.add(12);
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_EMPTY' });
    expect(table.position?.mark).toBe(mark);
  });

  test('warns of a log that has lost many rows, or whose newest row is older than the mark', async () => {
    const { world, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    world.rows.splice(20);
    world.rows.shift();
    expect((await poll()).anomalies).toStrictEqual(['log-behind-mark', 'log-shrunken']);
    expect(table.position?.mark).toBe(mark);
    world.write(comment('restored'));
    expect(await poll()).toMatchObject({ activities: 1 });
  });

  test('without a usable count still reads every row', async () => {
    const { world, poll, newEvents } = await begun();
    const activities = world.activities;
    world.activities = async (number) => {
      const page = await activities(number);
      return page && { ...page, count: null };
    };
    for (let index = 0; index < 95; index++) {
      world.clock.pass(1000);
      world.write(comment(`new ${index}`));
    }
    await poll();
    expect(textsOf(newEvents())).toHaveLength(95);
  });

  test('of a server that gives the same page for every number fails after four requests', async () => {
    const { world, poll, newEvents } = await begun();
    for (let index = 0; index < 10; index++)
      world.write(comment(`new ${index}`), { at: world.now + BigInt(index) });
    const first = await world.activities(1);
    world.activities = async (number) => {
      world.asked.push(number);
      return first && { ...first, page: number, hasNext: true };
    };
    world.asked.length = 0;
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(newEvents()).toHaveLength(0);
    expect(world.asked).toStrictEqual([1, 3, 1, 3]);
  });

  test.each([7, 50, 1000])('loses nothing when the page size becomes %i', async (size) => {
    const { world, poll, newEvents } = await begun();
    for (let index = 0; index < 120; index++) {
      world.clock.pass(100);
      world.write(comment(`new ${index}`));
    }
    world.pageSize = size;
    await poll();
    expect(textsOf(newEvents())).toHaveLength(120);
  });

  test('reads a backlog of many pages oldest first, with checkpoints, in few requests', async () => {
    const { world, poll, newEvents, table } = await begun();
    for (let index = 0; index < 995; index++) {
      world.clock.pass(60_000);
      world.write(comment(`new ${index}`));
    }
    world.asked.length = 0;
    const marks: bigint[] = [];
    await poll({ onPublished: () => marks.push(table.position?.mark ?? 0n) });
    expect(textsOf(newEvents())).toStrictEqual(
      Array.from({ length: 995 }, (_, index) => comment(`new ${index}`)),
    );
    expect(marks.length).toBeGreaterThan(15);
    expect([...marks].sort((one, other) => Number(one - other))).toStrictEqual(marks);
    expect(world.asked.length).toBeLessThan(101 + 20);
  });

  test('publishes rows of one instant around the page where a backlog begins, although rows are added', {
    tags: 'slow',
  }, async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { world, poll, accepted } = createBench({ seed, pageSize: 8 });
      world.write(comment('old'));
      await poll();
      for (let index = 0; index < 60; index++) {
        if (index < 3 || index > 9) world.clock.pass(1000);
        world.write(comment(`${index}`));
      }
      let busy = true;
      world.between = () => {
        for (let rows = busy ? world.random() * 4 : 0; rows > 1; rows--)
          world.write(comment(`${world.rows.length}`));
        world.clock.pass(100);
      };
      for (let polls = 0; polls < 30; polls++) {
        busy = polls < 3;
        world.clock.pass(1000);
        world.write(comment(`${world.rows.length}`));
        await poll({ overlap: 0n });
      }
      const published = new Set(textsOf(accepted.map(({ body }) => JSON.parse(body))));
      const lost = world.rows.slice(1).filter(({ row }) => !published.has(row.text));
      expect({ seed, lost: lost.map(({ row }) => row.text) }).toStrictEqual({ seed, lost: [] });
    }
  });

  test('stops after a chunk when its time is over, and the next one goes on', async () => {
    const { world, poll, newEvents } = await begun();
    for (let index = 0; index < 300; index++) {
      world.clock.pass(1000);
      world.write(comment(`new ${index}`));
    }
    const deadline = world.clock.now() + 5;
    const report = await poll({ deadline, onPublished: () => world.clock.pass(1) });
    expect(report.outcome).toBe('out-of-time');
    expect(report.activities).toBeLessThan(300);
    await poll();
    expect(textsOf(newEvents())).toStrictEqual(
      Array.from({ length: 300 }, (_, index) => comment(`new ${index}`)),
    );
  });

  test('publishes unknown wordings, and counts them by shape', async () => {
    const { world, poll, newEvents, table } = await begun();
    world.write('Imprinting for BRCA1 was set to Maternal');
    world.write('Imprinting for BRCA1 was set to Paternal', { at: world.now + 1n });
    world.clock.pass(1000);
    await poll();
    expect(newEvents()).toMatchObject([
      { type: 'gene-panel.activity.unclassified.v1', data: { change: { reason: 'unknown-text' } } },
      { type: 'gene-panel.activity.unclassified.v1', data: { change: { reason: 'unknown-text' } } },
    ]);
    expect([...table.shapes.values()]).toMatchObject([
      { shape: 'Imprinting for ⟨entity⟩ was set to …', count: 2 },
    ]);
  });

  test('after a week without polls goes on at its mark', async () => {
    const { world, poll, newEvents } = await begun();
    for (let day = 0; day < 7; day++) {
      world.clock.pass(86_400_000);
      world.write(comment(`day ${day}`));
    }
    await poll();
    expect(textsOf(newEvents())).toHaveLength(7);
  });

  test.each([-86_400_000, 3_600_000])('with a clock that is wrong by %i ms loses nothing', async (skew) => {
    const { world, poll, newEvents, table } = await begun();
    const clock = { ...world.clock, now: () => world.clock.now() + skew };
    world.write(comment('one'));
    await poll({ clock });
    world.clock.pass(60_000);
    world.write(comment('two'));
    await poll({ clock });
    expect(textsOf(newEvents())).toStrictEqual([comment('one'), comment('two')]);
    expect(table.position?.mark).toBe(world.now);
  });
});
