/**
 * The values that people enter. Two implementations: realistic values for the made-up log, hostile
 * ones for the property tests.
 */
export interface Values {
  /** A whole number, both bounds included. */
  integer(min: number, max: number): number;
  comment(): string;
  modeOfInheritance(): string;
  modeOfPathogenicity(): string;
  penetrance(): string;
  phenotype(): string;
  publication(): string;
  transcript(): string;
  /** A source that carries no rating. */
  source(): string;
  tag(): string;
  geneSymbol(): string;
  /** A symbol that replaces another everywhere; from then on the values hold the old one no more. */
  symbolReplacing(symbol: string): string;
  /** `before`: what it is called so far, where it is renamed. */
  strName(before?: string): string;
  regionName(before?: string): string;
  verboseName(): string;
  panelName(before?: string): string;
  disorder(): string;
  hpoTerm(): string;
  personName(): string;
  /** Microseconds between two rows of one action. */
  gap(): number;
}

/** True in so many percent of the draws. */
export function chance(values: Values, percent: number): boolean {
  return values.integer(1, 100) > 100 - percent;
}

/**
 * One of the items.
 * @throws {Error} when the list is empty
 */
export function pick<T>(values: Values, from: readonly [T, ...T[]] | readonly T[]): T {
  const found = from[values.integer(0, from.length - 1)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** The value, or null where chance has it. */
export function maybe<T>(values: Values, percent: number, draw: () => T): T | null {
  return chance(values, percent) ? draw() : null;
}

/** Distinct values: as many as chance has it, fewer where the draw repeats itself. */
export function several(values: Values, least: number, most: number, draw: () => string): string[] {
  const wanted = values.integer(least, most);
  const found = new Set<string>();
  for (let tries = 0; found.size < wanted && tries < wanted * 4; tries += 1) found.add(draw());
  return [...found];
}

/** Some of what there is, in its order. */
export function someOf<T>(values: Values, percent: number, from: readonly T[]): T[] {
  return from.filter(() => chance(values, percent));
}
