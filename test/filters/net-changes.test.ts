import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Changes, type EventKindName, type Rating, ratings } from '../../lambdas/events/changes.ts';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { Entity, PanelEvent } from '../../lambdas/events/schemas.ts';
import { netChangesOf, type PanelChanges } from '../../lambdas/filters/net-changes.ts';
import { anyEvent } from '../events/any-event.ts';

const gene: Entity = { type: 'gene', name: 'BRCA1' };
let seconds = 0;

interface Given {
  readonly entity?: Entity | null;
  readonly panel?: string;
  readonly version?: string;
}

function event<Kind extends EventKindName>(kind: Kind, change: Changes[Kind], given: Given = {}): PanelEvent {
  const {
    panel = 'Hearing loss',
    version = '1.2',
    entity = kind.startsWith('entity.') ? gene : null,
  } = given;
  return toEvent({
    kind,
    change,
    catalogue: { name: 'uk', url: 'https://uk.example.org/api/v1/' },
    key: String(seconds),
    at: BigInt(++seconds) * 1_000_000n,
    panel: { id: 3, name: panel, version },
    entity,
    actor: 'Jo Example',
    late: false,
    rows: [],
  });
}

const rated = (from: Rating | null, to: Rating, given: Given = {}): PanelEvent => {
  const direction = from === null ? 'unknown' : from === to ? 'unchanged' : 'upgraded';
  return event('entity.classified', { from, to, direction }, given);
};
const asNew = (to: Rating): PanelEvent => event('entity.classified', { from: null, to, direction: 'new' });
const added = (rating: Rating | null): PanelEvent =>
  event('entity.added', { rating, sources: [], tags: [], copiedFrom: null });
const removed = (rating: Rating | null): PanelEvent => event('entity.removed', { rating });

/** The list that an entity is in, with the states before and after. */
function changed(...events: readonly PanelEvent[]): Readonly<Record<string, string>> {
  const [panel] = netChangesOf(events).panels;
  return Object.fromEntries(
    Object.entries(panel?.lists ?? {}).flatMap(([list, changes]) =>
      changes.map(({ entity, steps }) => [list, `${entity.name} ${steps.join(' ')}`]),
    ),
  );
}

describe('the net change of an entity', () => {
  test.each<[string, readonly PanelEvent[], Readonly<Record<string, string>>]>([
    ['one upgrade', [rated('amber', 'green')], { 'now green': 'BRCA1 amber green' }],
    [
      'red to amber to green is one change to green',
      [rated('red', 'amber'), rated('amber', 'green')],
      { 'now green': 'BRCA1 red amber green' },
    ],
    [
      'back and forth is none, and marked',
      [rated('red', 'green'), rated('green', 'red')],
      { 'changed and changed back': 'BRCA1 red green red' },
    ],
    [
      'green to amber and back is not newly green',
      [rated('green', 'amber'), rated('amber', 'green')],
      { 'changed and changed back': 'BRCA1 green amber green' },
    ],
    ['a rating that was only confirmed is none', [rated('green', 'green')], {}],
    [
      'a rating that was lost with its source',
      [
        rated('green', 'green'),
        event('entity.annotated', { changes: [{ field: 'sources', aspect: 'all' }], rating: 'green' }),
      ],
      { 'may no longer be green': 'BRCA1 green unknown' },
    ],
    [
      'a rating that was lost with its source, and found',
      [
        rated('green', 'green'),
        event('entity.annotated', { changes: [{ field: 'sources', aspect: 'all' }], rating: 'green' }),
        rated(null, 'amber'),
      ],
      { 'no longer green': 'BRCA1 green unknown amber' },
    ],
    ['a downgrade', [rated('green', 'none')], { 'no longer green': 'BRCA1 green none' }],
    ['amber to red', [rated('amber', 'red')], { 'other change of rating': 'BRCA1 amber red' }],
    [
      'a rating whose predecessor is unknown may be new',
      [rated(null, 'green')],
      { 'rated green, perhaps green before': 'BRCA1 unknown green' },
    ],
    [
      'a rating that changed without an event shows in the next one',
      [rated('red', 'amber'), rated('green', 'green')],
      { 'now green': 'BRCA1 red amber green' },
    ],
    [
      'an added entity, rated by an event of the same action',
      [asNew('green'), added('green')],
      { 'now green': 'BRCA1 absent green' },
    ],
    ['the same in the other order', [added(null), asNew('amber')], { added: 'BRCA1 absent unknown amber' }],
    ['a removed entity', [removed('green')], { 'no longer green': 'BRCA1 green absent' }],
    [
      'removed after a rating',
      [rated('red', 'amber'), removed('amber')],
      { removed: 'BRCA1 red amber absent' },
    ],
    [
      'added and removed is none, and marked',
      [added('red'), removed('red')],
      { 'changed and changed back': 'BRCA1 absent red absent' },
    ],
    [
      'removed and added again with another rating',
      [removed('red'), added('green'), asNew('green')],
      { 'now green': 'BRCA1 red absent green' },
    ],
    [
      'a replaced symbol keeps its ratings',
      [
        rated('red', 'amber', { entity: { type: 'gene', name: 'MLL2' } }),
        event('entity.renamed', { from: 'MLL2', to: 'KMT2D' }, { entity: { type: 'gene', name: 'KMT2D' } }),
        rated('amber', 'green', { entity: { type: 'gene', name: 'KMT2D' } }),
      ],
      { 'now green': 'KMT2D red amber green' },
    ],
  ])('%s', (_what, events, lists) => {
    expect(changed(...events)).toStrictEqual(lists);
  });

  test('says when, in which version and by which person it last changed, not when it was last confirmed', () => {
    const upgrade = rated('amber', 'green', { version: '2.7' });
    const { panels } = netChangesOf([
      rated('red', 'amber'),
      upgrade,
      rated('green', 'green', { version: '3.0' }),
    ]);
    expect(panels[0]?.lists['now green'][0]).toMatchObject({
      at: upgrade.time,
      actor: 'Jo Example',
      version: '2.7',
    });
  });

  test('an STR and a gene of one name are two entities', () => {
    const str: Given = { entity: { type: 'str', name: 'BRCA1' } };
    const { panels } = netChangesOf([rated('red', 'green'), rated('red', 'green', str)]);
    expect(panels[0]?.lists['now green'].map(({ entity }) => entity.type)).toStrictEqual(['gene', 'str']);
  });
});

describe('the net change of a panel', () => {
  const only = (...events: readonly PanelEvent[]): PanelChanges | undefined => netChangesOf(events).panels[0];
  const promoted = (previousVersion: string | null, version: string): PanelEvent =>
    event('panel.promoted', { previousVersion, version, via: 'activity' }, { version });
  const named = (from: string, to: string): PanelEvent =>
    event('panel.changed', { changes: [{ field: 'name', from, to }] }, { panel: to });

  test('several promotions are one, from the first version to the last', () => {
    expect(only(promoted('1.4', '2.0'), promoted('2.9', '3.0'))).toMatchObject({
      promoted: { from: '1.4', to: '3.0' },
      version: '3.0',
    });
  });

  test('the last sign-off or withdrawal counts', () => {
    const signOff = (signedOff: boolean) => event('panel.signed-off', { signedOff, via: 'activity' });
    expect(only(signOff(true))?.signOff).toStrictEqual({ signedOff: true, version: null, date: null });
    expect(only(signOff(true), signOff(false))?.signOff?.signedOff).toBe(false);
    expect(only(rated('red', 'green'))?.signOff).toBeNull();
  });

  test('a panel that got its name back was not renamed', () => {
    expect(only(named('A', 'B'))).toMatchObject({ name: 'B', renamed: { from: 'A', to: 'B' } });
    expect(only(named('A', 'B'), named('B', 'A'))).toMatchObject({ name: 'A', renamed: null });
  });

  test('what is not listed is counted by kind', () => {
    const panel = only(
      event('entity.tags-changed', { added: ['a'], removed: [] }),
      event('entity.marked-ready', {}),
      event('entity.marked-ready', {}),
      rated('green', 'green'),
    );
    expect(panel?.rest).toStrictEqual({
      'entity.tags-changed': 1,
      'entity.marked-ready': 2,
      'entity.classified': 1,
    });
  });
});

test('panels with new green entities come first', () => {
  const on = (catalogue: string, id: number, name: string, one: PanelEvent): PanelEvent =>
    ({ ...one, data: { ...one.data, catalogue, panel: { id, name, version: null } } }) as PanelEvent;
  const { panels } = netChangesOf([
    on('uk', 1, 'Ataxia', rated('green', 'red')),
    on('uk', 2, 'Deafness', rated('red', 'green')),
    on('au', 2, 'Deafness', rated('red', 'amber')),
    on('uk', 3, 'Cataracts', rated(null, 'green')),
  ]);
  expect(panels.map(({ catalogue, name }) => `${catalogue} ${name}`)).toStrictEqual([
    'uk Cataracts',
    'uk Deafness',
    'au Deafness',
    'uk Ataxia',
  ]);
});

describe('a change of the mode of inheritance', () => {
  const mono = 'MONOALLELIC, autosomal or pseudoautosomal, NOT imprinted';
  const imprinted = 'MONOALLELIC, autosomal or pseudoautosomal, imprinted status unknown';
  const bi = 'BIALLELIC, autosomal or pseudoautosomal';
  const both = 'BOTH monoallelic and biallelic, autosomal or pseudoautosomal';
  const changedMode = (from: string, to: string, was: Rating | null): PanelEvent =>
    event('entity.annotated', { changes: [{ field: 'modeOfInheritance', from, to }], rating: was });

  test.each<[string, readonly PanelEvent[], readonly string[]]>([
    ['of a green gene', [changedMode(bi, mono, 'green')], [`${bi} > ${mono}, green`]],
    [
      'twice, from the first to the last',
      [changedMode(bi, mono, 'green'), changedMode(mono, both, 'green')],
      [`${bi} > ${both}, green`],
    ],
    ['of a gene whose rating is unknown', [changedMode(bi, both, null)], [`${bi} > ${both}, unknown`]],
    [
      'of a gene that turns green',
      [changedMode(bi, mono, 'amber'), rated('amber', 'green')],
      [`${bi} > ${mono}, green`],
    ],
    ['from one that was not stated', [changedMode('Unknown', mono, 'green')], [`Unknown > ${mono}, green`]],
    ['of an amber gene is none that counts', [changedMode(bi, mono, 'amber')], []],
    ['of a gene that was downgraded', [changedMode(bi, mono, 'green'), rated('green', 'red')], []],
    ['within a group', [changedMode(mono, imprinted, 'green')], []],
    ['there and back', [changedMode(bi, mono, 'green'), changedMode(mono, bi, 'green')], []],
  ])('%s', (_title, events, expected) => {
    const found = netChangesOf(events).panels.flatMap(({ inheritance }) => inheritance);
    expect(found.map(({ from, to, rating }) => `${from} > ${to}, ${rating}`)).toEqual(expected);
  });
});

test('from the first state to the last, with any states between, is the net change', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ratings), { minLength: 2, maxLength: 8 }), (path) => {
      const events = path.slice(1).map((to, at) => rated(path[at] ?? null, to));
      const [panel] = netChangesOf(events).panels;
      const [from, to] = [path[0], path.at(-1)];
      expect(panel?.lists['now green'].length).toBe(from !== 'green' && to === 'green' ? 1 : 0);
      expect(panel?.lists['no longer green'].length).toBe(from === 'green' && to !== 'green' ? 1 : 0);
      expect(panel?.lists['changed and changed back'].length).toBe(
        from === to && new Set(path).size > 1 ? 1 : 0,
      );
    }),
  );
});

test('any events give a result, and every one of them is counted', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      const { panels, withoutPanel, events: counted } = netChangesOf(events);
      expect(counted).toBe(events.length);
      expect(withoutPanel).toBe(events.filter(({ data }) => data.panel === null).length);
      for (const { lists } of panels) {
        expect(lists['now green'].every(({ from, to }) => to === 'green' && from !== 'green')).toBe(true);
        expect(lists['no longer green'].every(({ from, to }) => from === 'green' && to !== 'green')).toBe(
          true,
        );
      }
    }),
  );
});
