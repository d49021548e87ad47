/**
 * The partition key of a catalogue's position. Every other partition key of the catalogue is this text, `#` and a
 * name: the role of the catalogue's functions allows no other (`lib/catalogue-reader.ts`).
 */
export const partitionOf = (catalogue: string): string => `catalogue#${catalogue}`;
