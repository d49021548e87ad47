/** The candidate that is as good as the text but for a slip or two; undefined where none is. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, slips: slipsBetween(text, candidate) }))
    .sort((a, b) => a.slips - b.slips);
  return best && best.slips <= Math.min(2, text.length / 3) ? best.candidate : undefined;
}

/** Letters to add, leave out or replace (Levenshtein's distance). */
function slipsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...a].entries()) {
    const next = [at + 1];
    for (const [other, wanted] of [...b].entries()) {
      const [here = 0, above = 0, left = 0] = [row[other], row[other + 1], next[other]];
      next.push(Math.min(above + 1, left + 1, letter === wanted ? here : here + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
