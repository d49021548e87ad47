import { createAlikeCases } from './alike-cases.ts';
import type { AnalysedCase } from './analysed-case.ts';
import { type Analysis, analysisOf } from './analysis.ts';
import { type CaseImpact, compareAnalyses } from './compare-analyses.ts';
import {
  type ComparedCases,
  type CountedEffect,
  type CountedUnknown,
  countEffects,
  countUnknown,
} from './count-impact.ts';
import type { ImpactStates } from './impact-states.ts';

/** What the changes of panels mean for the cases of a laboratory. */
export interface Impact {
  readonly cases: number;
  /** Cases with an effect, those of which something is unknown, and those of which all was known and nothing changed. */
  readonly affected: number;
  readonly withUnknown: number;
  readonly unaffected: number;
  /** Most cases first. */
  readonly effects: readonly CountedEffect[];
  readonly unknown: readonly CountedUnknown[];
  /** What is so for a case; null for one that was not read. */
  of(name: string): CaseImpact | null;
}

/**
 * Compares what each case was analysed with to what counts now. Of a case it keeps its name and one number: cases that
 * were analysed alike share the rest.
 *
 * @param options `inheritance`: false leaves out changes of the mode of inheritance
 * @throws {StateError | CatalogueError} when the states cannot be read
 */
export async function impactOf(
  cases: AsyncIterable<AnalysedCase>,
  states: ImpactStates,
  { inheritance = true }: { readonly inheritance?: boolean } = {},
): Promise<Impact> {
  const analyses: Analysis[] = [];
  const numbers = new Map<string, number>();
  const alike = createAlikeCases();
  const lines = new Map<string, number[]>();
  for await (const line of cases) {
    const analysis = await analysisOf(line, states);
    const number = numbers.get(analysis.key) ?? analyses.push(analysis) - 1;
    numbers.set(analysis.key, number);
    alike.add(line.case, number);
    if ('why' in analysis) remember(lines, analysis.why, line.line);
  }
  const compared = alike.sets().map(
    (set): ComparedCases => ({
      cases: set.cases,
      impact: compareAnalyses(
        set.analyses.flatMap((number) => analyses[number] ?? []),
        { counts: states.counts, inheritance },
      ),
    }),
  );
  const count = (wanted: (impact: CaseImpact) => boolean): number =>
    compared.reduce((sum, { cases: some, impact }) => sum + (wanted(impact) ? some : 0), 0);
  return {
    cases: alike.size,
    affected: count(({ effects }) => effects.length > 0),
    withUnknown: count(({ unknown }) => unknown.length > 0),
    unaffected: count(({ effects, unknown }) => effects.length + unknown.length === 0),
    effects: countEffects(compared),
    unknown: countUnknown(compared, lines),
    of(name) {
      const set = alike.setOf(name);
      return set === undefined ? null : (compared[set]?.impact ?? null);
    },
  };
}

/** Lines shown for what is unknown. */
const SHOWN_LINES = 10;

function remember(lines: Map<string, number[]>, why: string, line: number): void {
  const known = lines.get(why) ?? [];
  lines.set(why, known);
  if (known.length < SHOWN_LINES) known.push(line);
}
