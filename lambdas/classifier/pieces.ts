/** A text cut at a separator. */
export interface Pieces {
  readonly text: string;
  /** Where each piece starts. */
  readonly starts: readonly number[];
  readonly separator: string;
}

/** Cuts `text` from `at` on. */
export function cut(text: string, separator: string, at: number): Pieces {
  const starts = [at];
  for (let end = text.indexOf(separator, at); end !== -1; end = text.indexOf(separator, end)) {
    end += separator.length;
    starts.push(end);
  }
  return { text, starts, separator };
}

export function endOfPiece({ text, starts, separator }: Pieces, index: number): number {
  const next = starts[index + 1];
  return next === undefined ? text.length : next - separator.length;
}
