import { expect, test } from 'vitest';
import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { VersionState } from '../../lambdas/panels/version-state.ts';
import { eventsBetween, eventsOfSuccessor } from '../../lambdas/reconcile/events-between.ts';
import { unexplainedOf, unexplainedOfSuperPanel } from '../../lambdas/reconcile/unexplained.ts';
import { type Instant, minutes } from '../../lambdas/run/instant.ts';
import { madeUpGene, madeUpState } from './made-up-states.ts';

const before = madeUpState({ version: '1.3' });
const hour = minutes(60);

/** An event about a gene of the panel. */
function eventOf<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  {
    at,
    type = 'gene',
    name = 'GJB2',
    version = '1.3',
  }: {
    readonly at: Instant;
    readonly type?: 'gene' | 'region';
    readonly name?: string;
    readonly version?: string;
  },
): PanelEvent {
  return toEvent({
    kind,
    change,
    catalogue: { name: 'uk', url: 'https://catalogue.example/api/v1/' },
    key: '0123456789abcdef',
    at,
    panel: { id: 3, name: 'Hearing loss', version },
    entity: { type, name },
    actor: 'A Curator',
    late: false,
    rows: [],
  });
}

const found = (differences: Awaited<ReturnType<typeof unexplainedOfSuperPanel>>) =>
  differences?.map(({ kind, entity }) => `${kind} ${entity?.name}`);

test('a row that states a rating as unchanged after a reading explains no change that the reading shows', () => {
  const after = madeUpState({
    version: '1.4',
    validFrom: before.readAt + hour,
    readAt: before.readAt + 2n * hour,
    entities: [madeUpGene('GJB2', { rating: 'red' })],
  });
  const events = [
    eventOf(
      'entity.classified',
      { from: 'red', to: 'red', direction: 'unchanged' },
      { at: after.readAt + minutes(1 / 2), version: '1.4' },
    ),
  ];
  expect(found(unexplainedOf({ before, after, events, next: [] }))).toEqual(['entity.classified GJB2']);
});

test('a gene that is as before differs where a row says that it was rated otherwise, or removed', () => {
  const entities = ['GJB2', 'STRC', 'OTOF'].map((name) => madeUpGene(name));
  const [first, after] = [
    madeUpState({ version: '1.3', entities }),
    madeUpState({ version: '1.4', validFrom: before.readAt + hour, source: 'archive', entities }),
  ];
  const at = after.validFrom + 1n;
  const rated = eventOf(
    'entity.classified',
    { from: 'green', to: 'red', direction: 'downgraded' },
    { at, version: '1.4' },
  );
  const removed = eventOf('entity.removed', { rating: 'green' }, { at, version: '1.4', name: 'STRC' });
  const renamed = eventOf(
    'entity.renamed',
    { from: 'OTOF', to: 'OTOF2' },
    { at, version: '1.4', name: 'OTOF2' },
  );
  const step = { before: first, after, next: [] };
  expect(found(unexplainedOf({ ...step, events: [] }))).toEqual([]);
  expect(found(unexplainedOf({ ...step, events: [rated, removed] }))).toEqual([
    'entity.classified GJB2',
    'entity.added STRC',
    'entity.classified STRC',
  ]);
  expect(found(unexplainedOf({ ...step, events: [renamed] }))).toEqual([
    'entity.removed OTOF2',
    'entity.added OTOF',
    'entity.classified OTOF',
  ]);
});

test('a row of the next version that rates a gene explains neither its addition nor another rating', () => {
  const [first, after] = [
    madeUpState({ version: '1.3' }),
    madeUpState({
      version: '1.4',
      validFrom: before.readAt + hour,
      validTo: before.readAt + 2n * hour,
      source: 'archive',
      entities: [madeUpGene('GJB2'), madeUpGene('STRC', { rating: 'amber' })],
    }),
  ];
  const rated = (to: 'amber' | 'green') =>
    eventOf(
      'entity.classified',
      { from: null, to, direction: 'unknown' },
      { at: before.readAt + 2n * hour, version: '1.5', name: 'STRC' },
    );
  const unexplained = (next: readonly PanelEvent[]) =>
    found(unexplainedOf({ before: first, after, events: [], next }));
  const expected = ['entity.added STRC', 'entity.classified STRC'];
  expect(unexplained([rated('amber')])).toEqual(expected);
  expect(unexplained([rated('green')])).toEqual(expected);
  // An archive may be made after the first rows of the next version.
  const added = eventOf(
    'entity.added',
    { rating: 'amber', sources: [], tags: [], copiedFrom: null },
    { at: before.readAt + 2n * hour, version: '1.5', name: 'STRC' },
  );
  expect(unexplained([added, rated('amber')])).toEqual([]);
});

test('a row of long after a reading explains nothing that the reading shows', () => {
  const after = madeUpState({
    version: '1.4',
    validFrom: before.readAt + hour,
    readAt: before.readAt + 2n * hour,
    entities: [madeUpGene('GJB2', { rating: 'amber' })],
  });
  const rated = (at: Instant) =>
    eventOf(
      'entity.classified',
      { from: 'green', to: 'amber', direction: 'downgraded' },
      { at, version: '1.4' },
    );
  const unexplained = (at: Instant) => unexplainedOf({ before, after, events: [rated(at)], next: [] });
  expect(found(unexplained(after.readAt + hour))).toEqual(['entity.classified GJB2']);
  // The clocks of the catalogue and of the notifier may differ a little.
  expect(unexplained(after.readAt + minutes(1 / 2))).toEqual([]);
});

test('a gene that a row adds under one symbol and the archive shows under another is removed and added', () => {
  const after: VersionState = {
    ...before,
    source: 'archive',
    validTo: before.readAt + 3n * hour,
    readAt: before.readAt + 4n * hour,
    entities: [...before.entities, madeUpGene('RHO-R2', { hgncId: 'HGNC:10012' })],
  };
  const added = eventOf(
    'entity.added',
    { rating: 'green', sources: [], tags: [], copiedFrom: null },
    { at: before.readAt + hour, name: 'RHO' },
  );
  const differences = found(unexplainedOf({ before, after, events: [added], next: [] }));
  expect(differences).toContain('entity.removed RHO');
  expect(differences).toContain('entity.added RHO-R2');
});

test('a row of the version after a set-back leads to nothing in the version before it, where it is stamped earlier', () => {
  const old = madeUpState({ version: '1.4' });
  const end = old.readAt + 2n * hour;
  const setBack = madeUpState({
    version: '1.3',
    source: 'archive',
    // Both versions began at once: the transaction of the row was open meanwhile.
    validFrom: end,
    validTo: end,
    readAt: end + hour,
    proof: { kind: 'baseline', after: '1.4' },
  });
  const event = eventOf(
    'entity.tags-changed',
    { added: ['watchlist'], removed: [] },
    { at: end - minutes(5), version: '1.4' },
  );
  const unexplained = (after: VersionState) =>
    unexplainedOf({
      before: old,
      after,
      events: eventsBetween({ before: old, after }, [event]),
      next: eventsOfSuccessor({ before: old, after }, [event]),
    });
  expect(unexplained(setBack)).toEqual([]);
  // It may also be of the version before.
  const tagged = { ...setBack, entities: [madeUpGene('GJB2', { tags: ['watchlist'] })] };
  expect(unexplained(tagged)).toEqual([]);
  expect(unexplained({ ...tagged, source: 'present', readAt: end - minutes(1) })).toEqual([]);
  expect(found(unexplained({ ...setBack, entities: [madeUpGene('GJB2', { rating: 'red' })] }))).toEqual([
    'entity.classified GJB2',
  ]);
});

test('a renaming of the next version hides no change of a version that shows the name before', () => {
  const region = (name: string, tags: string[]): VersionState['entities'][number] =>
    madeUpGene(name, { type: 'region', hgncId: null, tags });
  const old = madeUpState({ version: '1.3', entities: [region('ISCA-1', ['watchlist'])] });
  const after = madeUpState({
    version: '1.4',
    source: 'archive',
    validFrom: old.readAt + hour,
    validTo: old.readAt + 2n * hour,
    entities: [region('ISCA-1', [])],
  });
  const renamed = eventOf(
    'entity.renamed',
    { from: 'ISCA-1', to: 'ISCA-2' },
    { at: old.readAt + 2n * hour, type: 'region', name: 'ISCA-2', version: '1.5' },
  );
  expect(found(unexplainedOf({ before: old, after, events: [], next: [renamed] }))).toEqual([
    'entity.tags-changed ISCA-1',
  ]);
});

test('what several panels of a super panel show alike is one difference', async () => {
  const children = [1, 2].map((id) => ({ id, name: `Panel ${id}`, version: '1.0' }));
  const holding = (tags: string[]): VersionState['entities'] =>
    children.map((child) => madeUpGene('GJB2', { child, tags }));
  const own = { childPanels: [1, 2], version: '1.0' };
  const old = madeUpState({ ...own, entities: holding([]) });
  const now = madeUpState({ ...own, version: '1.1', validFrom: old.readAt, entities: holding(['new-gene']) });
  const kept = madeUpState({ proof: { kind: 'proven' } });
  const step = { before: old, after: now, events: [], next: [] };
  const states = { versions: async () => [kept], read: async () => kept, isListed: () => true };
  expect(found(await unexplainedOfSuperPanel(step, states))).toEqual(['entity.tags-changed GJB2']);
});

test('a difference of a super panel waits where the panel that it comes from is not proven', async () => {
  const child = { id: 1, name: 'Panel 1', version: '1.0' };
  const own = { childPanels: [1], version: '1.0' };
  const old = madeUpState({ ...own, entities: [madeUpGene('GJB2', { child })] });
  const now = madeUpState({
    ...own,
    version: '1.1',
    validFrom: old.readAt,
    entities: [madeUpGene('GJB2', { child, rating: 'amber' })],
  });
  const kept = madeUpState({ proof: { kind: 'unproven', why: 'it waits for a second reading' } });
  const step = { before: old, after: now, events: [], next: [] };
  const states = { versions: async () => [kept], read: async () => kept, isListed: () => true };
  expect(await unexplainedOfSuperPanel(step, states)).toBeNull();
});

test('a difference of a super panel is its own where the panel that it comes from is hidden and was never read', async () => {
  const child = { id: 1, name: 'Panel 1', version: '1.0' };
  const own = { childPanels: [1], version: '1.0' };
  const old = madeUpState({ ...own, entities: [madeUpGene('GJB2', { child })] });
  const entities = [madeUpGene('GJB2', { child, rating: 'amber' })];
  const now = madeUpState({ ...own, version: '1.1', validFrom: old.readAt, entities });
  const step = { before: old, after: now, events: [], next: [] };
  const states = { versions: async () => [], read: async () => null, isListed: () => true };
  expect(await unexplainedOfSuperPanel(step, states)).toBeNull();
  const differences = await unexplainedOfSuperPanel(step, { ...states, isListed: () => false });
  expect(found(differences)).toEqual(['entity.classified GJB2']);
});

test('what a super panel held, and its panel no longer does when it becomes known, is no difference of the super panel', async () => {
  const child = { id: 1, name: 'Panel 1', version: '1.0' };
  const own = { childPanels: [1], version: '1.0' };
  const old = madeUpState({ ...own, entities: [] });
  const ended = old.readAt + hour;
  // A gene was green on the panel within one of its versions, of which only the super panel shows it.
  const entities = [madeUpGene('GJB2', { child })];
  const archived = {
    source: 'archive',
    validFrom: old.readAt,
    validTo: ended,
    readAt: ended + hour,
  } as const;
  const now = madeUpState({ ...own, ...archived, version: '1.1', entities });
  const step = { before: old, after: now, events: [], next: [] };
  const among = async (kept: readonly VersionState[]) => {
    const read = async ({ readAt }: { readonly readAt: Instant }) =>
      kept.find((one) => one.readAt === readAt) ?? null;
    return found(
      await unexplainedOfSuperPanel(step, { versions: async () => kept, read, isListed: () => false }),
    );
  };
  const proven = { proof: { kind: 'proven' } } as const;
  const before = madeUpState({ ...proven, entities: [] });
  const later = madeUpState({ ...proven, entities: [], readAt: ended + minutes(1) });
  expect(await among([before]), 'nothing later is known').toEqual([
    'entity.added GJB2',
    'entity.classified GJB2',
  ]);
  expect(await among([later]), 'the panel was read since').toEqual([]);
  const unproven = { ...later, proof: { kind: 'unproven', why: 'it waits for a second reading' } } as const;
  const lostBefore = { ...before, proof: { kind: 'unproven', why: 'it is lost', lost: true } } as const;
  const anew = { ...later, validFrom: ended, proof: { kind: 'baseline', after: '1.0' } } as const;
  expect(await among([unproven]), 'what is not proven denies nothing').toBeUndefined();
  expect(await among([lostBefore, anew]), 'its numbers went back').toEqual([]);
});
