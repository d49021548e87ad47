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

interface AlikeCases {
  /** Notes that a case was analysed with the analysis of this number. */
  add(name: string, analysis: number): void;
  /** The numbers of the analyses, once for all cases that share them, and how many cases these are. */
  sets(): readonly AlikeSet[];
  /** The place of a case in `sets`; undefined for one that was not added. */
  setOf(name: string): number | undefined;
  readonly size: number;
}

interface AlikeSet {
  readonly analyses: readonly number[];
  readonly cases: number;
}

/** Collects which cases were analysed alike; of a case it keeps its name and one number. */
function createAlikeCases(): AlikeCases {
  const sets: (readonly number[])[] = [[]];
  const places = new Map<string, number>([['', 0]]);
  const setOf = new Map<string, number>();

  const withAnalysis = (set: number, analysis: number): number => {
    const analyses = sets[set] ?? [];
    if (analyses.includes(analysis)) return set;
    const joined = [...analyses, analysis].toSorted((one, other) => one - other);
    const key = joined.join();
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, sets.length);
    return sets.push(joined) - 1;
  };

  return {
    add: (name, analysis) => void setOf.set(name, withAnalysis(setOf.get(name) ?? 0, analysis)),
    sets() {
      const cases = sets.map(() => 0);
      for (const set of setOf.values()) cases[set] = (cases[set] ?? 0) + 1;
      return sets.map((analyses, set) => ({ analyses, cases: cases[set] ?? 0 }));
    },
    setOf: (name) => setOf.get(name),
    get size() {
      return setOf.size;
    },
  };
}
