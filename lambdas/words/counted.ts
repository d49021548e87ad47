/** A number with its noun: `1 panel`, `1,914 panels`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en-GB')} ${count === 1 ? noun : `${noun}s`}`;
}
