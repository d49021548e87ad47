import { onTestFinished } from 'vitest';
import {
  type CatalogueOptions,
  type RunningCatalogue,
  startCatalogue,
} from '../../sandbox/catalogue/start.ts';
import { createTestClock, type TestClock } from '../run/test-clock.ts';
import { openProvingHarness, type ProvingHarness } from './proving-harness.ts';

/** When the clock of a test begins. */
export const BEGINNING_MS = Date.UTC(2026, 10, 20, 9);

/** A catalogue, and a notifier that proves what it publishes of it. */
export interface Proving {
  readonly clock: TestClock;
  readonly catalogue: RunningCatalogue;
  readonly harness: ProvingHarness;
}

/** Opens both for one test, and closes them after it. */
export async function openProving(
  given: Omit<CatalogueOptions, 'clock'> = {},
  followed: Pick<Parameters<typeof openProvingHarness>[0], 'from' | 'step'> = {},
): Promise<Proving> {
  const clock = createTestClock({ now: BEGINNING_MS });
  const catalogue = await startCatalogue({ clock, history: 120, seed: 5, ...given });
  const harness = openProvingHarness({ url: catalogue.url, clock, ...followed });
  onTestFinished(async () => {
    await harness.close();
    await catalogue.close();
  });
  return { clock, catalogue, harness };
}
