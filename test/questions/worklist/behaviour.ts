import { describe, expect, test } from 'vitest';
import { assign, comment, decide } from '../../../lambdas/questions/worklist/decide.ts';
import type { WorklistEntry } from '../../../lambdas/questions/worklist/worklist-of.ts';
import type { WorklistStore } from '../../../lambdas/questions/worklist/worklist-record.ts';
import { createTestClock } from '../../run/test-clock.ts';
import { eventOf, turnedGreen } from '../../words/events.ts';
import { entryOf } from './entries.ts';

const clock = createTestClock({ now: Date.parse('2026-11-22T09:00:00Z') });
let genes = 0;
/** An entry that no other test has. */
const newEntry = (): WorklistEntry => entryOf([turnedGreen({ gene: `GENE${++genes}` })]);

const done = { state: 'done', by: 'Ann Example', why: 'no case has a variant', revision: 0 } as const;

const said = { by: 'Ann Example', text: 'Asked the clinic.' } as const;

/** What every store of decisions does. */
export function describeWorklist(where: string, opened: () => WorklistStore): void {
  testRacedDecisions(opened, 3);

  describe(`the decisions of a worklist ${where}`, () => {
    test('come back in their order, with everything that was decided', async () => {
      const store = opened();
      const entry = newEntry();
      expect(await store.of('decisions', entry.id)).toEqual([]);
      await decide(entry, done, { store, clock });
      const back = { ...done, state: 'open', by: 'Bo Example', revision: 1 } as const;
      expect(await decide(entry, back, { store, clock })).toMatchObject({ kind: 'decided' });
      const kept = await store.of('decisions', entry.id);
      expect(kept).toMatchObject([
        {
          number: 1,
          state: 'done',
          by: 'Ann Example',
          why: 'no case has a variant',
          about: { id: entry.id },
        },
        { number: 2, state: 'open', by: 'Bo Example' },
      ]);
      const { decisions } = await store.record();
      expect(decisions.filter((decision) => decision.entry === entry.id)).toEqual(kept);
    });

    test('a second person who saw no decision sees the first one’s, and changes nothing', async () => {
      const store = opened();
      const entry = newEntry();
      await decide(entry, done, { store, clock });
      const outcome = await decide(
        entry,
        { ...done, state: 'no-action', by: 'Bo Example' },
        { store, clock },
      );
      expect(outcome).toMatchObject({ kind: 'conflict', revision: 1 });
      expect(outcome.kind === 'conflict' && outcome.sentence).toContain(
        'Ann Example decided “done” at 2026-11-22 09:00 UTC, because: no case has a variant',
      );
      expect(await store.of('decisions', entry.id)).toHaveLength(1);
    });

    test('the same decision again, as after a kill, is kept once', async () => {
      const store = opened();
      const entry = newEntry();
      await decide(entry, done, { store, clock });
      expect(await decide(entry, done, { store, clock })).toMatchObject({ kind: 'decided-before' });
      const [decision] = await store.of('decisions', entry.id);
      if (decision) expect(await store.add('decisions', decision)).toEqual(decision);
      expect(await store.of('decisions', entry.id)).toHaveLength(1);
    });

    test('a decision without a name or a reason is refused', async () => {
      const store = opened();
      const entry = newEntry();
      for (const lacking of [{ by: ' ' }, { why: '' }, { why: 'x'.repeat(5000) }, { by: 'x'.repeat(300) }]) {
        expect(await decide(entry, { ...done, ...lacking }, { store, clock })).toMatchObject({
          kind: 'refused',
        });
      }
      expect(await store.of('decisions', entry.id)).toEqual([]);
    });

    test('a decision to wait for a sign-off that has the change already is refused', async () => {
      const store = opened();
      const signed = eventOf(
        'panel.signed-off',
        { signedOff: true, signedOffVersion: '4.20', signedOffDate: '2026-11-20', via: 'activity' },
        { time: '2026-11-22T08:00:00.000000Z' },
      );
      const entry = entryOf([turnedGreen({ gene: `GENE${++genes}` }), signed]);
      const outcome = await decide(entry, { ...done, state: 'wait-for-sign-off' }, { store, clock });
      expect(outcome).toMatchObject({
        kind: 'refused',
        sentence: expect.stringContaining('version 4.20, signed off from 2026-11-20'),
      });
    });

    test('a comment is kept with what it is about, and changes no state and no revision', async () => {
      const store = opened();
      const event = turnedGreen({ gene: `GENE${++genes}` });
      const entry = entryOf([event]);
      await decide(entry, { ...done, state: 'no-action' }, { store, clock });
      expect(await comment(entry, said, { store, clock })).toMatchObject({ kind: 'commented' });
      const all = await store.record();
      const record = {
        decisions: all.decisions.filter((each) => each.entry === entry.id),
        readings: [],
        assignments: [],
        comments: all.comments.filter((each) => each.entry === entry.id),
      };
      const shown = { state: 'no-action', revision: 1, comments: [said] };
      expect(entryOf([event], { record })).toMatchObject({ ...shown, isDerived: true });
      // The history may have been shortened since.
      expect(entryOf([], { record: { ...record, decisions: [] } })).toMatchObject({
        ...{ id: entry.id, state: 'open', comments: [said], isDerived: false },
      });
      const again = { ...done, state: 're-analyse', by: 'Bo Example', revision: 1 } as const;
      expect(await decide(entry, again, { store, clock })).toMatchObject({ kind: 'decided' });
    });

    test('the same comment again, as after a kill, is kept once; further ones are all kept', async () => {
      const store = opened();
      const entry = newEntry();
      const first = await comment(entry, said, { store, clock });
      expect(await comment(entry, said, { store, clock })).toMatchObject({ kind: 'commented-before' });
      if (first.kind === 'commented') expect(await store.add('comments', first.kept)).toEqual(first.kept);
      const others = [{ ...said, by: 'Bo Example' }, { ...said, text: 'They answered.' }, said];
      for (const each of others) await comment(entry, each, { store, clock });
      expect(
        (await store.of('comments', entry.id)).map(({ by, text }) => `${by}: ${text}`).toSorted(),
      ).toEqual([
        'Ann Example: Asked the clinic.',
        'Ann Example: Asked the clinic.',
        'Ann Example: They answered.',
        'Bo Example: Asked the clinic.',
      ]);
    });

    test('of people who comment at once nothing is lost, and a form that is sent twice counts once', async () => {
      const store = opened();
      const entry = newEntry();
      const all = [said, said, { ...said, by: 'Bo Example' }, { ...said, text: 'And the parents.' }];
      await Promise.all(all.map((each) => comment(entry, each, { store, clock })));
      expect(await store.of('comments', entry.id)).toHaveLength(3);
    });

    test('a comment without a name or words is refused', async () => {
      const store = opened();
      const entry = newEntry();
      for (const lacking of [
        { by: ' ' },
        { text: ' ' },
        { text: 'x'.repeat(5000) },
        { by: 'x'.repeat(300) },
      ]) {
        expect(await comment(entry, { ...said, ...lacking }, { store, clock })).toMatchObject({
          kind: 'refused',
        });
      }
      expect(await store.of('comments', entry.id)).toEqual([]);
    });

    test('an entry is somebody’s by its last assignment; its state stays, and every assignment is kept', async () => {
      const store = opened();
      const event = turnedGreen({ gene: `GENE${++genes}` });
      const entry = entryOf([event]);
      const toBo = { to: 'Bo Example', by: 'Ann Example', seen: 0 };
      expect(await assign(entry, toBo, { store, clock })).toMatchObject({ kind: 'assigned' });
      expect(await assign(entry, toBo, { store, clock })).toMatchObject({ kind: 'assigned-before' });
      const free = { to: ' ', by: 'Bo Example', seen: 1 };
      expect(await assign(entry, free, { store, clock })).toMatchObject({ kind: 'assigned' });
      const assignments = await store.of('assignments', entry.id);
      expect(assignments).toMatchObject([
        { number: 1, to: 'Bo Example', by: 'Ann Example', about: { id: entry.id } },
        { number: 2, to: null, by: 'Bo Example' },
      ]);
      const record = { decisions: [], readings: [], comments: [], assignments };
      expect(entryOf([event], { record })).toMatchObject({ state: 'open', revision: 0, assignee: null });
      // The history may have been shortened since.
      const first = { ...record, assignments: assignments.slice(0, 1) };
      expect(entryOf([], { record: first })).toMatchObject({ isDerived: false, assignee: 'Bo Example' });
      const all = (await store.record()).assignments;
      expect(all.filter((each) => each.entry === entry.id)).toEqual(assignments);
    });

    test('of two people who take an entry at once one has it, and the other sees whose it is', async () => {
      const store = opened();
      const entry = newEntry();
      const takes = ['Ann Example', 'Bo Example'].map((by) => ({ to: by, by, seen: 0 }));
      const outcomes = await Promise.all(takes.map((each) => assign(entry, each, { store, clock })));
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['assigned', 'conflict']);
      const [only, ...others] = await store.of('assignments', entry.id);
      expect(others).toEqual([]);
      const lost = outcomes.find((outcome) => outcome.kind === 'conflict');
      expect(lost?.sentence).toContain(`${only?.by} assigned it to ${only?.to}`);
      const late = await assign(entry, { to: 'Cy Example', by: 'Cy Example', seen: 0 }, { store, clock });
      expect(late).toMatchObject({ kind: 'conflict' });
      for (const lacking of [{ by: ' ' }, { to: 'x'.repeat(300) }]) {
        const wrong = { to: 'Bo', by: 'Ann', seen: 1, ...lacking };
        expect(await assign(entry, wrong, { store, clock })).toMatchObject({ kind: 'refused' });
      }
    });

    test('who read an entry is kept once for each person', async () => {
      const store = opened();
      const { id } = newEntry();
      const first = { entry: id, by: 'Ann Example', at: '2026-11-22T09:00:00.000000Z' };
      await store.noteReading(first);
      await store.noteReading({ ...first, at: '2026-11-23T09:00:00.000000Z' });
      await store.noteReading({ ...first, by: 'Bo Example' });
      const { readings } = await store.record();
      expect(readings.filter(({ entry }) => entry === id)).toEqual([first, { ...first, by: 'Bo Example' }]);
    });
  });
}

/** Lets two people decide about one entry at once, so many times. */
export function testRacedDecisions(opened: () => WorklistStore, times: number): void {
  test(`of two people who decide at once, one is first, and nothing is lost (${times} times)`, async () => {
    const store = opened();
    for (let turn = 0; turn < times; turn++) {
      const entry = newEntry();
      const outcomes = await Promise.all([
        decide(entry, done, { store, clock }),
        decide(entry, { ...done, state: 're-analyse', by: 'Bo Example' }, { store, clock }),
      ]);
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['conflict', 'decided']);
      const [only, ...others] = await store.of('decisions', entry.id);
      expect(others).toEqual([]);
      const won = outcomes.find((outcome) => outcome.kind === 'decided');
      const lost = outcomes.find((outcome) => outcome.kind === 'conflict');
      expect(won).toMatchObject({ kept: only });
      expect(lost?.revision).toBe(1);
      expect(lost?.sentence).toContain(`The last: ${only?.by} decided`);
    }
  });
}
