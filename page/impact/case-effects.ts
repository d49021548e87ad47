import type { AnalysedCase } from '../../lambdas/questions/impact/analysed-case.ts';
import type { Effect } from '../../lambdas/questions/impact/compare-analyses.ts';
import type { Impact } from '../../lambdas/questions/impact/impact.ts';

/** A case of which something is to be said. */
interface CaseEffect {
  readonly name: string;
  readonly effects: readonly Effect[];
  readonly unknown: readonly string[];
}

/** The first such cases of a file, and how many more there are. */
export interface CaseEffects {
  readonly cases: readonly CaseEffect[];
  readonly others: number;
}

/** More would make a view that is too long to read and to hold. */
const MOST_CASES = 300;
const MOST_CHANGES = 3_000;

/** The cases with a change, or of which something is unknown, in the order of the file. */
export async function caseEffectsOf(
  impact: Impact,
  cases: AsyncIterable<AnalysedCase>,
): Promise<CaseEffects> {
  const seen = new Set<string>();
  const shown: CaseEffect[] = [];
  let [changes, others] = [0, 0];
  for await (const { case: name } of cases) {
    if (seen.has(name)) continue;
    seen.add(name);
    const own = impact.of(name);
    if (!own || own.effects.length + own.unknown.length === 0) continue;
    const size = own.effects.length + own.unknown.length;
    if (others > 0 || shown.length === MOST_CASES || (changes > 0 && changes + size > MOST_CHANGES)) {
      others += 1;
      continue;
    }
    changes += size;
    shown.push({ name, effects: own.effects, unknown: own.unknown });
  }
  return { cases: shown, others };
}
