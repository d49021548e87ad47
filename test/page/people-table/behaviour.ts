import { describe, expect, test } from 'vitest';
import type { Person } from '../../../page/sign-in/access.ts';
import type { PersonalNotes } from '../../../page/sign-in/people-file.ts';
import type { OneTimeUses, SessionLengths, Sessions } from '../../../page/sign-in/sessions.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';

/** What is kept of people, opened for one test. */
interface OpenPeople {
  /** The sessions as one process sees them; those of two have the same place. */
  sessions(): Sessions;
  readonly uses: OneTimeUses;
  readonly notes: PersonalNotes;
}

const HOUR = 3_600_000;
const lengths: SessionLengths = { longest: 10 * HOUR, idle: 2 * HOUR };
const ann: Person = { id: 'https://login|ann', name: 'Ann', account: 'ann', role: 'reader' };
const bob: Person = { id: 'https://login|bob', name: 'Bob', account: 'bob', role: 'decider' };

/** How what is kept of people behaves, wherever it is kept. */
export function describePeople(
  where: string,
  open: (options: SessionLengths & { readonly clock: TestClock }) => OpenPeople,
): void {
  const opened = () => {
    const clock = createTestClock();
    return { clock, ...open({ ...lengths, clock }) };
  };

  describe(`sessions ${where}`, () => {
    test('are found by what the cookie holds, by every process, and never by anything else', async () => {
      const { sessions } = opened();
      const [one, other] = [sessions(), sessions()];
      const cookie = await one.begin(ann, 's1');
      expect(cookie).toMatch(/^[\w-]{43}$/);
      expect(await other.find(cookie)).toStrictEqual(ann);
      for (const wrong of ['', 'x', `${cookie}=`, cookie.slice(1)])
        expect(await other.find(wrong)).toBeNull();
    });

    test('end after the time without a request, and after the longest time with requests', async () => {
      const { sessions, clock } = opened();
      const one = sessions();
      const [idle, used] = [await one.begin(ann, null), await one.begin(bob, null)];
      for (let hour = 1; hour < 10; hour++) {
        clock.pass(HOUR - 1);
        expect(await one.find(used)).toStrictEqual(bob);
      }
      expect(await one.find(idle)).toBeNull();
      clock.pass(HOUR + 9);
      expect(await one.find(used)).toBeNull();
    });

    test('of one who does something every five seconds go on, and those that a program uses end', async () => {
      const clock = createTestClock();
      const one = open({ longest: 10 * HOUR, idle: 60_000, clock }).sessions();
      const [used, listening] = [await one.begin(ann, null), await one.begin(bob, null)];
      for (let seconds = 5; seconds < 60; seconds += 5) {
        clock.pass(5_000);
        expect(await one.find(used)).toStrictEqual(ann);
        expect(await one.find(listening, { isUse: false })).toStrictEqual(bob);
      }
      clock.pass(5_000);
      expect(await one.find(used)).toStrictEqual(ann);
      expect(await one.find(listening, { isUse: false })).toBeNull();
    });

    test('that were ended by one process are ended for the other, and a late request begins none again', async () => {
      const { sessions, clock } = opened();
      const [one, other] = [sessions(), sessions()];
      const cookie = await one.begin(ann, null);
      clock.pass(HOUR);
      await Promise.all([other.find(cookie), one.end(cookie)]);
      expect(await other.find(cookie)).toBeNull();
      await one.end(cookie);
    });

    test('of a person, of the provider’s session or of everybody end together, and are counted', async () => {
      const { sessions, clock } = opened();
      const one = sessions();
      await one.endAll();
      const begin = () =>
        Promise.all([one.begin(ann, 's1'), one.begin(ann, 's2'), one.begin(bob, null)] as const);
      const [first, second, third] = await begin();
      expect(await one.endAll({ person: 'https://login|eve' })).toBe(0);
      expect(await one.endAll({ providerSession: 's2' })).toBe(1);
      expect([await one.find(first), await one.find(second)]).toStrictEqual([ann, null]);
      const unnamed = await one.begin(ann, null);
      expect(await one.endAll({ person: ann.id, providerSession: 's9' })).toBe(1);
      expect([await one.find(first), await one.find(unnamed)]).toStrictEqual([ann, null]);
      expect(await one.endAll({ person: ann.id })).toBe(1);
      expect([await one.find(first), await one.find(third)]).toStrictEqual([null, bob]);
      clock.pass(1);
      expect(await one.endAll()).toBe(1);
      expect(await one.endAll()).toBe(0);
    });
  });

  describe(`what may be used once, ${where}`, () => {
    test('is used once, of many at the same time by one', async () => {
      const { uses, clock } = opened();
      const ends = clock.now() + HOUR;
      expect(await uses.isUsed('a code')).toBe(false);
      const all = await Promise.all(Array.from({ length: 10 }, () => uses.use('a code', ends)));
      expect(all.filter(Boolean).length).toBe(1);
      expect([await uses.isUsed('a code'), await uses.isUsed('another code')]).toStrictEqual([true, false]);
    });
  });

  describe(`personal notes ${where}`, () => {
    test('hold the panels of each person, in the order of the choice', async () => {
      const { notes, clock } = opened();
      for (const panel of ['Zellweger', 'Ataxia', 'Zellweger', 'Hearing loss']) {
        await notes.addPanel('ann', panel);
        clock.pass(1);
      }
      await notes.addPanel('bob', 'Ataxia');
      expect(await notes.panelsOf('ann')).toStrictEqual(['Zellweger', 'Ataxia', 'Hearing loss']);
      await notes.removePanel('ann', 'Ataxia');
      await notes.removePanel('ann', 'Nothing');
      expect(await notes.panelsOf('ann')).toStrictEqual(['Zellweger', 'Hearing loss']);
      expect(await notes.panelsOf('bob')).toStrictEqual(['Ataxia']);
    });

    test('know everybody who was here, by the name and role that they have now', async () => {
      const { notes } = opened();
      const met = { id: 'issuer|ann', name: 'Ann Example', account: 'ann', role: 'reader' } as const;
      await notes.meet(met);
      await notes.meet(met);
      await notes.meet({ ...met, role: 'decider' });
      expect((await notes.people()).filter(({ id }) => id === met.id)).toStrictEqual([
        { ...met, role: 'decider' },
      ]);
    });

    test('know when a person was here before this visit', async () => {
      const { notes, clock } = opened();
      const start = clock.now();
      expect(await notes.visit('vera')).toBeNull();
      clock.pass(HOUR / 6);
      expect(await notes.visit('vera')).toBeNull();
      clock.pass(HOUR);
      expect(await notes.visit('vera')).toBe(start + HOUR / 6);
      clock.pass(HOUR / 6);
      expect(await notes.visit('vera')).toBe(start + HOUR / 6);
      expect(await notes.visit('walter')).toBeNull();
    });
  });
}
