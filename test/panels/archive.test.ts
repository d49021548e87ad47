import { describe, expect, test } from 'vitest';
import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import type { AnswerKey, AnswerStore } from '../../lambdas/panels/answer-store.ts';
import { type Archive, type ArchiveAnswer, createArchive } from '../../lambdas/panels/archive.ts';
import { askAgain } from '../../lambdas/panels/archive-record.ts';
import { type ArchivePace, defaultArchivePace } from '../../lambdas/panels/settings.ts';
import { createSqliteAnswers } from '../../lambdas/panels/sqlite-panel-states.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { createSqliteDocuments } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { createTestClock } from '../run/test-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
// A Friday.
const begun = Date.UTC(2026, 10, 20, 9);

function opened(given: Partial<ArchivePace> = {}) {
  const clock = createTestClock({ now: begun });
  const file = openStateFile();
  const documents = createSqliteDocuments(file, 'uk');
  const kept = createSqliteAnswers(file, 'uk');
  const lastArchived = { state: null };
  const unpacked: AnswerKey[] = [];
  const read: AnswerStore['read'] = async (key) => {
    unpacked.push(key);
    return kept.read(key);
  };
  const sent: number[] = [];
  let fails: CatalogueError | undefined;
  const hidden = new Set<number>();
  const archive = (deadline?: number): Archive =>
    createArchive({
      catalogue: {
        panelRows: async () => null,
        panelDetail: async (id, version, received) => {
          sent.push(clock.now());
          if (fails) throw fails;
          if (hidden.has(Number(id))) return null;
          const detail = {
            id: Number(id),
            name: 'Hearing loss',
            version: version ?? '1.0',
            version_created: '2026-03-01T00:00:00Z',
            genes: [],
          };
          received?.(Buffer.from(JSON.stringify(detail)));
          return detail;
        },
      },
      answers: { ...kept, read },
      lastArchived,
      documents,
      clock,
      log: silentLog,
      pace: { ...defaultArchivePace, ...given },
      deadline,
    });
  return {
    clock,
    documents,
    archive,
    sent,
    unpacked,
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

  test('go on where one hidden panel is asked for again and again, and wait a minute where three panels are missing', async () => {
    const { archive, hide, clock } = opened();
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
    const until = clock.now() + MINUTE;
    await expect(reader.read(3)).rejects.toMatchObject({ pause: 'refused', until });
    clock.pass(MINUTE);
    expect(await reader.read(3)).toMatchObject({ kind: 'state' });
    expect(await reader.read(4)).toEqual({ kind: 'missing' });
  });

  const html = new CatalogueError({ condition: 'HTML', action: 'Reading', seen: 'an HTML page' });

  /** Asks for states as long as the catalogue may be asked; returns the minutes after which it was. */
  async function askedFor({ archive, clock, sent }: ReturnType<typeof opened>, minutes: number) {
    const since = clock.now();
    const before = sent.length;
    for (let minute = 0; minute < minutes; minute += 1) {
      for (const id of [1, 2, 3])
        await archive()
          .read(id)
          .catch(() => null);
      clock.pass(since + (minute + 1) * MINUTE - clock.now());
    }
    return sent.slice(before).map((at) => Math.floor((at - since) / MINUTE));
  }

  test('wait ever longer where HTML is answered, and go on at once with the first state', async () => {
    const all = opened({ secondsBetween: 0 });
    await all.archive().read(1);
    all.fail(html);
    expect(await askedFor(all, 180)).toEqual([0, 0, 0, 1, 3, 7, 15, 31, 63, 123]);
    all.fail(undefined);
    expect((await askedFor(all, 60)).length).toBe(3 * 57);
  });

  test('end for a week after hours without a state, and begin again where a person asks', async () => {
    const all = opened({ secondsBetween: 0 });
    await all.archive().read(1);
    all.fail(html);
    const asked = await askedFor(all, 24 * 60);
    expect(asked.at(-1)).toBe(363);
    await expect(all.archive().read(1)).rejects.toMatchObject({ pause: 'off' });
    all.fail(undefined);
    await askAgain(all.documents);
    expect(await all.archive().read(1)).toMatchObject({ kind: 'state' });
  });

  test('stop at the first poll of a catalogue that serves no version of any panel', async () => {
    const { archive, hide, sent } = opened();
    for (const id of [1, 2, 3, 4, 5, 6]) {
      hide(id);
      await archive()
        .read(id, '1.0')
        .catch(() => null);
    }
    expect(sent.length).toBe(3);
  });
});

describe('a version that was read from the archive', () => {
  const stateOf = async (reading: Promise<ArchiveAnswer>): Promise<VersionState> => {
    const answer = await reading;
    if (answer.kind !== 'state') throw new Error('it was not served');
    return answer.state;
  };

  test('is taken over by the next reader of the process, and unpacked once another one was read', async () => {
    const { archive, unpacked, sent } = opened();
    const shown = await stateOf(archive().read(1, '1.0'));
    expect(await archive().readSince(shown, shown.readAt)).toBe(shown);
    expect(await archive().readSince(shown, shown.readAt + 1n)).toBeNull();
    expect(unpacked).toEqual([]);
    await archive().read(1, '1.1');
    expect(await archive().readSince(shown, shown.readAt)).toEqual(shown);
    expect(unpacked.length).toBe(1);
    expect(sent.length).toBe(2);
  });

  test('is not mixed up with the panel as it was then', async () => {
    const { archive, unpacked } = opened();
    const shown = await stateOf(archive().read(1, '1.0'));
    const present = await stateOf(archive().read(1));
    expect(await archive().readSince(present, shown.readAt)).toBe(shown);
    expect(await archive().readSince(present, present.readAt)).toBeNull();
    expect(unpacked).toEqual([]);
  });
});
