import { expect, test } from 'vitest';
import { toEvent } from '../../lambdas/events/envelope.ts';
import { notCompared, type Proof } from '../../lambdas/panels/version-state.ts';
import type { PanelEvents } from '../../lambdas/reconcile/panel-events.ts';
import type { ProofBook } from '../../lambdas/reconcile/proof-book.ts';
import type { ProofOptions } from '../../lambdas/reconcile/proof-options.ts';
import { createVersionProver } from '../../lambdas/reconcile/version-prover.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { madeUpGene, madeUpState } from '../panels/made-up-states.ts';
import { createTestClock } from '../run/test-clock.ts';

test('a row from before a panel was set back leads to what it began anew with, also where that is read again', async () => {
  const hour = minutes(60);
  const before = madeUpState({ version: '1.4' });
  const entities = [madeUpGene('GJB2', { rating: 'red' })];
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
  const concluded: unknown[] = [];
  const prover = createVersionProver({
    run: {
      clock: createTestClock({ now: Number((before.readAt + 24n * hour) / 1000n) }),
      overlap: minutes(15),
      states: {
        versions: async () => [],
        read: async () => null,
        save: async () => {},
        signOffs: async () => [],
      },
    } as unknown as ProofOptions,
    book: {
      doubt: () => undefined,
      noteCompared: () => {},
      isRefuted: () => false,
      conclude: async (_version: unknown, proof: Proof, events: readonly unknown[]) => {
        concluded.push(proof, events);
      },
    } as unknown as ProofBook,
    events: {
      of: async () => [row],
      isPublished: () => true,
      readLogSince: async () => {},
      addEarlier: async () => 'complete',
    } as unknown as PanelEvents,
    listing: null,
    manyMayDiffer: () => false,
    ask: async () => null,
  });
  // The catalogue serves an archive, and says nothing of its proof.
  const after = { ...kept, source: 'archive', validTo: kept.readAt + hour, proof: notCompared } as const;
  expect(await prover.compare({ before, after, end: after.validTo, kept })).toBe(true);
  expect(concluded).toEqual([{ kind: 'baseline', after: '1.4' }, []]);
});
