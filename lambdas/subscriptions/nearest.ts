/** The candidate that the text may misspell: one or two letters differ; undefined where none is that close. */
export function nearest(text: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, edits: editDistance(text, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(2, text.length / 3) ? best.candidate : undefined;
}

/** The Levenshtein distance: how many letters to add, leave out or replace. */
function editDistance(a: string, b: string): number {
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
