/** A number with its noun: `1 panel`, `1,914 panels`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Small numbers as `toLocaleString` writes them, which takes 5 ms the first time. */
const grouped = (count: number): string => (count < 1000 ? `${count}` : count.toLocaleString('en-GB'));

/** The first of some names, and how many more there are: `BRCA1, PALB2 and 3 more`. */
export const firstOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;
