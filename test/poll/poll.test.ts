import { describe, expect, test } from 'vitest';
import { minutes, parseInstant } from '../../lambdas/clock/instant.ts';
import { createBench, textsOf } from './run.ts';
import { noon } from './world.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

describe('a first poll', () => {
  test('takes its place at the newest row and tells nothing (fault 24)', async () => {
    const { world, poll, news } = createBench();
    for (let index = 0; index < 35; index++)
      world.write(comment(`old ${index}`), { at: noon - minutes(index) });
    expect((await poll()).outcome).toBe('begun');
    expect(news()).toStrictEqual([]);
    world.write(comment('new'));
    await poll();
    expect(textsOf(news())).toStrictEqual([comment('new')]);
  });

  test('tells everything since the time it was given, inclusively', async () => {
    const { world, poll, news } = createBench();
    for (let index = 0; index < 35; index++)
      world.write(comment(`row ${index}`), { at: noon - minutes(index) });
    await poll({ from: noon - minutes(12) });
    expect(textsOf(news())).toStrictEqual(
      Array.from({ length: 13 }, (_, index) => comment(`row ${12 - index}`)),
    );
    await poll();
    expect(news()).toStrictEqual([]);
  });

  test('learns ratings from older rows without telling them', async () => {
    const { world, poll, news } = createBench();
    world.write('Classified gene: BRCA1 as Amber List (moderate evidence)', { at: noon - minutes(5000) });
    for (let index = 1; index < 80; index++)
      world.write(comment(`old ${index}`), { at: noon - minutes(index * 20) });
    await poll({ learnSince: 0n });
    expect(news()).toStrictEqual([]);
    world.clock.pass(60_000);
    world.write('Gene: brca1 has been classified as Green List (High Evidence).');
    world.write('Classified gene: BRCA1 as Green List (high evidence)');
    world.clock.pass(60_000);
    await poll();
    expect(news()).toMatchObject([
      { data: { change: { from: 'amber', to: 'green', direction: 'upgraded' }, activities: [{}, {}] } },
    ]);
  });

  test('with a start learns from rows before it, and tells those after', async () => {
    const { world, poll, news } = createBench();
    world.write('Classified gene: BRCA1 as Red List (low evidence)', { at: noon - minutes(60) });
    world.write('Classified gene: BRCA1 as Green List (high evidence)', { at: noon - minutes(30) });
    await poll({ from: noon - minutes(40), learnSince: noon - minutes(100) });
    expect(news()).toMatchObject([{ data: { change: { from: 'red', to: 'green', direction: 'upgraded' } } }]);
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

  test('fails on an empty log instead of starting anywhere', async () => {
    const { poll } = createBench();
    await expect(poll()).rejects.toMatchObject({
      code: 'LOG_EMPTY',
      message: expect.stringContaining('--from'),
    });
  });
});

describe('a place in the log of one catalogue', () => {
  test('is none in that of another, and its recorded chunk is not told either', async () => {
    const { world, poll, table, news, accepted } = createBench({
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
    expect(news()).toStrictEqual([]);
    expect(table.pending).not.toBeNull();
  });

  test('that an earlier version took, without an address, goes on', async () => {
    const { world, poll, table, news } = createBench();
    world.write(comment('old'));
    await poll();
    if (table.position) table.position = { ...table.position, source: null };
    world.clock.pass(1000);
    world.write(comment('new'));
    await poll();
    expect(textsOf(news())).toStrictEqual([comment('new')]);
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

  test('without news makes one request, one read and no write', async () => {
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

  test('finds a row that was written late, within the overlap (fault 5)', async () => {
    const { world, poll, news } = await begun();
    world.write(comment('late'), { at: noon - minutes(10) });
    await poll();
    expect(news()).toMatchObject([{ data: { late: true, activities: [{ text: comment('late') }] } }]);
    await poll();
    expect(news()).toStrictEqual([]);
  });

  test('tells all rows of one instant, across page boundaries (faults 1 to 4)', async () => {
    const { world, poll, news } = await begun();
    const tied = Array.from({ length: 33 }, (_, index) => comment(`tied ${index}`));
    for (const text of tied) world.write(text, { at: world.now });
    world.clock.pass(60_000);
    for (let polls = 0; polls < 12; polls++) await poll();
    expect(textsOf(news()).sort()).toStrictEqual([...tied].sort());
  });

  test('finds the row that a vanished row pulled to the page before (fault 9)', async () => {
    const { world, poll, news } = await begun();
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
    expect(textsOf(news())).toStrictEqual(
      expect.arrayContaining(written.filter(({ row }) => row.panel_id !== 99).map(({ row }) => row.text)),
    );
  });

  test('tells a row once that is met on two pages, because one was added between (fault 10)', async () => {
    const { world, poll, news } = await begun();
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
    const texts = textsOf(news());
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(world.rows.length - 40);
  });

  test('tells two rows that are equal in every field once (fault 12)', async () => {
    const { world, poll, news } = await begun();
    const { at } = world.write(comment('twice'));
    world.write(comment('twice'), { at });
    await poll();
    await poll();
    expect(textsOf(news())).toStrictEqual([comment('twice')]);
  });

  test('tells a row from the future once, and does not let the mark pass the present (fault 14)', async () => {
    const { world, poll, news, table } = await begun();
    world.write(comment('tomorrow'), { at: world.now + minutes(1440) });
    expect((await poll()).anomalies).toStrictEqual(['rows-from-the-future']);
    expect(table.position?.mark).toBe(world.now);
    world.clock.pass(60_000);
    world.write(comment('now'));
    await poll();
    await poll();
    expect(textsOf(news())).toStrictEqual([comment('tomorrow'), comment('now')]);
  });

  test.each([
    ['without created', { created: undefined }],
    ['with a null', { created: null }],
    ['with a text for a time', { created: 'yesterday' }],
    ['from the year 1', { created: '0001-01-01T00:00:00Z' }],
    ['from the year 9999', { created: '9999-12-31T23:59:59Z' }],
    ['with a version that became a number', { panel_version: 3.1 }],
  ])('sets a row %s aside and goes on (faults 16, 29)', async (_what, fault) => {
    const { world, poll, news } = await begun();
    world.write(comment('before'));
    world.clock.pass(1000);
    world.write(comment('bad'), fault as object);
    world.clock.pass(1000);
    world.write(comment('after'));
    expect(await poll()).toMatchObject({ activities: 3, quarantined: 1 });
    const events = news();
    expect(textsOf(events).sort()).toStrictEqual([comment('after'), comment('bad'), comment('before')]);
    const aside = events.filter(({ type }) => type === 'gene-panel.activity.unclassified.v1');
    expect(aside).toHaveLength(1);
    expect(aside[0]).toMatchObject({
      data: { change: { reason: 'invalid-row', row: { text: comment('bad') } } },
    });
    await poll();
    expect(news()).toStrictEqual([]);
  });

  test('fails on a page without one good row, and keeps the mark (fault 30)', async () => {
    const { world, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    for (const written of world.rows) Object.assign(written.row, { panel_id: 'x' });
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(table.position?.mark).toBe(mark);
  });

  test('fails on a log that is suddenly empty, and keeps the mark (fault 18)', async () => {
    const { world, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    world.hidden.add(12);
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_EMPTY' });
    expect(table.position?.mark).toBe(mark);
  });

  test('warns of a log that has lost many rows, or whose newest row is older than the mark (faults 19, 34)', async () => {
    const { world, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    world.rows.splice(20);
    world.rows.shift();
    expect((await poll()).anomalies).toStrictEqual(['log-behind-mark', 'log-shrunken']);
    expect(table.position?.mark).toBe(mark);
    world.write(comment('restored'));
    expect(await poll()).toMatchObject({ activities: 1 });
  });

  test('with an unusable count still ends (fault 17)', async () => {
    const { world, poll, news } = await begun();
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
    expect(textsOf(news())).toHaveLength(95);
  });

  test('of a server that gives the same page for ever ends (fault 21)', async () => {
    const { world, poll, news } = await begun();
    for (let index = 0; index < 10; index++)
      world.write(comment(`new ${index}`), { at: world.now + BigInt(index) });
    const first = await world.activities(1);
    world.activities = async (number) => {
      world.asked.push(number);
      return first && { ...first, page: number, hasNext: true };
    };
    world.asked.length = 0;
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(news()).toHaveLength(0);
    expect(world.asked).toStrictEqual([1, 3, 1, 3]);
  });

  test.each([7, 50, 1000])('loses nothing when the page size becomes %i (fault 22)', async (size) => {
    const { world, poll, news } = await begun();
    for (let index = 0; index < 120; index++) {
      world.clock.pass(100);
      world.write(comment(`new ${index}`));
    }
    world.pageSize = size;
    await poll();
    expect(textsOf(news())).toHaveLength(120);
  });

  test('reads a backlog of many pages from its old end, checkpointed, in few requests (fault 23)', async () => {
    const { world, poll, news, table } = await begun();
    for (let index = 0; index < 995; index++) {
      world.clock.pass(60_000);
      world.write(comment(`new ${index}`));
    }
    world.asked.length = 0;
    const marks: bigint[] = [];
    await poll({ onPublished: () => marks.push(table.position?.mark ?? 0n) });
    expect(textsOf(news())).toStrictEqual(Array.from({ length: 995 }, (_, index) => comment(`new ${index}`)));
    expect(marks.length).toBeGreaterThan(15);
    expect([...marks].sort((one, other) => Number(one - other))).toStrictEqual(marks);
    expect(world.asked.length).toBeLessThan(101 + 20);
  });

  test('finds rows of one instant around the page where a backlog begins, though rows are added', async () => {
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
      const told = new Set(textsOf(accepted.map(({ body }) => JSON.parse(body))));
      const lost = world.rows.slice(1).filter(({ row }) => !told.has(row.text));
      expect({ seed, lost: lost.map(({ row }) => row.text) }).toStrictEqual({ seed, lost: [] });
    }
  });

  test('stops at a chunk when its time is over, and the next one goes on (fault 66)', async () => {
    const { world, poll, news } = await begun();
    for (let index = 0; index < 300; index++) {
      world.clock.pass(1000);
      world.write(comment(`new ${index}`));
    }
    const deadline = world.clock.now() + 5;
    const report = await poll({ deadline, onPublished: () => world.clock.pass(1) });
    expect(report.outcome).toBe('out-of-time');
    expect(report.activities).toBeLessThan(300);
    await poll();
    expect(textsOf(news())).toStrictEqual(Array.from({ length: 300 }, (_, index) => comment(`new ${index}`)));
  });

  test('tells wordings that are not known, and counts them by shape (fault 26)', async () => {
    const { world, poll, news, table } = await begun();
    world.write('Imprinting for BRCA1 was set to Maternal');
    world.write('Imprinting for BRCA1 was set to Paternal', { at: world.now + 1n });
    world.clock.pass(1000);
    await poll();
    expect(news()).toMatchObject([
      { type: 'gene-panel.activity.unclassified.v1', data: { change: { reason: 'unknown-text' } } },
      { type: 'gene-panel.activity.unclassified.v1', data: { change: { reason: 'unknown-text' } } },
    ]);
    expect([...table.shapes.values()]).toMatchObject([
      { shape: 'Imprinting for ⟨entity⟩ was set to …', count: 2 },
    ]);
  });

  test('after a week without polls goes on at its mark (fault 68)', async () => {
    const { world, poll, news } = await begun();
    for (let day = 0; day < 7; day++) {
      world.clock.pass(86_400_000);
      world.write(comment(`day ${day}`));
    }
    await poll();
    expect(textsOf(news())).toHaveLength(7);
  });

  test.each([-86_400_000, 3_600_000])(
    'with a clock that is wrong by %i ms loses nothing (fault 69)',
    async (skew) => {
      const { world, poll, news, table } = await begun();
      const clock = { ...world.clock, now: () => world.clock.now() + skew };
      world.write(comment('one'));
      await poll({ clock });
      world.clock.pass(60_000);
      world.write(comment('two'));
      await poll({ clock });
      expect(textsOf(news())).toStrictEqual([comment('one'), comment('two')]);
      expect(table.position?.mark).toBe(world.now);
    },
  );
});
