import type { Instant } from '../run/instant.ts';
import { historyPartitions } from '../store/history/table-keys.ts';

/** A key has at most 2,048 bytes; two names that are equal up to this length would be one. */
const LONGEST_IDENTITY = 500;

/**
 * The partitions of panel states in the history's table, for catalogue `uk`:
 *
 *     pk  uk#states#3           sk  <valid from>#<version>                    a version without its entities
 *     pk  uk#state-parts#3      sk  <valid from>#<version>#<SHA-256>#<part>   its entities, packed
 *     pk  uk#state-panels       sk  <panel>                                   the newest version of a panel
 *     pk  uk#holders#HGNC:1100  sk  <panel>                                   the gene on that panel now
 *     pk  uk#sign-offs          sk  <panel>#<date>#<version>                  a signed-off version
 */
export function panelStatePartitions(catalogue: string) {
  const own = historyPartitions(catalogue);
  return {
    states: (panelId: number): string => `${own}states#${panelId}`,
    parts: (panelId: number): string => `${own}state-parts#${panelId}`,
    panels: `${own}state-panels`,
    holders: (identity: string): string => `${own}holders#${identity.slice(0, LONGEST_IDENTITY)}`,
    signOffs: `${own}sign-offs`,
  } as const;
}

/** Ids in the order of numbers. */
export const panelKey = (panelId: number): string => String(panelId).padStart(10, '0');

/** Versions in the order in which they began. Instants have 16 digits until the year 2286. */
export const stateKey = ({
  version,
  validFrom,
}: {
  readonly version: string;
  readonly validFrom: Instant;
}): string => `${String(validFrom).padStart(17, '0')}#${version}`;
