import type { Rating } from '../events/changes.ts';
import { identityOf } from '../panel-states/entity-identity.ts';
import type { GreenList } from '../panel-states/green-list.ts';
import type { Holding } from '../panel-states/version-state.ts';
import type { AnalysedCase } from './analysed-case.ts';
import type { CasePanel, ImpactStates, Unknown } from './impact-states.ts';

/** An entity that was not green in what a case was analysed with and is now, or the contrary. */
export interface Effect {
  readonly change: 'now green' | 'no longer green';
  readonly panelId: number;
  readonly panelName: string;
  readonly type: Holding['type'];
  readonly name: string;
  readonly hgncId: string | null;
  /** In the version that the case was analysed with; `absent` where the panel did not hold it, null where unknown. */
  readonly ratingThen: Rating | 'absent' | null;
  readonly ratingNow: Rating | 'absent' | null;
  /** The version that counts now. */
  readonly version: string;
}

/** What is so for one case. Both lists are empty only where everything was known and nothing changed. */
interface CaseImpact {
  readonly effects: readonly Effect[];
  /** Why it is unknown, wholly or in part. */
  readonly unknown: readonly string[];
}

/** An effect, and the number of cases that it concerns. */
interface CountedEffect {
  readonly effect: Effect;
  readonly cases: number;
  /** The versions that these cases were analysed with, where they were named or found. */
  readonly analysed: readonly string[];
}

/** Something that is unknown, and the number of cases for which it is. */
interface CountedUnknown {
  readonly why: string;
  readonly cases: number;
  /** The first lines of the file that say so. */
  readonly lines: readonly number[];
}

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

/** What cases were analysed with, and what counts now; analyses with the same key are the same. */
type Analysis =
  | {
      readonly key: string;
      /** Of each panel one version, or several where it changed on that day. */
      readonly lists: readonly (readonly GreenList[])[];
      readonly now: readonly GreenList[];
    }
  | { readonly key: string; readonly why: string };

/** Lines shown for what is unknown. */
const SHOWN_LINES = 10;

/**
 * Compares what each case was analysed with to what counts now. Of a case it keeps its name and one number: cases that
 * were analysed alike share the rest.
 *
 * @throws {StateError | CatalogueError} when the states cannot be read
 */
export async function impactOf(cases: AsyncIterable<AnalysedCase>, states: ImpactStates): Promise<Impact> {
  const analyses: Analysis[] = [];
  const numbers = new Map<string, number>();
  const sets: { readonly members: readonly number[]; cases: number }[] = [{ members: [], cases: 0 }];
  const setNumbers = new Map<string, number>([['', 0]]);
  const setOf = new Map<string, number>();
  const lines = new Map<string, number[]>();

  const numberOf = async (line: AnalysedCase): Promise<number> => {
    const analysis = await analysisOf(line, states);
    const known = numbers.get(analysis.key);
    if (known !== undefined) return known;
    numbers.set(analysis.key, analyses.length);
    return analyses.push(analysis) - 1;
  };
  const withMember = (set: number, member: number): number => {
    const members = sets[set]?.members ?? [];
    if (members.includes(member)) return set;
    const joined = [...members, member].toSorted((one, other) => one - other);
    const key = joined.join();
    const known = setNumbers.get(key);
    if (known !== undefined) return known;
    setNumbers.set(key, sets.length);
    return sets.push({ members: joined, cases: 0 }) - 1;
  };

  for await (const line of cases) {
    const number = await numberOf(line);
    const before = setOf.get(line.case) ?? 0;
    const after = withMember(before, number);
    setOf.set(line.case, after);
    const analysis = analyses[number];
    if (analysis && 'why' in analysis) remember(lines, analysis.why, line.line);
  }
  for (const set of setOf.values()) (sets[set] as { cases: number }).cases += 1;

  const impacts = sets.map(({ members }) => compare(members.flatMap((member) => analyses[member] ?? [])));
  const used = sets.map((set, index) => ({ ...set, impact: impacts[index] as Compared }));
  const count = (wanted: (impact: Compared) => boolean): number =>
    used.reduce((sum, { cases: some, impact }) => sum + (wanted(impact) ? some : 0), 0);
  return {
    cases: setOf.size,
    affected: count(({ effects }) => effects.length > 0),
    withUnknown: count(({ unknown }) => unknown.length > 0),
    unaffected: count(({ effects, unknown }) => effects.length + unknown.length === 0),
    effects: countEffects(used),
    unknown: countUnknown(used, lines),
    of(name) {
      const set = setOf.get(name);
      return set === undefined ? null : (impacts[set] ?? null);
    },
  };
}

async function analysisOf(line: AnalysedCase, states: ImpactStates): Promise<Analysis> {
  if (line.unknown !== undefined) return unknownAnalysis([line.unknown]);
  const panels = await states.panels(line.panel);
  if ('unknown' in panels) return unknownAnalysis([panels.unknown]);
  const found: Extract<Analysis, { lists: unknown }>[] = [];
  const why: string[] = [];
  for (const panel of panels) {
    const analysis = await analysisOfPanel(panel, line, states);
    if ('why' in analysis) why.push(analysis.why);
    else found.push(analysis);
  }
  const [only] = found;
  if (why.length > 0) return unknownAnalysis(why);
  if (only && found.length === 1) return only;
  return {
    key: found.map(({ key }) => key).join(),
    lists: found.flatMap(({ lists }) => lists),
    now: found.flatMap(({ now }) => now),
  };
}

async function analysisOfPanel(
  panel: CasePanel,
  when: AnalysedCase,
  states: ImpactStates,
): Promise<Analysis> {
  const then = await states.analysed(panel, when);
  if (isUnknown(then)) return unknownAnalysis([then.unknown]);
  const now = await states.counted(panel);
  if (isUnknown(now)) return unknownAnalysis([now.unknown]);
  const key = then.map(({ version, validFrom }) => `${panel.id} ${version} ${validFrom}`).join('/');
  return { key, lists: [then], now: [now] };
}

function unknownAnalysis(why: readonly string[]): Analysis {
  const all = why.join('; ');
  return { key: `unknown ${all}`, why: all };
}

const isUnknown = (found: object): found is Unknown => 'unknown' in found;

interface Compared extends CaseImpact {
  readonly analysed: readonly string[];
}

/**
 * Compares all that a case was analysed with to what counts now. An entity that was green on any of its panels was
 * analysed; one that is green on any of them now still counts.
 */
function compare(analyses: readonly Analysis[]): Compared {
  const why = analyses.flatMap((analysis) => ('why' in analysis ? analysis.why : []));
  const known = analyses.flatMap((analysis) => ('why' in analysis ? [] : analysis));
  const alternatives = known.flatMap(({ lists }) => lists);
  const now = [...new Map(known.flatMap((each) => each.now).map((list) => [list.panelId, list])).values()];
  const analysed = [...new Set(alternatives.flat().map(({ version }) => version))];
  // Where a panel changed on the day of the analysis, each of its versions of that day may have been the one.
  const ways = combinations(alternatives);
  const [first = [], ...others] = (ways ?? []).map((then) => effectsOf(then, now));
  const certain = first.filter((effect) =>
    others.every((each) => each.some((one) => sameEffect(one, effect))),
  );
  const differs = ways === null || [first, ...others].some((each) => each.length !== certain.length);
  const changedThatDay = `the panel changed on the day of the analysis (versions ${analysed.join(', ')}): give the version, or the time of day`;
  return {
    effects: certain,
    unknown: [...new Set([...why, ...(differs ? [changedThatDay] : [])])],
    analysed,
  };
}

/** The most combinations that are compared: a case with several panels that each changed on its day is rare. */
const MOST_COMBINATIONS = 64;

/** One version of each panel, in all ways; null where these are too many. */
function combinations(
  alternatives: readonly (readonly GreenList[])[],
): readonly (readonly GreenList[])[] | null {
  let all: readonly (readonly GreenList[])[] = [[]];
  for (const lists of alternatives) {
    if (all.length * lists.length > MOST_COMBINATIONS) return null;
    all = all.flatMap((chosen) => lists.map((list) => [...chosen, list]));
  }
  return all;
}

const sameEffect = (one: Effect, other: Effect): boolean =>
  one.change === other.change && one.panelId === other.panelId && identityOf(one) === identityOf(other);

function effectsOf(then: readonly GreenList[], now: readonly GreenList[]): readonly Effect[] {
  const ratings = (lists: readonly GreenList[], entity: Holding): readonly (Rating | null | undefined)[] =>
    lists.map((list) => list.ratingOf(entity));
  const isGreen = (lists: readonly GreenList[], entity: Holding): boolean =>
    ratings(lists, entity).includes('green');
  const of = (lists: readonly GreenList[], panelId: number): readonly GreenList[] =>
    lists.filter((list) => list.panelId === panelId);
  const effects = now.flatMap((list): readonly Effect[] =>
    list.green
      .filter((entity) => !isGreen(then, entity))
      .map((entity) => ({
        change: 'now green',
        ...placeOf(list, entity),
        ratingThen: highest(ratings(of(then, list.panelId), entity)),
        ratingNow: 'green',
        version: list.version,
      })),
  );
  const lost = new Map<string, Effect>();
  for (const list of then) {
    for (const entity of list.green) {
      if (isGreen(now, entity)) continue;
      const [present] = of(now, list.panelId);
      lost.set(`${list.panelId} ${identityOf(entity)}`, {
        change: 'no longer green',
        ...placeOf(list, entity),
        ratingThen: 'green',
        ratingNow: highest(present ? [present.ratingOf(entity)] : []),
        version: present?.version ?? '',
      });
    }
  }
  return [...effects, ...lost.values()];
}

const placeOf = ({ panelId, panelName }: GreenList, { type, name, hgncId }: Holding) => ({
  panelId,
  panelName,
  type,
  name,
  hgncId,
});

const order: readonly (Rating | null | undefined)[] = ['green', 'amber', 'red', 'none', null, undefined];

function highest(ratings: readonly (Rating | null | undefined)[]): Effect['ratingThen'] {
  const [best] = ratings.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return best === undefined ? 'absent' : best;
}

interface UsedSet {
  readonly cases: number;
  readonly impact: Compared;
}

function countEffects(sets: readonly UsedSet[]): readonly CountedEffect[] {
  const counted = new Map<string, { effect: Effect; cases: number; analysed: Set<string> }>();
  for (const { cases, impact } of sets) {
    if (cases === 0) continue;
    for (const effect of impact.effects) {
      const key = `${effect.change} ${effect.panelId} ${identityOf(effect)}`;
      const known = counted.get(key) ?? { effect, cases: 0, analysed: new Set<string>() };
      counted.set(key, known);
      known.cases += cases;
      for (const version of impact.analysed) known.analysed.add(version);
    }
  }
  return [...counted.values()]
    .map(({ analysed, ...rest }) => ({ ...rest, analysed: [...analysed] }))
    .toSorted(
      (one, other) =>
        other.cases - one.cases ||
        one.effect.panelId - other.effect.panelId ||
        (one.effect.name < other.effect.name ? -1 : 1),
    );
}

function countUnknown(
  sets: readonly UsedSet[],
  lines: ReadonlyMap<string, readonly number[]>,
): readonly CountedUnknown[] {
  const counted = new Map<string, number>();
  for (const { cases, impact } of sets) {
    if (cases === 0) continue;
    for (const why of impact.unknown) counted.set(why, (counted.get(why) ?? 0) + cases);
  }
  return [...counted]
    .map(([why, cases]) => ({ why, cases, lines: lines.get(why) ?? [] }))
    .toSorted((one, other) => other.cases - one.cases || (one.why < other.why ? -1 : 1));
}

function remember(lines: Map<string, number[]>, why: string, line: number): void {
  const known = lines.get(why) ?? [];
  lines.set(why, known);
  if (known.length < SHOWN_LINES) known.push(line);
}
