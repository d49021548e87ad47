import { type Instant, instantOf } from '../../lambdas/position/instant.ts';
import { startCatalogue } from '../../test/sandbox/catalogue/start.ts';
import type { Io } from '../command.ts';

/** The made-up catalogue that `watch --sandbox` looks at. */
export interface LocalSandbox {
  readonly url: string;
  /** Where to start telling, so that something is seen at once. */
  readonly from: Instant;
  close(): Promise<void>;
}
