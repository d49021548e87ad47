/** The candidate that the text may misspell: one or two letters differ; undefined where none is that close. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editDistance(text, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(2, text.length / 3) ? best.candidate : undefined;
}

/** How many letters to add, leave out, replace, or swap with their neighbour: the optimal string alignment distance. */
function editDistance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]];
  let beforeLast: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of from.entries()) {
    const next = [at + 1];
    for (const [other, wanted] of to.entries()) {
      const [here = 0, above = 0, left = 0] = [row[other], row[other + 1], next[other]];
      const isSwapped = letter === to[other - 1] && from[at - 1] === wanted;
      const swapped = isSwapped ? (beforeLast[other - 1] ?? 0) : Number.POSITIVE_INFINITY;
      next.push(Math.min(above + 1, left + 1, letter === wanted ? here : here + 1, swapped + 1));
    }
    [beforeLast, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
