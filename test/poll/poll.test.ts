import { describe, expect, test } from 'vitest';
import { minutes, parseInstant } from '../../lambdas/run/instant.ts';
import { createSqliteHistory } from '../../lambdas/store/history/sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { createHarness, textsOf } from './poll-harness.ts';
import { noon } from './simulated-log.ts';

const comment = (words: string): string => `commented on gene: BRCA1: ${words}`;

describe('a first poll', () => {
  test('bookmarks the newest row and publishes nothing', async () => {
    const { catalogue, poll, newEvents } = createHarness();
    for (let index = 0; index < 35; index++)
      catalogue.write(comment(`old ${index}`), { at: noon - minutes(index) });
    expect((await poll()).outcome).toBe('begun');
    expect(newEvents()).toStrictEqual([]);
    catalogue.write(comment('new'));
    await poll();
    expect(textsOf(newEvents())).toStrictEqual([comment('new')]);
  });

  test('publishes every row since the time it is given, inclusively', async () => {
    const { catalogue, poll, newEvents } = createHarness();
    for (let index = 0; index < 35; index++)
      catalogue.write(comment(`row ${index}`), { at: noon - minutes(index) });
    await poll({ from: noon - minutes(12) });
    expect(textsOf(newEvents())).toStrictEqual(
      Array.from({ length: 13 }, (_, index) => comment(`row ${12 - index}`)),
    );
    await poll();
    expect(newEvents()).toStrictEqual([]);
  });

  test('learns ratings from older rows without publishing them', async () => {
    const { catalogue, poll, newEvents } = createHarness();
    catalogue.write('Classified gene: BRCA1 as Amber List (moderate evidence)', { at: noon - minutes(5000) });
    for (let index = 1; index < 80; index++)
      catalogue.write(comment(`old ${index}`), { at: noon - minutes(index * 20) });
    await poll({ learnSince: 0n });
    expect(newEvents()).toStrictEqual([]);
    catalogue.clock.pass(60_000);
    catalogue.write('Gene: brca1 has been classified as Green List (High Evidence).');
    catalogue.write('Classified gene: BRCA1 as Green List (high evidence)');
    catalogue.clock.pass(60_000);
    await poll();
    expect(newEvents()).toMatchObject([
      { data: { change: { from: 'amber', to: 'green', direction: 'upgraded' }, activities: [{}, {}] } },
    ]);
  });

  test('with a start learns from rows before it, and publishes those after', async () => {
    const { catalogue, poll, newEvents } = createHarness();
    catalogue.write('Classified gene: BRCA1 as Red List (low evidence)', { at: noon - minutes(60) });
    catalogue.write('Classified gene: BRCA1 as Green List (high evidence)', { at: noon - minutes(30) });
    await poll({ from: noon - minutes(40), learnSince: noon - minutes(100) });
    expect(newEvents()).toMatchObject([
      { data: { change: { from: 'red', to: 'green', direction: 'upgraded' } } },
    ]);
  });

  test.each([
    ['from', 'the poll would publish since 2036-01-31T12:00:00.000000Z'],
    ['learnSince', 'the poll would learn ratings since 2036-01-31T12:00:00.000000Z'],
  ])('refuses to start in the future: %s', async (option, words) => {
    const { catalogue, poll, table } = createHarness();
    catalogue.write(comment('old'));
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
    const { poll } = createHarness();
    await expect(poll()).rejects.toMatchObject({
      code: 'LOG_EMPTY',
      message: expect.stringContaining('--from'),
    });
  });
});

describe('a position in the log of one catalogue', () => {
  test('is refused for another catalogue, and its recorded chunk is not published', async () => {
    const { catalogue, poll, table, newEvents, accepted } = createHarness({
      step: async (name) => {
        if (name === 'publish before' && accepted.length === 0) throw new Error('died');
      },
    });
    catalogue.write(comment('old'));
    await poll();
    catalogue.clock.pass(1000);
    catalogue.write(comment('new'));
    await expect(poll()).rejects.toThrow('died');
    const other = { ...catalogue, now: catalogue.now, url: 'https://other.example/api/v1/' };
    await expect(poll({ catalogue: other })).rejects.toMatchObject({
      code: 'CATALOGUE_CHANGED',
      message: expect.stringContaining('it belongs to http://127.0.0.1/api/v1/'),
    });
    expect(newEvents()).toStrictEqual([]);
    expect(table.pending).not.toBeNull();
  });

  test('is taken over for an address to which the settings say that the catalogue moved', async () => {
    const { catalogue, poll, table, newEvents } = createHarness();
    catalogue.write(comment('old'));
    await poll();
    catalogue.clock.pass(60_000);
    catalogue.write(comment('new'));
    catalogue.clock.pass(60_000);
    const moved = { ...catalogue, now: catalogue.now, url: 'https://other.example/api/v1/' };
    await poll({ catalogue: moved, movedFrom: 'http://127.0.0.1/api/v1/' });
    expect(newEvents()).toHaveLength(1);
    expect(table.position?.source).toBe('https://other.example/api/v1/');
    await poll({ catalogue: moved });
    await expect(poll()).rejects.toMatchObject({ code: 'CATALOGUE_CHANGED' });
  });
});

describe('a poll', () => {
  const begun = async (options = {}) => {
    const harness = createHarness(options);
    for (let index = 0; index < 40; index++) {
      harness.catalogue.write(comment(`old ${index}`), { at: noon - minutes(index + 1) });
    }
    await harness.poll();
    harness.catalogue.clock.pass(1000);
    return harness;
  };

  test('that finds nothing new makes one request, one read and no write', async () => {
    const steps: string[] = [];
    const harness = await begun({
      pageSize: 20,
      step: async (name: string) => {
        steps.push(name);
      },
    });
    steps.length = 0;
    harness.catalogue.asked.length = 0;
    expect((await harness.poll()).outcome).toBe('quiet');
    expect(steps).toStrictEqual(['load before', 'load after']);
    expect(harness.catalogue.asked).toStrictEqual([1]);
  });

  test('that reads the log again and finds nothing new makes no write', async () => {
    const steps: string[] = [];
    const { catalogue, poll } = await begun({
      step: async (name: string) => {
        steps.push(name);
      },
    });
    const { activities } = catalogue;
    catalogue.activities = async (number) => {
      const page = await activities(number);
      return page && { ...page, count: null };
    };
    await poll();
    steps.length = 0;
    catalogue.asked.length = 0;
    expect((await poll()).outcome).toBe('quiet');
    expect(catalogue.asked.length).toBeGreaterThan(1);
    expect(steps).toStrictEqual(['load before', 'load after']);
  });

  test('publishes a row that appears late, within the overlap', async () => {
    const { catalogue, poll, newEvents } = await begun();
    catalogue.write(comment('late'), { at: noon - minutes(10) });
    catalogue.write(comment('in time'));
    expect(await poll()).toMatchObject({ activities: 2, late: 1 });
    expect(newEvents()).toMatchObject([
      { data: { late: true, activities: [{ text: comment('late') }] } },
      { data: { late: false, activities: [{ text: comment('in time') }] } },
    ]);
    await poll();
    expect(newEvents()).toStrictEqual([]);
  });

  test('knows the ratings of earlier chunks', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const published: number[] = [];
    catalogue.write('Classified gene: BRCA1 as Amber List (moderate evidence)');
    for (let index = 0; index < 250; index++) {
      catalogue.clock.pass(60_000);
      catalogue.write(comment(`new ${index}`));
    }
    catalogue.write('Classified gene: BRCA1 as Green List (high evidence)');
    catalogue.clock.pass(60_000);
    await poll({ onPublished: (messages) => published.push(messages.length) });
    expect(published.length).toBeGreaterThan(1);
    expect(newEvents().at(-1)).toMatchObject({
      data: { change: { from: 'amber', to: 'green', direction: 'upgraded' } },
    });
  });

  test('publishes all rows of one instant, across pages', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const tied = Array.from({ length: 33 }, (_, index) => comment(`tied ${index}`));
    for (const text of tied) catalogue.write(text, { at: catalogue.now });
    catalogue.clock.pass(60_000);
    for (let polls = 0; polls < 12; polls++) await poll();
    expect(textsOf(newEvents()).sort()).toStrictEqual([...tied].sort());
  });

  test('publishes the row that moved to the page before, because another vanished', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const written = Array.from({ length: 25 }, (_, index) => {
      catalogue.clock.pass(1000);
      return catalogue.write(comment(`new ${index}`), { panel_id: index === 20 ? 99 : 12 });
    });
    let requests = 0;
    catalogue.between = () => {
      requests += 1;
      if (requests === 2) catalogue.hidden.add(99);
    };
    await poll();
    expect(textsOf(newEvents())).toStrictEqual(
      expect.arrayContaining(written.filter(({ row }) => row.panel_id !== 99).map(({ row }) => row.text)),
    );
  });

  test('publishes a row once that is on two pages, because one was added between the requests', async () => {
    const { catalogue, poll, newEvents } = await begun();
    for (let index = 0; index < 25; index++) {
      catalogue.clock.pass(1000);
      catalogue.write(comment(`new ${index}`));
    }
    catalogue.between = () => {
      catalogue.clock.pass(100);
      catalogue.write(comment(`between ${catalogue.asked.length}`));
    };
    await poll();
    catalogue.between = () => {};
    await poll();
    const texts = textsOf(newEvents());
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts).toHaveLength(catalogue.rows.length - 40);
  });

  test('publishes two rows that are equal in every field once', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const { at } = catalogue.write(comment('twice'));
    catalogue.write(comment('twice'), { at });
    await poll();
    await poll();
    expect(textsOf(newEvents())).toStrictEqual([comment('twice')]);
  });

  test('publishes a row from the future once, and keeps the mark at the present', async () => {
    const { catalogue, poll, newEvents, table } = await begun();
    catalogue.write(comment('tomorrow'), { at: catalogue.now + minutes(1440) });
    expect((await poll()).anomalies).toStrictEqual(['rows-from-the-future']);
    expect(table.position?.mark).toBe(catalogue.now);
    catalogue.clock.pass(60_000);
    catalogue.write(comment('now'));
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
    const { catalogue, poll, newEvents } = await begun();
    catalogue.write(comment('before'));
    catalogue.clock.pass(1000);
    catalogue.write(comment('bad'), fault as object);
    catalogue.clock.pass(1000);
    catalogue.write(comment('after'));
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
    const { catalogue, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    for (const written of catalogue.rows) Object.assign(written.row, { panel_id: 'x' });
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(table.position?.mark).toBe(mark);
  });

  test('fails on a log that is suddenly empty, and keeps the mark', async () => {
    const { catalogue, poll, table } = await begun();
    const { mark } = table.position ?? { mark: 0n };
    catalogue.hidden.add(12);
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_EMPTY' });
    expect(table.position?.mark).toBe(mark);
  });

  test('warns of a log that has lost many rows, or whose newest row is older than the mark', async () => {
    const { catalogue, poll, table } = await begun();
    const history = createSqliteHistory(openStateFile());
    catalogue.write(comment('lost'));
    await poll({ history });
    const { mark } = table.position ?? { mark: 0n };
    catalogue.rows.splice(20);
    expect((await poll({ history })).anomalies).toStrictEqual(['log-behind-mark', 'log-shrunken']);
    expect(table.position?.mark).toBe(mark);
    catalogue.clock.pass(1000);
    catalogue.write(comment('restored'));
    expect(await poll({ history })).toMatchObject({ activities: 1 });
  });

  test('does not say that the log has gone back in time where the panel with the newest rows is hidden', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const history = createSqliteHistory(openStateFile());
    const hide = async (...panels: readonly number[]): Promise<readonly string[]> => {
      for (const panel of panels) catalogue.hidden.add(panel);
      catalogue.clock.pass(60_000);
      return (await poll({ history })).anomalies;
    };
    for (const id of [7, 8, 7, 8]) {
      catalogue.clock.pass(60_000);
      catalogue.write(comment(`of panel ${id}`), { panel_id: id });
      await poll({ history });
    }
    expect(newEvents()).toHaveLength(4);
    expect(await hide(8)).toStrictEqual([]);
    expect(await hide(7)).toStrictEqual([]);
    catalogue.hidden.clear();
    expect(await hide(7, 8)).toStrictEqual([]);
    catalogue.hidden.clear();
    catalogue.rows.pop();
    expect(await hide()).toStrictEqual(['log-behind-mark']);
  });

  test('without a usable count still reads every row', async () => {
    const { catalogue, poll, newEvents } = await begun();
    const activities = catalogue.activities;
    catalogue.activities = async (number) => {
      const page = await activities(number);
      return page && { ...page, count: null };
    };
    for (let index = 0; index < 95; index++) {
      catalogue.clock.pass(1000);
      catalogue.write(comment(`new ${index}`));
    }
    await poll();
    expect(textsOf(newEvents())).toHaveLength(95);
  });

  test('of a server that gives the same page for every number fails after four requests', async () => {
    const { catalogue, poll, newEvents } = await begun();
    for (let index = 0; index < 10; index++)
      catalogue.write(comment(`new ${index}`), { at: catalogue.now + BigInt(index) });
    const first = await catalogue.activities(1);
    catalogue.activities = async (number) => {
      catalogue.asked.push(number);
      return first && { ...first, page: number, hasNext: true };
    };
    catalogue.asked.length = 0;
    await expect(poll()).rejects.toMatchObject({ code: 'LOG_UNREADABLE' });
    expect(newEvents()).toHaveLength(0);
    expect(catalogue.asked).toStrictEqual([1, 3, 1, 3]);
  });

  test.each([7, 50, 1000])('loses nothing when the page size becomes %i', async (size) => {
    const { catalogue, poll, newEvents } = await begun();
    for (let index = 0; index < 120; index++) {
      catalogue.clock.pass(100);
      catalogue.write(comment(`new ${index}`));
    }
    catalogue.pageSize = size;
    await poll();
    expect(textsOf(newEvents())).toHaveLength(120);
  });

  test('reads a backlog of many pages oldest first, with checkpoints, in few requests', async () => {
    const { catalogue, poll, newEvents, table } = await begun();
    for (let index = 0; index < 995; index++) {
      catalogue.clock.pass(60_000);
      catalogue.write(comment(`new ${index}`));
    }
    catalogue.asked.length = 0;
    const marks: bigint[] = [];
    await poll({ onPublished: () => marks.push(table.position?.mark ?? 0n) });
    expect(textsOf(newEvents())).toStrictEqual(
      Array.from({ length: 995 }, (_, index) => comment(`new ${index}`)),
    );
    expect(marks.length).toBeGreaterThan(15);
    expect([...marks].sort((one, other) => Number(one - other))).toStrictEqual(marks);
    expect(catalogue.asked.length).toBeLessThan(101 + 20);
  });

  test('publishes rows of one instant around the page where a backlog begins, although rows are added', {
    tags: 'slow',
  }, async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { catalogue, poll, accepted } = createHarness({ seed, pageSize: 8 });
      catalogue.write(comment('old'));
      await poll();
      for (let index = 0; index < 60; index++) {
        if (index < 3 || index > 9) catalogue.clock.pass(1000);
        catalogue.write(comment(`${index}`));
      }
      let busy = true;
      catalogue.between = () => {
        for (let rows = busy ? catalogue.random() * 4 : 0; rows > 1; rows--)
          catalogue.write(comment(`${catalogue.rows.length}`));
        catalogue.clock.pass(100);
      };
      for (let polls = 0; polls < 30; polls++) {
        busy = polls < 3;
        catalogue.clock.pass(1000);
        catalogue.write(comment(`${catalogue.rows.length}`));
        await poll({ overlap: 0n });
      }
      const published = new Set(textsOf(accepted.map(({ body }) => JSON.parse(body))));
      const lost = catalogue.rows.slice(1).filter(({ row }) => !published.has(row.text));
      expect({ seed, lost: lost.map(({ row }) => row.text) }).toStrictEqual({ seed, lost: [] });
    }
  });

  test('stops after a chunk when its time is over, and the next one goes on', async () => {
    const { catalogue, poll, newEvents } = await begun();
    for (let index = 0; index < 300; index++) {
      catalogue.clock.pass(1000);
      catalogue.write(comment(`new ${index}`));
    }
    const deadline = catalogue.clock.now() + 5;
    const report = await poll({ deadline, onPublished: () => catalogue.clock.pass(1) });
    expect(report.outcome).toBe('out-of-time');
    expect(report.activities).toBeLessThan(300);
    await poll();
    expect(textsOf(newEvents())).toStrictEqual(
      Array.from({ length: 300 }, (_, index) => comment(`new ${index}`)),
    );
  });

  test('counts the older rows with its first chunk, although it ends before the last one', async () => {
    const { catalogue, poll, table } = createHarness();
    for (let index = 1; index <= 40; index++)
      catalogue.write(comment(`old ${index}`), { at: noon - minutes(60 + index) });
    for (let index = 0; index < 300; index++) {
      catalogue.clock.pass(1000);
      catalogue.write(comment(`new ${index}`));
    }
    const deadline = catalogue.clock.now() + 1;
    const report = await poll({ from: noon, deadline, onPublished: () => catalogue.clock.pass(1) });
    expect(report).toMatchObject({ outcome: 'out-of-time', count: 340 });
    expect(table.position?.older).toMatchObject({ count: 40, surfaced: 0, vanished: 0 });
  });

  test('publishes unknown wordings, and counts them by shape', async () => {
    const { catalogue, poll, newEvents, table } = await begun();
    catalogue.write('Imprinting for BRCA1 was set to Maternal');
    catalogue.write('Imprinting for BRCA1 was set to Paternal', { at: catalogue.now + 1n });
    catalogue.clock.pass(1000);
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
    const { catalogue, poll, newEvents } = await begun();
    for (let day = 0; day < 7; day++) {
      catalogue.clock.pass(86_400_000);
      catalogue.write(comment(`day ${day}`));
    }
    await poll();
    expect(textsOf(newEvents())).toHaveLength(7);
  });

  test.each([-86_400_000, 3_600_000])('with a clock that is wrong by %i ms loses nothing', async (skew) => {
    const { catalogue, poll, newEvents, table } = await begun();
    const clock = { ...catalogue.clock, now: () => catalogue.clock.now() + skew };
    catalogue.write(comment('one'));
    await poll({ clock });
    catalogue.clock.pass(60_000);
    catalogue.write(comment('two'));
    await poll({ clock });
    expect(textsOf(newEvents())).toStrictEqual([comment('one'), comment('two')]);
    expect(table.position?.mark).toBe(catalogue.now);
  });
});
