/** The partition of the table under which the covered periods of every catalogue lie. */
export const COVERAGE = 'coverage';

/** The indexes of the history's table, by the attribute that is their partition key. */
export const historyIndexes = { panel: 'byPanel', entity: 'byEntity', kind: 'byKind' } as const;

/** What every other partition key of a catalogue begins with; its functions may use no others. */
export const historyPartitions = (catalogue: string): string => `${catalogue}#`;
