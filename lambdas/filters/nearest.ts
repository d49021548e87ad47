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

const MOST_OFFERED = 3;

/** The names that a person may have meant: those that hold the words given, else the one that is spelt like them. */
export function namesLike(text: string, names: readonly string[]): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const holding = names.filter((name) => {
    const lower = name.toLowerCase();
    return words.length > 0 && words.every((word) => lower.includes(word));
  });
  const shortest = [...new Set(holding)].sort((one, other) => one.length - other.length);
  if (shortest.length > 0) return shortest.slice(0, MOST_OFFERED);
  const lower = text.toLowerCase();
  const near = nearest(
    lower,
    names.map((name) => name.toLowerCase()),
  );
  return names.filter((name) => name.toLowerCase() === near).slice(0, 1);
}

/** ` Did you mean “Hearing loss”?`, with a space before it; empty where no name is offered. */
export const offerOf = (names: readonly string[]): string => {
  if (names.length === 0) return '';
  const quoted = names.map((name) => `“${name}”`);
  const last = quoted.at(-1);
  return ` Did you mean ${quoted.length === 1 ? last : `${quoted.slice(0, -1).join(', ')} or ${last}`}?`;
};
