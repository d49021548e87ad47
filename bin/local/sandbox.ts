import { type Instant, instantOf } from '../../lambdas/run/instant.ts';
import { startCatalogue } from '../../sandbox/catalogue/start.ts';
import type { Io } from '../command.ts';

/** The made-up catalogue that `watch --sandbox` polls. */
interface LocalSandbox {
  readonly url: string;
  /** The time from which the first poll publishes, so that it prints events at once. */
  readonly from: Instant;
  close(): Promise<void>;
}

/** Its curators act every few seconds. */
const ACT_EVERY_MS = [700, 2500] as const;

/** Starts a catalogue whose log moves. */
export async function startLocalSandbox({ clock }: Io): Promise<LocalSandbox> {
  const catalogue = await startCatalogue({
    clock,
    seed: Math.floor(clock.random() * 1e9),
    actEvery: ACT_EVERY_MS,
  });
  return {
    url: catalogue.url,
    from: instantOf(clock.now() - RECENTLY_MS),
    close: () => catalogue.close(),
  };
}

const RECENTLY_MS = 3 * 24 * 60 * 60 * 1000;
