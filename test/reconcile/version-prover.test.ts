import { expect, test } from 'vitest';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { notCompared, type VersionState, type VersionSummary } from '../../lambdas/panels/version-state.ts';
import type { ProofBook } from '../../lambdas/reconcile/proof-book.ts';
import { compareStep, type Proving } from '../../lambdas/reconcile/version-prover.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';

const hour = minutes(60);
const entities = [madeUpGene('GJB2', { rating: 'red' })];

interface Given {
  readonly before: VersionState;
  readonly kept: VersionState;
  readonly versions?: readonly VersionSummary[];
  readonly events?: readonly PanelEvent[];
}

/** What is concluded of a version whose archive shows what was kept of it, and which versions are to be read again. */
async function concluded({ before, kept, versions = [], events = [] }: Given) {
  const found: unknown[] = [];
  const doubtReading: ProofBook['doubtReading'] = async ({ version }) => {
    found.push({ isDoubted: version });
  };
  const conclude: ProofBook['conclude'] = async (_version, proof, published = [], isUnconfirmed = false) => {
    found.push({ proof, published, isUnconfirmed });
  };
  const proving = {
    ...{ name: 'uk', url: 'https://catalogue.example/api/v1/' },
    clock: createTestClock({ now: Number((before.readAt + 24n * hour) / 1000n) }),
    overlap: minutes(15),
    states: {
      versions: async () => versions,
      read: async () => null,
      save: async () => {},
      signOffs: async () => [],
    },
    book: {
      doubt: () => undefined,
      noteCompared: () => {},
      isRefuted: () => false,
      conclude,
      doubtReading,
      record: { manyDifferedAt: 0 },
    },
    events: {
      of: async () => events,
      isPublished: () => true,
      readLogSince: async () => {},
      addEarlier: async () => 'complete',
      forget: () => {},
    },
    listing: null,
    manyMayDiffer: () => false,
    reader: { again: async () => null },
  } as unknown as Proving;
  // The catalogue serves an archive, and says nothing of its proof.
  const after = { ...kept, source: 'archive', validTo: kept.readAt + hour, proof: notCompared } as const;
  expect(await compareStep({ before, after, end: after.validTo, kept }, proving)).toBe(true);
  return found;
}

test('a row from before a panel was set back leads to what it began anew with, also where that is read again', async () => {
  const before = madeUpState({ version: '1.4' });
  const kept = madeUpState({
    version: '1.4',
    validFrom: before.readAt + 2n * hour,
    readAt: before.readAt + 3n * hour,
    proof: { kind: 'unproven', why: 'its rows may still be missing from the log', after: '1.4' },
    entities,
  });
  const row = toEvent({
    kind: 'entity.classified',
    change: { from: 'green', to: 'red', direction: 'downgraded' },
    catalogue: { name: 'uk', url: 'https://catalogue.example/api/v1/' },
    key: '0123456789abcdef',
    at: before.readAt + hour,
    panel: { id: 3, name: 'Hearing loss', version: '1.5' },
    entity: { type: 'gene', name: 'GJB2' },
    actor: null,
    late: false,
    rows: [],
  });
  expect(await concluded({ before, kept, events: [row] })).toEqual([
    { proof: { kind: 'baseline', after: '1.4' }, published: [], isUnconfirmed: false },
  ]);
});

test('a version that follows the first ones of a panel which appeared is read again later', async () => {
  const first = madeUpState({ version: '1.4', source: 'archive', entities });
  const second = madeUpState({ ...first, version: '1.5', proof: { kind: 'proven' } });
  const kept = madeUpState({ version: '1.6', validFrom: first.readAt, proof: notCompared, entities });
  const found = (...versions: readonly VersionState[]) => concluded({ before: second, kept, versions });
  const proven = { proof: { kind: 'proven' }, published: [] };
  expect(await found(first, second)).toEqual([{ ...proven, isUnconfirmed: true }]);
  const later = { ...second, readAt: first.readAt + 2n * hour };
  expect(await found(first, later)).toEqual([{ ...proven, isUnconfirmed: false }]);
  // One lie may show all ratings gone, whatever rows add in between.
  expect(await found({ ...first, sha256: 'another' }, second)).toEqual([{ ...proven, isUnconfirmed: true }]);
  // It was there when everything was read first.
  expect(await found({ ...first, source: 'present' }, second)).toEqual([{ ...proven, isUnconfirmed: false }]);
});

test('a version that was read once is read again where the next one changed without a row', async () => {
  const genes = (rating: 'red' | 'amber') => [madeUpGene('GJB2', { rating })];
  const before = madeUpState({ version: '1.4', source: 'archive', entities: genes('red') });
  const kept = madeUpState({
    version: '1.5',
    validFrom: before.readAt + hour,
    proof: notCompared,
    entities: genes('amber'),
  });
  const doubted = async (of: Partial<VersionState>, to = kept) =>
    (await concluded({ before: { ...before, ...of }, kept: to })).filter((one) => 'isDoubted' in Object(one));
  const isRead = { proof: { kind: 'proven' } } as const;
  expect(await doubted(isRead)).toEqual([{ isDoubted: '1.4' }]);
  // A change that was published of it has it read again anyway.
  expect(await doubted({ proof: { kind: 'explained', events: 1 } })).toEqual([]);
  // Its archive is read once the next version is known.
  expect(await doubted({ ...isRead, source: 'present' })).toEqual([]);
  expect(await doubted(isRead, { ...kept, entities: before.entities })).toEqual([]);
});
