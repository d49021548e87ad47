import * as z from 'zod';
import { jsonVariable } from '../catalogue-settings.ts';

/** The environment variables of relay; the deployment writes them under the same names (`lib/relay.ts`). */
export const relaySettings = z.object({
  /** The configured names of the catalogues; the first one's part of the table holds the lease. */
  CATALOGUES: jsonVariable('a JSON list of catalogues').pipe(
    z.tuple([z.string().min(1)]).rest(z.string().min(1)),
  ),
  TABLE_NAME: z.string().min(1),
  HISTORY_TABLE_NAME: z.string().min(1),
  RELAY_BUCKET: z.string().min(1),
  /** Where the bucket is served: `https://relay.example.org`. */
  RELAY_ADDRESS: z.url(),
  /** Whether the ended versions of each panel are files, too. */
  RELAY_VERSIONS: z.enum(['true', 'false']).transform((text) => text === 'true'),
  /** The secret with the private Ed25519 key. */
  SIGNING_KEY_ID: z.string().min(1),
});

export type RelayEnvironment = z.input<typeof relaySettings>;
