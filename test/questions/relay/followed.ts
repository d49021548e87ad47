import { parseInstant } from '../../../lambdas/run/instant.ts';
import { type RunningCatalogue, startCatalogue } from '../../../sandbox/catalogue/start.ts';
import { openProvingHarness, type ProvingHarness } from '../../panels/proving-harness.ts';
import { createTestClock, type TestClock } from '../../run/test-clock.ts';
import { type AskRelay, relayOf } from './as-the-catalogue.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A sandbox catalogue on a clock of the test, and what a notifier keeps of it. */
export interface Followed {
  readonly clock: TestClock;
  readonly catalogue: RunningCatalogue;
  readonly harness: ProvingHarness;
  readonly ask: AskRelay;
}

export async function follow(): Promise<Followed> {
  const clock = createTestClock({ now: Date.UTC(2026, 10, 20, 9) });
  const catalogue = await startCatalogue({ clock, history: 120, seed: 5, ties: 'fixed' });
  const harness = openProvingHarness({
    url: catalogue.url,
    clock,
    from: parseInstant('2000-01-01T00:00:00Z') ?? 0n,
  });
  return { clock, catalogue, harness, ask: relayOf(harness.relaySource, clock.now) };
}

/** Reads the log, every version and the sign-offs, an hour later once more. */
export async function readAll({ clock, harness }: Followed): Promise<void> {
  await harness.poll();
  await harness.sweep();
  await harness.prove();
  clock.pass(HOUR);
  await harness.poll();
  await harness.sweep();
  await harness.prove();
  await harness.readSignOffs();
}
