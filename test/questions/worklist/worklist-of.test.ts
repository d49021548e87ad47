import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rating } from '../../../lambdas/events/changes.ts';
import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { headlineOf, ratingsOf } from '../../../lambdas/questions/worklist/entry-rows.ts';
import type { WorklistEntry } from '../../../lambdas/questions/worklist/worklist-of.ts';
import {
  type Decision,
  type WorklistState,
  worklistChangeSchema,
} from '../../../lambdas/questions/worklist/worklist-record.ts';
import { anyEvent } from '../../events/any-event.ts';
import { breast, eventOf, rated, turnedGreen } from '../../words/events.ts';
import { entriesOf, entryOf } from './entries.ts';

const on = (day: string): string => `2026-11-${day}T09:00:00.000000Z`;

function decided(entry: WorklistEntry, state: WorklistState, given: Partial<Decision> = {}): Decision {
  return {
    entry: entry.id,
    number: 1,
    state,
    by: 'Ann Example',
    at: on('21'),
    why: 'discussed',
    signOffs: [],
    about: worklistChangeSchema.parse(entry),
    ...given,
  };
}

const signOff = (version: string, time: string, date = time.slice(0, 10)): PanelEvent =>
  eventOf(
    'panel.signed-off',
    { signedOff: true, signedOffVersion: version, signedOffDate: date, via: 'activity' },
    { time },
  );

const words = (entries: readonly WorklistEntry[]): readonly string[] =>
  entries.map(
    ({ entity, kind, isCertain, from, to }) => `${entity?.name} ${kind}${isCertain ? '' : '?'} ${from} ${to}`,
  );

const inheritance = (rating: Rating | null, to: string) =>
  eventOf('entity.annotated', {
    changes: [{ field: 'modeOfInheritance', from: 'BIALLELIC, autosomal or pseudoautosomal', to }],
    rating,
  });

describe('the entries of a worklist', () => {
  test.each<[string, readonly PanelEvent[], readonly string[]]>([
    ['a gene that turns green', [turnedGreen()], ['BRCA1 now-green amber green']],
    [
      'a gene that is green no longer',
      [rated('green', 'red', 'downgraded')],
      ['BRCA1 no-longer-green green red'],
    ],
    [
      'one whose rating before is unknown',
      [rated(null, 'green', 'unknown')],
      ['BRCA1 now-green? unknown green'],
    ],
    [
      'one that was perhaps green',
      [rated(null, 'amber', 'unknown')],
      ['BRCA1 no-longer-green? unknown amber'],
    ],
    ['no other change of rating', [rated('amber', 'red', 'downgraded')], []],
    [
      'no confirmed rating',
      [rated('green', 'green', 'unchanged'), rated('amber', 'amber', 'unchanged')].slice(0, 1),
      [],
    ],
    [
      'a gene that was added as green, once',
      [
        eventOf('entity.added', { rating: 'green', sources: [], tags: [], copiedFrom: null }),
        rated(null, 'green', 'new'),
      ],
      ['BRCA1 now-green absent green'],
    ],
    [
      'a gene that was added as amber is none',
      [
        eventOf('entity.added', { rating: null, sources: [], tags: [], copiedFrom: null }),
        rated(null, 'amber', 'new'),
      ],
      [],
    ],
    [
      'a green gene that is removed',
      [eventOf('entity.removed', { rating: 'green' })],
      ['BRCA1 no-longer-green green absent'],
    ],
    [
      'a removed gene whose rating is unknown',
      [eventOf('entity.removed', { rating: null })],
      ['BRCA1 no-longer-green? unknown absent'],
    ],
    [
      'a green gene that loses every source',
      [
        rated('green', 'green', 'unchanged'),
        eventOf(
          'entity.annotated',
          { changes: [{ field: 'sources', aspect: 'all' }], rating: 'green' },
          { time: on('22') },
        ),
      ],
      ['BRCA1 no-longer-green? green unknown'],
    ],
    [
      'a green gene that loses every source, and is then seen as amber',
      [
        rated('green', 'green', 'unchanged'),
        eventOf(
          'entity.annotated',
          { changes: [{ field: 'sources', aspect: 'all' }], rating: 'green' },
          { time: on('22') },
        ),
        rated('green', 'amber', 'downgraded', { time: on('23') }),
      ],
      ['BRCA1 no-longer-green green unknown'],
    ],
    [
      'a green gene whose mode of inheritance is of another group',
      [inheritance('green', 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted')],
      ['BRCA1 inheritance-changed null null'],
    ],
    [
      'a gene of unknown rating whose mode of inheritance is of another group',
      [inheritance(null, 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted')],
      ['BRCA1 inheritance-changed? null null'],
    ],
    ['another mode of an amber gene is none', [inheritance('amber', 'MITOCHONDRIAL')], []],
    ['another mode of the same group is none', [inheritance('green', 'BIALLELIC, in words of its own')], []],
    ['a comment is none', [eventOf('entity.commented', { comment: 'x', action: 'added' })], []],
  ])('%s', (_title, events, expected) => {
    expect(words(entriesOf(events))).toEqual(expected);
  });

  test('two events of one action give one entry with one id, in either order', () => {
    const added = eventOf('entity.added', { rating: 'green', sources: [], copiedFrom: null });
    const asNew = rated(null, 'green', 'new');
    expect(entryOf([added, asNew]).id).toBe(entryOf([asNew, added]).id);
  });

  test('a change of the mode of inheritance shows both values, also to a filter that asks for it', () => {
    const event = inheritance('green', 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal');
    const entry = entryOf([event]);
    expect(`${headlineOf(entry)}: ${ratingsOf(entry)}`).toBe(
      'BRCA1: mode of inheritance changed: BIALLELIC → BOTH monoallelic and biallelic',
    );
    const filter = { inheritanceFrom: ['bi'], inheritanceTo: ['mono', 'both'] };
    expect(entryOf([event], { settings: { filter } })).toMatchObject({ id: entry.id, kind: entry.kind });
  });

  test('a revert is an entry of its own, and the first one says so', () => {
    const [green, amber] = entriesOf([
      turnedGreen({ time: on('10') }),
      rated('green', 'amber', 'downgraded', { time: on('12') }),
    ]);
    expect(green).toMatchObject({ isReverted: true, later: [{ to: 'amber', at: on('12') }] });
    expect(amber).toMatchObject({ kind: 'no-longer-green', isReverted: false, later: [] });
    const [first] = entriesOf([
      turnedGreen({ time: on('10') }),
      rated('green', 'amber', 'downgraded', { time: on('12') }),
      turnedGreen({ time: on('13') }),
    ]);
    expect(first).toMatchObject({ isReverted: false, later: [{ to: 'amber' }, { to: 'green' }] });
  });

  test('a filter leaves other panels and genes out, and one that asks for events gives these', () => {
    const events = [
      turnedGreen(),
      turnedGreen({ gene: 'PALB2' }),
      rated('amber', 'red', 'downgraded', { gene: 'ATM' }),
    ];
    expect(words(entriesOf(events, { settings: { filter: { genes: ['palb2'] } } }))).toEqual([
      'PALB2 now-green amber green',
    ]);
    expect(entriesOf(events, { settings: { filter: { rCodes: ['R59'] } } })).toEqual([]);
    expect(words(entriesOf(events, { settings: { filter: { to: ['red', 'green'] } } })).toSorted()).toEqual([
      'ATM other-change null null',
      'BRCA1 now-green amber green',
      'PALB2 now-green amber green',
    ]);
  });

  test('are one for each time that a gene turns green or ceases to be, in any order of changes', () => {
    const status = fc.constantFrom('green', 'amber', 'red', 'none' as const);
    fc.assert(
      fc.property(fc.array(status, { minLength: 1, maxLength: 30 }), (ratings) => {
        const steps = ratings.slice(1).map((to, at) => ({ from: ratings[at] ?? null, to, at }));
        const events = steps.map(({ from, to, at }) =>
          rated(from, to, from === to ? 'unchanged' : 'unknown', {
            time: `2026-10-${String(at + 1).padStart(2, '0')}T09:00:00.000000Z`,
          }),
        );
        const turns = steps.filter(({ from, to }) => (from === 'green') !== (to === 'green'));
        const entries = entriesOf(events);
        expect(entries.map(({ kind }) => kind)).toEqual(
          turns.map(({ to }) => (to === 'green' ? 'now-green' : 'no-longer-green')),
        );
        const isGreen = ratings.at(-1) === 'green';
        for (const { kind, isReverted } of entries)
          expect(isReverted).toBe((kind === 'now-green') !== isGreen);
      }),
      { numRuns: 500 },
    );
  });

  test('are the same for every way in which a history of any events is read', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const sorted = events
          .filter(({ data }) => data.panel !== null)
          .toSorted((one, other) => ((one.time ?? '') < (other.time ?? '') ? -1 : 1));
        const entries = entriesOf(sorted);
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        expect(entriesOf(sorted)).toEqual(entries);
      }),
    );
  });
});

describe('the state of an entry', () => {
  const events = [turnedGreen({ time: on('10') })];
  const open = entryOf(events);
  const standing = (decisions: readonly Decision[], more: readonly PanelEvent[] = [], now?: string) => {
    const [entry] = entriesOf([...events, ...more], {
      record: { decisions, readings: [], comments: [], assignments: [] },
      ...(now !== undefined && { now }),
    });
    return entry;
  };

  test('is open until somebody decides, then what was decided last', () => {
    expect(open).toMatchObject({ state: 'open', revision: 0, since: on('10'), reopenedBy: null });
    const first = decided(open, 'done');
    expect(standing([first])).toMatchObject({ state: 'done', revision: 1, since: on('21'), due: null });
    const back = decided(open, 'open', { number: 2, by: 'Bo Example', at: '2026-11-22T08:00:00.000000Z' });
    expect(standing([back, first])).toMatchObject({ state: 'open', revision: 2, decisions: [first, back] });
  });

  test('is overdue some days after it got a state in which something is left to do', () => {
    const overdue = (now: string, decisions: readonly Decision[] = []) =>
      standing(decisions, [], now)?.isOverdue;
    expect(overdue('2026-12-08T08:59:59Z')).toBe(false);
    expect(overdue('2026-12-08T09:00:01Z')).toBe(true);
    expect(overdue('2026-12-18T09:00:00Z', [decided(open, 're-analyse')])).toBe(false);
    expect(overdue('2026-12-20T09:00:00Z', [decided(open, 're-analyse')])).toBe(true);
    expect(overdue('2027-12-20T09:00:00Z', [decided(open, 'no-action')])).toBe(false);
  });

  test('a sign-off opens what waited for it, and says which', () => {
    const waits = decided(open, 'wait-for-sign-off');
    expect(standing([waits])).toMatchObject({ state: 'wait-for-sign-off', reopenedBy: null });
    const signed = signOff('4.20', '2026-11-23T10:00:00.000000Z');
    expect(standing([waits], [signed], '2026-11-24T09:00:00Z')).toMatchObject({
      state: 'open',
      since: '2026-11-23T10:00:00.000000Z',
      reopenedBy: { version: '4.20', countsFrom: '2026-11-23' },
    });
  });

  test.each([
    ['of an earlier version', signOff('4.11', '2026-11-23T10:00:00.000000Z')],
    ['from a day that has not come', signOff('4.20', '2026-11-23T10:00:00.000000Z', '2027-01-01')],
    [
      'of another panel',
      eventOf(
        'panel.signed-off',
        { signedOff: true, signedOffVersion: '4.20', via: 'activity' },
        { time: on('23'), panel: { ...breast, id: 9 } },
      ),
    ],
    [
      'that is withdrawn',
      eventOf('panel.signed-off', { signedOff: false, version: '4.20', via: 'activity' }, { time: on('23') }),
    ],
  ])('a sign-off %s leaves it waiting', (_title, event) => {
    const waits = decided(open, 'wait-for-sign-off');
    expect(standing([waits], [event], '2026-11-24T09:00:00Z')).toMatchObject({ state: 'wait-for-sign-off' });
  });

  test('a sign-off whose version is unknown opens it: it may have the change', () => {
    const signed = eventOf('panel.signed-off', { signedOff: true, via: 'listing' }, { time: on('23') });
    const waits = decided(open, 'wait-for-sign-off');
    expect(standing([waits], [signed], '2026-11-24T09:00:00Z')).toMatchObject({ state: 'open' });
  });

  test('a sign-off that was known when it was decided to wait opens nothing', () => {
    const signed = signOff('4.20', on('20'));
    const waits = decided(open, 'wait-for-sign-off', { signOffs: [signed.id] });
    expect(standing([waits], [signed])).toMatchObject({ state: 'wait-for-sign-off' });
  });

  test('an entry whose event the history forgot is shown by its decision', () => {
    const decision = decided(open, 'done');
    expect(
      entryOf([], { record: { decisions: [decision], readings: [], comments: [], assignments: [] } }),
    ).toMatchObject({
      id: open.id,
      state: 'done',
      isDerived: false,
      entity: { name: 'BRCA1' },
    });
  });
});
