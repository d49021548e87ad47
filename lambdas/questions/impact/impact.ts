import type { Rating } from '../../events/changes.ts';
import type { EntityStatus } from '../../filters/entity-history.ts';
import { contentsTogether, greenDifference, type PanelContents } from '../../panels/compare-states.ts';
import { type Holding, identityOf } from '../../panels/version-state.ts';

/** What the changes of panels mean for the cases of a laboratory. */
export type Impact = Awaited<ReturnType<typeof impactOf>>;

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
) {
  const analyses: Analysis[] = [];
  const numbers = new Map<string, number>();
  const alike = createAlikeCases();
  const lines = new Map<string, number[]>();
  for await (const line of cases) {
    const analysis = await analysisOf(line, states);
    const number = numbers.get(analysis.key) ?? analyses.push(analysis) - 1;
    numbers.set(analysis.key, number);
    alike.add(line.case, number);
    if (analysis.why !== null) remember(lines, analysis.why, line.line);
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
    /** Cases with an effect, those of which something is unknown, and those of which all was known and nothing changed. */
    affected: count(({ effects }) => effects.length > 0),
    withUnknown: count(({ unknown }) => unknown.length > 0),
    unaffected: count(({ effects, unknown }) => effects.length + unknown.length === 0),
    /** Most cases first. */
    effects: countEffects(compared),
    unknown: countUnknown(compared, lines),
    /** What is so for a case; null for one that was not read. */
    of(name: string) {
      const set = alike.setOf(name);
      return set === undefined ? null : (compared[set]?.impact ?? null);
    },
  };
}

/**
 * What one line of a file of cases says: that a case was analysed with a panel, at a version, on a day, or both. A case
 * may have several lines.
 */
export interface AnalysedCase {
  /** Counted from 1, as editors show it: all that a message may say of a case. */
  readonly line: number;
  /** What the laboratory calls the case. It stays on this machine. */
  readonly case: string;
  /** A panel's number, `hash_id`, R code, present or former name. */
  readonly panel: string;
  readonly version: string | null;
  /** ISO 8601: a day, in UTC, or a time. */
  readonly date: string | null;
  /** Why nothing can be known of the line, as a clause that quotes nothing of the case; absent for a usable line. */
  readonly unknown?: string;
}

/** A panel that a file of cases names. */
export interface CasePanel {
  readonly id: number;
  readonly name: string;
}

/** Why something cannot be known, as a clause for people. It quotes nothing of a case. */
export interface Unknown {
  readonly unknown: string;
}

/** Which version counts: the one that is signed off, or the newest. */
export type Counted = 'signed-off' | 'working';

/** Finds what panels held. */
export interface ImpactStates {
  readonly counts: Counted;
  /** The panels that a text names: by number, `hash_id`, R code, present or former name. */
  panels(reference: string): Promise<readonly CasePanel[] | Unknown>;
  /**
   * What the panel held when a case was analysed: one version, or several where another one counted during that day. Where the
   * signed-off version counts, a day alone means the version that was signed off on it, and a version may be of any day since it began.
   * Where the newest version counts, a version must have been the panel's on the day beside it.
   */
  analysed(
    panel: CasePanel,
    when: { readonly version: string | null; readonly date: string | null },
  ): Promise<readonly PanelContents[] | Unknown>;
  /** What counts now: the signed-off version, or the working one. */
  counted(panel: CasePanel): Promise<PanelContents | Unknown>;
}

/** What cases were analysed with, and what counts now; analyses with the same key are the same. */
interface Analysis {
  readonly key: string;
  /** Of each panel one version, or several where it changed on that day. */
  readonly lists: readonly (readonly PanelContents[])[];
  readonly now: readonly PanelContents[];
  /** Why it is unknown; null where all of it is known. */
  readonly why: string | null;
}

/** What a line of a case was analysed with, and what counts now. */
async function analysisOf(line: AnalysedCase, states: ImpactStates): Promise<Analysis> {
  const unknown = (...clauses: readonly string[]): Analysis => {
    const why = clauses.join('; ');
    return { key: `unknown ${why}`, lists: [], now: [], why };
  };
  if (line.unknown !== undefined) return unknown(line.unknown);
  const panels = await states.panels(line.panel);
  if ('unknown' in panels) return unknown(panels.unknown);
  const [keys, lists, now]: [string[], (readonly PanelContents[])[], PanelContents[]] = [[], [], []];
  const why: string[] = [];
  for (const panel of panels) {
    const then = await states.analysed(panel, line);
    const present = 'unknown' in then ? then : await states.counted(panel);
    if ('unknown' in then) why.push(then.unknown);
    else if ('unknown' in present) why.push(present.unknown);
    else {
      keys.push(then.map(({ version, validFrom }) => `${panel.id} ${version} ${validFrom}`).join('/'));
      lists.push(then);
      now.push(present);
    }
  }
  return why.length > 0 ? unknown(...why) : { key: keys.join(), lists, now, why: null };
}

const SHOWN_LINES = 10;

function remember(lines: Map<string, number[]>, why: string, line: number): void {
  const known = lines.get(why) ?? [];
  lines.set(why, known);
  if (known.length < SHOWN_LINES) known.push(line);
}

/** Collects which cases were analysed alike; of a case it keeps its name and one number. */
function createAlikeCases() {
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
    /** Notes that a case was analysed with the analysis of this number. */
    add: (name: string, analysis: number) =>
      void setOf.set(name, withAnalysis(setOf.get(name) ?? 0, analysis)),
    /** The numbers of the analyses, once for all cases that share them, and how many cases these are. */
    sets() {
      const cases = sets.map(() => 0);
      for (const set of setOf.values()) cases[set] = (cases[set] ?? 0) + 1;
      return sets.map((analyses, set) => ({ analyses, cases: cases[set] ?? 0 }));
    },
    /** The place of a case in `sets`; undefined for one that was not added. */
    setOf: (name: string) => setOf.get(name),
    get size() {
      return setOf.size;
    },
  };
}

interface ComparedCases {
  readonly cases: number;
  readonly impact: ComparedCase;
}

/** The effects with their cases, and the versions that these were analysed with, where they were named or found. */
function countEffects(sets: readonly ComparedCases[]) {
  const counted = new Map<
    string,
    { effect: Effect; cases: number; analysed: Set<string>; formerly: Set<string> }
  >();
  for (const { cases, impact } of sets) {
    if (cases === 0) continue;
    for (const effect of impact.effects) {
      const key = `${effect.change} ${effect.panelId} ${identityOf(effect)}`;
      const known = counted.get(key) ?? {
        effect,
        cases: 0,
        analysed: new Set<string>(),
        formerly: new Set<string>(),
      };
      counted.set(key, known);
      known.cases += cases;
      for (const version of impact.analysed) known.analysed.add(version);
      for (const name of effect.panelFormerly) known.formerly.add(name);
    }
  }
  return [...counted.values()]
    .map(({ effect, cases, analysed, formerly }) => ({
      effect: { ...effect, panelFormerly: [...formerly] },
      cases,
      analysed: [...analysed],
    }))
    .toSorted(
      (one, other) =>
        other.cases - one.cases ||
        one.effect.panelId - other.effect.panelId ||
        (one.effect.name < other.effect.name ? -1 : 1),
    );
}

/** Why something is unknown, with the cases and the first lines of the file that say so. */
function countUnknown(sets: readonly ComparedCases[], lines: ReadonlyMap<string, readonly number[]>) {
  const counted = new Map<string, number>();
  for (const { cases, impact } of sets) {
    if (cases === 0) continue;
    for (const why of impact.unknown) counted.set(why, (counted.get(why) ?? 0) + cases);
  }
  return [...counted]
    .map(([why, cases]) => ({ why, cases, lines: lines.get(why) ?? [] }))
    .toSorted((one, other) => other.cases - one.cases || (one.why < other.why ? -1 : 1));
}

/** The changes that concern a case, in the order in which they are listed. */
export const effectKinds = ['now green', 'no longer green', 'mode of inheritance changed'] as const;

/**
 * An entity that was not green in what a case was analysed with and is now, or the contrary; or a green one whose mode of inheritance
 * is of another group than in all that the case was analysed with.
 */
export interface Effect {
  readonly change: (typeof effectKinds)[number];
  readonly panelId: number;
  /** The present one. */
  readonly panelName: string;
  /** Its other names in the versions that the case was analysed with. */
  readonly panelFormerly: readonly string[];
  readonly type: Holding['type'];
  readonly name: string;
  readonly hgncId: string | null;
  /** In the version that the case was analysed with; `absent` where the panel did not hold it, null where unknown. */
  readonly ratingThen: Rating | 'absent' | null;
  readonly ratingNow: Rating | 'absent' | null;
  /** The modes of inheritance then and now, empty where none is stated; null in a change of rating. */
  readonly inheritanceThen: string | null;
  readonly inheritanceNow: string | null;
  /** The version that counts now. */
  readonly version: string;
}

interface CaseImpact {
  readonly effects: readonly Effect[];
  /** Why it is unknown, wholly or in part. */
  readonly unknown: readonly string[];
}

interface ComparedCase extends CaseImpact {
  readonly analysed: readonly string[];
}

/**
 * Compares all that a case was analysed with to what counts now. An entity that was green on any of its panels was
 * analysed; one that is green on any of them now still counts.
 */
function compareAnalyses(
  analyses: readonly Analysis[],
  { counts, inheritance }: { readonly counts: Counted; readonly inheritance: boolean },
): ComparedCase {
  const why = analyses.flatMap((each) => each.why ?? []);
  const alternatives = analyses.flatMap(({ lists }) => lists);
  const now = [...new Map(analyses.flatMap((each) => each.now).map((list) => [list.panelId, list])).values()];
  const analysed = [...new Set(alternatives.flat().map(({ version }) => version))];
  // Where a panel changed on the day of the analysis, each of the versions of that day may have been the one.
  const ways = combinations(alternatives);
  const [first = [], ...others] = (ways ?? []).map((then) =>
    effectsOf(then, now).filter(({ inheritanceNow }) => inheritance || inheritanceNow === null),
  );
  const certain = first.filter((effect) =>
    others.every((each) => each.some((one) => sameEffect(one, effect))),
  );
  const differs = ways === null || [first, ...others].some((each) => each.length !== certain.length);
  const versions = `(versions ${analysed.join(', ')})`;
  const changedThatDay =
    counts === 'working'
      ? `the panel changed on the day of the analysis ${versions}: give the version, or the time of day`
      : `another version was signed off on the day of the analysis ${versions}: give the version`;
  return {
    effects: certain.map((effect) => ({ ...effect, panelFormerly: otherNames(effect, alternatives.flat()) })),
    unknown: [...new Set([...why, ...(differs ? [changedThatDay] : [])])],
    analysed,
  };
}

/** The most combinations that are compared: a case with several panels that each changed on its day is rare. */
const MOST_COMBINATIONS = 64;

/** One version of each panel, in all ways; null where these are too many. */
function combinations(
  alternatives: readonly (readonly PanelContents[])[],
): readonly (readonly PanelContents[])[] | null {
  let all: readonly (readonly PanelContents[])[] = [[]];
  for (const lists of alternatives) {
    if (all.length * lists.length > MOST_COMBINATIONS) return null;
    all = all.flatMap((chosen) => lists.map((list) => [...chosen, list]));
  }
  return all;
}

const otherNames = (
  { panelId, panelName }: PresentEffect,
  lists: readonly PanelContents[],
): readonly string[] => {
  const names = lists.filter((list) => list.panelId === panelId).map((list) => list.panelName);
  return [...new Set(names)].filter((name) => name !== panelName);
};

type PresentEffect = Omit<Effect, 'panelFormerly'>;

const sameEffect = (one: PresentEffect, other: PresentEffect): boolean =>
  one.change === other.change && one.panelId === other.panelId && identityOf(one) === identityOf(other);

function effectsOf(then: readonly PanelContents[], now: readonly PanelContents[]): readonly PresentEffect[] {
  const [allThen, allNow] = [contentsTogether(then), contentsTogether(now)];
  const gained = now.map((panel) => ({
    ...{ panel, ...greenDifference(allThen, panel) },
    panelThen: contentsTogether(then.filter(({ panelId }) => panelId === panel.panelId)),
  }));
  const effects = gained.flatMap(({ panel, panelThen, entered }) =>
    entered.map(({ entity, earlier }): PresentEffect => {
      const ratingThen = known(panelThen.statusOf(earlier ?? entity));
      const ratings = { ratingThen, ratingNow: 'green' } as const;
      return { change: 'now green', ...placeOf(panel, entity), ...ratings, ...noModes };
    }),
  );
  const lost = new Map<string, PresentEffect>();
  for (const panel of then) {
    for (const { entity } of greenDifference(panel, allNow).left) {
      const present = now.find(({ panelId }) => panelId === panel.panelId);
      lost.set(`${panel.panelId} ${identityOf(entity)}`, {
        change: 'no longer green',
        ...placeOf(present ?? panel, entity),
        ratingThen: 'green',
        ratingNow: known(present?.statusOf(entity) ?? 'absent'),
        ...noModes,
        version: present?.version ?? '',
      });
    }
  }
  const inheritance = gained.flatMap((each) =>
    each.inheritance.flatMap(({ entity, modes }): readonly PresentEffect[] => {
      if (!modes) return [];
      const stated = (all: readonly string[]): string => all.filter((mode) => mode !== '').join('; ');
      const values = { inheritanceThen: stated(modes.before), inheritanceNow: stated(modes.after) };
      const ratings = { ratingThen: 'green', ratingNow: 'green' } as const;
      return [
        { change: 'mode of inheritance changed', ...placeOf(each.panel, entity), ...ratings, ...values },
      ];
    }),
  );
  return [...effects, ...lost.values(), ...inheritance];
}

const noModes = { inheritanceThen: null, inheritanceNow: null } as const;

const known = (status: EntityStatus): Effect['ratingThen'] => (status === 'unknown' ? null : status);

const placeOf = ({ panelId, panelName, version }: PanelContents, { type, name, hgncId }: Holding) => ({
  ...{ panelId, panelName, type, name, hgncId, version },
});
