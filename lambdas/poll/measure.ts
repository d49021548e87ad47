import { CatalogueError } from '../catalogue/errors.ts';
import type { Catalogue } from '../catalogue/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Metrics } from '../metrics/emf.ts';
import type { PollReport } from './report.ts';

export interface Measured {
  readonly catalogue: Pick<Catalogue, 'traffic'>;
  readonly clock: Clock;
  /** When the function is stopped, in milliseconds since the epoch. */
  readonly end: number;
  /** ISO date after which the credential is refused, where somebody has stated it. */
  readonly credentialExpires: string | undefined;
  readonly tokenRequests: () => number;
}
