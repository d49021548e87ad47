/** A number with its noun: `1 panel`, `1,914 panels`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? noun : `${noun}s`}`;
}

/** The first of some names, and how many more there are: `BRCA1, PALB2 and 3 more`. */
export const firstOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;
