import { describe, expect, onTestFinished, test } from 'vitest';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { createSqlitePanelStates } from '../../../lambdas/panels/sqlite-panel-states.ts';
import { toMessage } from '../../../lambdas/publishing/message.ts';
import { csv, documentOf, ndjson } from '../../../lambdas/questions/documents.ts';
import { utcTimes } from '../../../lambdas/questions/question.ts';
import { decide } from '../../../lambdas/questions/worklist/decide.ts';
import { headlineOf } from '../../../lambdas/questions/worklist/entry-rows.ts';
import { readWorklist, type Worklist } from '../../../lambdas/questions/worklist/read-worklist.ts';
import { createWorklistStore, WORKLIST } from '../../../lambdas/questions/worklist/worklist-record.ts';
import {
  defaultWorklist,
  type WorklistSettings,
} from '../../../lambdas/questions/worklist/worklist-settings.ts';
import { question } from '../../../lambdas/questions/worklist.ts';
import { namedPlaceOf } from '../../../lambdas/store/history/sqlite.ts';
import { createSqliteItems } from '../../../lambdas/store/items-sqlite.ts';
import { openStateFile } from '../../../lambdas/store/sqlite-file.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';
import { madeUpGene, madeUpState } from '../../panels/made-up-states.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { breast, correctionOf, eventOf, rated, turnedGreen } from '../../words/events.ts';
import { instant } from './entries.ts';

const clock = createTestClock({ now: Date.parse('2026-11-22T09:00:00Z') });

/** A folder in memory whose history has these events, of 1 to 22 November 2026. */
async function placeWith(events: readonly PanelEvent[]) {
  const file = openStateFile();
  onTestFinished(() => file.close());
  const named = namedPlaceOf(file);
  const states = createSqlitePanelStates({ file, catalogue: 'uk', now: clock.now });
  await named.history.append(
    events.map((event) => toMessage(event)),
    { catalogue: 'uk', since: instant('2026-11-01T00:00:00Z'), until: instant('2026-11-22T09:00:00Z') },
  );
  const place = {
    ...named,
    worklist: createWorklistStore(createSqliteItems(file, { what: WORKLIST, now: clock.now })),
    statesOf: () => states,
  };
  const read = (
    settings: Partial<WorklistSettings> = {},
    asked: Partial<Parameters<typeof readWorklist>[1]> = {},
  ): Promise<Worklist> =>
    readWorklist(place, {
      settings: { ...defaultWorklist, ...settings },
      now: instant('2026-11-22T09:00:00Z'),
      ...asked,
    });
  return { place, states, read };
}

const headlines = ({ entries }: Worklist): readonly string[] => entries.map(headlineOf);

describe('a worklist', () => {
  test('has the changes of the history, and what was decided about them', async () => {
    const { place, read } = await placeWith([turnedGreen({ gene: 'PALB2' }), turnedGreen()]);
    const before = await read();
    expect(headlines(before).toSorted()).toEqual(['BRCA1 now green', 'PALB2 now green']);
    expect(before.limits.isAnswer).toBe(true);
    const [entry] = before.entries;
    const deciding = { state: 'done', by: 'Ann Example', why: 'no case', revision: 0 } as const;
    if (entry) await decide(entry, deciding, { store: place.worklist, clock });
    expect((await read()).entries.map(({ state }) => state)).toEqual(['done', 'open']);
  });

  test('has a correction in place of what it corrects', async () => {
    const stated = rated('green', 'red', 'downgraded');
    const truth = { from: 'red', to: 'red', direction: 'unchanged' } as const;
    expect(headlines(await (await placeWith([stated])).read())).toEqual(['BRCA1 no longer green']);
    const { read } = await placeWith([stated, correctionOf(stated, truth, 'c'.repeat(32))]);
    expect(headlines(await read())).toEqual([]);
  });

  test('is the same where events are published and kept again', async () => {
    const events = [turnedGreen({ gene: 'PALB2' }), turnedGreen()];
    const { place, read } = await placeWith(events);
    const before = await read();
    const period = { catalogue: 'uk', since: instant('2026-11-01T00:00:00Z') };
    await place.history.append(
      events.toReversed().map((event) => toMessage(event)),
      { ...period, until: instant('2026-11-22T09:00:00Z') },
    );
    expect((await read()).entries).toEqual(before.entries);
  });

  test('an empty one says which names are unknown, and how much was read', async () => {
    const { read } = await placeWith([turnedGreen()]);
    const { entries, limits } = await read({}, { filter: { panels: ['Breast canser'] } });
    expect(entries).toEqual([]);
    expect(limits.isAnswer).toBe(false);
    expect(limits.names.join()).toContain('No panel is called “Breast canser”');
    const nothingRead = await read(
      {},
      { since: instant('2025-01-01T00:00:00Z'), until: instant('2025-02-01T00:00:00Z') },
    );
    expect(nothingRead.limits.isAnswer).toBe(false);
  });

  test('a misspelt name in the settings is named, also where the question names another', async () => {
    const { read } = await placeWith([turnedGreen()]);
    const { limits } = await read(
      { filter: { genes: ['BRCA1', 'PALLB2'] } },
      { filter: { genes: ['BRCA1'] } },
    );
    expect(limits.names.join()).toContain('“PALLB2”');
  });

  test('counts rows of the log that could not be read: each may state a change', async () => {
    const unread = eventOf('activity.unclassified', { reason: 'unknown-text', row: {} }, { gene: null });
    const { read } = await placeWith([unread]);
    expect((await read()).unreadRows).toBe(1);
    expect((await read({ filter: { rCodes: ['R59'] } })).unreadRows).toBe(0);
  });

  test('has rows whose time is unknown for every time that is asked for', async () => {
    const { time: _time, ...unread } = eventOf('activity.unclassified', { reason: 'invalid-row', row: {} });
    const { read } = await placeWith([unread as PanelEvent]);
    const settings = {
      filter: { types: ['activity.unclassified'] },
      since: '2026-11-15T00:00:00.000000Z',
    } as const;
    const { entries } = await read(settings, { since: instant('2026-11-20T00:00:00Z') });
    expect(entries).toHaveLength(1);
  });

  test('begins on the day that the settings state; what was decided before stays', async () => {
    const { place, read } = await placeWith([
      turnedGreen({ time: '2026-11-10T09:00:00.000000Z' }),
      turnedGreen({ gene: 'PALB2' }),
    ]);
    expect(headlines(await read({ since: '2026-11-15T00:00:00.000000Z' }))).toEqual(['PALB2 now green']);
    const [entry] = (await read()).entries;
    const deciding = { state: 'done', by: 'Ann Example', why: 'no case', revision: 0 } as const;
    if (entry) await decide(entry, deciding, { store: place.worklist, clock });
    expect(headlines(await read({ since: '2026-11-15T00:00:00.000000Z' }))).toEqual([
      'BRCA1 now green',
      'PALB2 now green',
    ]);
  });

  test('since a day reads of the time before it only what its entities and sign-offs need', async () => {
    const old = Array.from({ length: 50 }, (_, at) =>
      turnedGreen({ gene: `OLD${at}`, time: '2026-11-02T09:00:00.000000Z' }),
    );
    const lost = { ...rated('green', 'red', 'downgraded'), time: '2026-11-20T09:00:00.000000Z' };
    const before = turnedGreen({ time: '2026-11-03T09:00:00.000000Z' });
    const { place, read } = await placeWith([...old, before, lost]);
    const seen: string[] = [];
    const { findWithoutRows } = place.history;
    place.history.findWithoutRows = async function* (query) {
      for await (const event of findWithoutRows(query)) {
        seen.push(event.id);
        yield event;
      }
    };
    const since = instant('2026-11-19T00:00:00Z');
    const { entries } = await read({}, { since });
    expect(seen.toSorted()).toEqual([before.id, lost.id].toSorted());
    const all = (await read()).entries.filter(({ at }) => at >= '2026-11-19');
    expect(entries).toEqual(all);
  });

  test.each(Array.from({ length: 60 }, (_, seed) => seed))(
    'since a day is the part of the whole that is since this day, also after losses and returns (%i)',
    async (seed) => {
      const random = seededRandom(seed);
      const ratings = ['green', 'amber', 'red', 'none', null] as const;
      const pick = <Value>(values: readonly Value[]): Value =>
        values[Math.floor(random() * values.length)] as Value;
      const known = new Map<string, (typeof ratings)[number]>();
      const events = Array.from({ length: 24 }, (_, at) => {
        const time = `2026-11-${String(1 + Math.floor(at / 2)).padStart(2, '0')}T0${at % 2}:00:00.000000Z`;
        const gene = pick(['AAA', 'BBB', 'CCC']);
        const kind = random();
        if (kind < 0.1)
          return eventOf(
            'panel.signed-off',
            { signedOff: random() < 0.7, via: 'activity' },
            { gene: null, time },
          );
        if (kind < 0.2) return eventOf('entity.removed', { rating: known.get(gene) ?? null }, { gene, time });
        const to = pick(ratings);
        const from = random() < 0.3 ? null : (known.get(gene) ?? null);
        known.set(gene, to);
        return eventOf('entity.classified', { from, to, direction: 'unknown' }, { gene, time });
      });
      const { read } = await placeWith(events);
      const day = `2026-11-${String(2 + Math.floor(random() * 10)).padStart(2, '0')}`;
      const part = await read({}, { since: instant(`${day}T00:00:00Z`) });
      const whole = await read();
      expect(part.entries).toEqual(whole.entries.filter(({ at }) => at >= day));
    },
  );

  describe('that counts the signed-off versions', () => {
    const signed = (version: string, previous: string | undefined, time: string): PanelEvent =>
      eventOf(
        'panel.signed-off',
        {
          signedOff: true,
          signedOffVersion: version,
          ...(previous !== undefined && { previousSignedOffVersion: previous }),
          via: 'listing',
        },
        { time },
      );
    const on = (day: string): string => `2026-11-${day}T09:00:00.000000Z`;

    test('has what a sign-off brought and took away, and not what the working version changed', async () => {
      const { states, read } = await placeWith([
        turnedGreen({ time: on('10') }),
        signed('4.20', '4.0', on('20')),
      ]);
      const of = (version: string, ...genes: string[]) =>
        states.save(madeUpState({ panelId: 635, version, entities: genes.map((gene) => madeUpGene(gene)) }));
      await of('4.0', 'BRCA2', 'COCH');
      await of('4.20', 'BRCA2', 'BRCA1');
      const worklist = await read({ counts: 'signed-off' });
      expect(headlines(worklist).toSorted()).toEqual([
        'BRCA1 signed off as green',
        'COCH no longer signed off as green',
      ]);
      expect(worklist.entries[0]?.panel.version).toBe('4.20');
      expect(headlines(await read({ counts: 'signed-off', filter: { to: ['green'] } }))).toEqual([
        'BRCA1 signed off as green',
      ]);
      expect(headlines(await read({ counts: 'signed-off', filter: { genes: ['COCH'] } }))).toEqual([
        'COCH no longer signed off as green',
      ]);
    });

    test('has a gene that is signed off as green with a mode of inheritance of another group', async () => {
      const { states, read } = await placeWith([signed('4.20', '4.0', on('20'))]);
      const of = (version: string, modeOfInheritance: string) =>
        states.save(
          madeUpState({ panelId: 635, version, entities: [madeUpGene('BRCA1', { modeOfInheritance })] }),
        );
      await of('4.0', 'BIALLELIC, autosomal or pseudoautosomal');
      await of('4.20', 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal');
      const { entries } = await read({ counts: 'signed-off' });
      expect(entries.map(headlineOf)).toEqual(['BRCA1 signed off with another mode of inheritance']);
      expect(entries[0]).toMatchObject({
        panel: { version: '4.20' },
        inheritance: {
          from: 'BIALLELIC, autosomal or pseudoautosomal',
          to: 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal',
        },
      });
    });

    test('says where a version was not read that what a sign-off changed is unknown', async () => {
      const { read } = await placeWith([signed('4.20', '4.0', on('20'))]);
      expect(headlines(await read({ counts: 'signed-off', filter: { genes: ['BRCA1'] } }))).toEqual([
        'signed off; what this changed is unknown',
      ]);
    });

    test('has what is green no longer while the signed-off version holds it as green', async () => {
      const panel = { ...breast, signedOffVersion: '4.0' };
      const { states, read } = await placeWith([
        rated('green', 'amber', 'downgraded', { panel }),
        rated('green', 'amber', 'downgraded', { panel, gene: 'PALB2' }),
      ]);
      await states.save(
        madeUpState({ panelId: 635, version: '4.0', entities: [madeUpGene('BRCA1', { hgncId: null })] }),
      );
      expect(headlines(await read({ counts: 'signed-off' }))).toEqual(['BRCA1 no longer green']);
    });
  });
});

describe('a worklist as a file', () => {
  test('has each decision with who, when and why, and keeps what a spreadsheet would run', async () => {
    const { place, read } = await placeWith([turnedGreen()]);
    const [entry] = (await read()).entries;
    const deciding = { state: 'no-action', by: 'Ann Example', why: '=HYPERLINK("x")', revision: 0 } as const;
    if (entry) await decide(entry, deciding, { store: place.worklist, clock });
    const { entries } = await read();
    const rows = entries.map((each) => ({ entry: each, count: { cases: 214, unknown: 2 } }));
    const limits = [{ kind: 'note', sentence: 'Nothing else was read.' }] as const;
    const answered = { question, answer: { lead: [], lists: [{ what: '', rows }], limits }, times: utcTimes };
    const text = documentOf(csv, answered);
    expect(text).toContain('no action');
    expect(text).toContain(`"'=HYPERLINK(""x"")"`);
    expect(text).toContain('v4.12');
    expect(text.split('\r\n').at(-2)).toBe('Nothing else was read.');
    expect(text.split('\r\n')[0]).toContain(',cases,casesNotKnown,');
    expect(text).toContain(',214,2');
    expect(JSON.parse(documentOf(ndjson, answered))).toMatchObject({
      decidedBy: 'Ann Example',
      change: 'BRCA1 now green',
    });
  });
});
