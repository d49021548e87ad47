import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/errors.ts';
import { silentLog } from '../../lambdas/log/log.ts';
import { type Archive, createArchive } from '../../lambdas/panel-states/archive.ts';
import { type ArchivePace, defaultArchivePace } from '../../lambdas/panel-states/settings.ts';
import { createSqliteDocuments } from '../../lambdas/state/documents-sqlite.ts';
import { openStateFile } from '../../lambdas/state/sqlite-file.ts';
import { createTestClock } from '../clock/test-clock.ts';

const HOUR = 3_600_000;
// A Friday.
const begun = Date.UTC(2026, 10, 20, 9);

function opened(given: Partial<ArchivePace> = {}) {
  const clock = createTestClock({ now: begun });
  const documents = createSqliteDocuments(openStateFile(), 'uk');
  const sent: number[] = [];
  let fails: CatalogueError | undefined;
  const hidden = new Set<number>();
  const archive = (deadline?: number): Archive =>
    createArchive({
      catalogue: {
        panelRows: async () => null,
        panelDetail: async (id) => {
          sent.push(clock.now());
          if (fails) throw fails;
          if (hidden.has(Number(id))) return null;
          return {
            id: Number(id),
            name: 'Hearing loss',
            version: '1.0',
            version_created: '2026-03-01T00:00:00Z',
            genes: [],
          };
        },
      },
      documents,
      clock,
      log: silentLog,
      pace: { ...defaultArchivePace, ...given },
      deadline,
    });
  return {
    clock,
    archive,
    sent,
    hide: (id: number) => hidden.add(id),
    fail: (error: CatalogueError | undefined) => {
      fails = error;
    },
  };
}

describe('requests for states', () => {
  test('of two readers at once are sent one after the other, at the pace of the settings', async () => {
    const { archive, sent } = opened();
    const [one, other] = [archive(), archive()];
    await Promise.all([one.read(1), other.read(2)]);
    await one.read(3);
    expect(sent.map((at) => at - begun)).toEqual([0, 10_000, 20_000]);
  });

  test('end with the budget of the day, and go on with the next day', async () => {
    const { archive, clock } = opened({ secondsBetween: 0, requestsPerDay: 2 });
    const reader = archive();
    await reader.read(1);
    await reader.read(2);
    const midnight = Date.UTC(2026, 10, 21);
    await expect(reader.read(3)).rejects.toMatchObject({ pause: 'budget', until: midnight });
    clock.pass(15 * HOUR);
    expect(await reader.read(3)).toMatchObject({ kind: 'state' });
  });

  test('end with the budget of the week, and go on after Sunday', async () => {
    const { archive, clock } = opened({ secondsBetween: 0, requestsPerDay: 2, requestsPerWeek: 3 });
    const reader = archive();
    for (const id of [1, 2]) await reader.read(id);
    clock.pass(24 * HOUR);
    await reader.read(3);
    const monday = Date.UTC(2026, 10, 23);
    await expect(archive().read(4)).rejects.toMatchObject({ pause: 'budget', until: monday });
    clock.pass(monday - clock.now());
    expect(await archive().read(4)).toMatchObject({ kind: 'state' });
  });

  test('are never sent with a budget of none', async () => {
    const { archive, sent } = opened({ requestsPerDay: 0 });
    await expect(archive().read(1)).rejects.toMatchObject({ pause: 'budget' });
    expect(sent).toEqual([]);
  });

  test('wait over runs for as long as the catalogue asks', async () => {
    const { archive, clock, fail, sent } = opened();
    const notBefore = begun + HOUR;
    fail(new CatalogueError({ condition: 'NOT_BEFORE', action: 'Reading', seen: 'HTTP 429', notBefore }));
    await expect(archive().read(1)).rejects.toMatchObject({ pause: 'not-before', until: notBefore });
    fail(undefined);
    await expect(archive().read(1)).rejects.toMatchObject({ pause: 'not-before', until: notBefore });
    expect(sent.length).toBe(1);
    clock.pass(HOUR);
    expect(await archive().read(1)).toMatchObject({ kind: 'state' });
  });

  test('are not begun where the run would end before', async () => {
    const { archive, sent } = opened();
    const reader = archive(begun + 5_000);
    await reader.read(1);
    await expect(reader.read(2)).rejects.toMatchObject({ pause: 'out-of-time' });
    expect(sent.length).toBe(1);
  });

  test('go on where one hidden panel is asked for again and again, and end where three panels are missing', async () => {
    const { archive, hide } = opened();
    const reader = archive();
    await reader.read(1);
    hide(2);
    for (let times = 0; times < 4; times += 1) expect(await reader.read(2)).toEqual({ kind: 'missing' });
    expect(await reader.read(3)).toMatchObject({ kind: 'state' });
    for (const id of [4, 5]) {
      hide(id);
      await reader.read(id);
    }
    await reader.read(2);
    await expect(reader.read(3)).rejects.toMatchObject({ pause: 'off' });
  });
});
