import type { Instant } from '../run/instant.ts';

/**
 * The partition key of a catalogue's position. Every other partition key of the catalogue is this text, `#` and a
 * name: the role of the catalogue's functions allows no other (`lib/catalogue-reader.ts`).
 */
export const partitionOf = (catalogue: string): string => `catalogue#${catalogue}`;

/** The partition of the table under which the covered periods of every catalogue lie. */
export const COVERAGE = 'coverage';

/** The indexes of the history's table, by the attribute that is their partition key. */
export const historyIndexes = { panel: 'byPanel', entity: 'byEntity', kind: 'byKind' } as const;

/** What every other partition key of a catalogue begins with; its functions may use no others. */
export const historyPartitions = (catalogue: string): string => `${catalogue}#`;

/** An instant as keys have it, in the order of time: instants have 16 digits until the year 2286. */
export const timeKey = (at: Instant): string => String(at).padStart(17, '0');
