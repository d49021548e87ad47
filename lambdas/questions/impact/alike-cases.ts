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
export function createAlikeCases(): AlikeCases {
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
