import type { Rating } from '../../../lambdas/events/changes.ts';
import type { SignOff, StateEntity, VersionState } from '../../../lambdas/panels/version-state.ts';
import { seededRandom } from '../../../sandbox/software/values.ts';
import { at, madeUpGene, madeUpState } from '../../panels/made-up-states.ts';

/** A made-up catalogue with a cohort of cases, and what is so for each case. */
interface Cohort {
  readonly states: readonly VersionState[];
  readonly signOffs: readonly SignOff[];
  /** Lines of CSV without headings. */
  readonly lines: readonly string[];
  /** For each case: `now green: HGNC:…` and `no longer green: HGNC:…`; `unknown` where a line cannot be placed. */
  readonly truth: ReadonlyMap<string, ReadonlySet<string>>;
}

interface MadeUpPanel {
  readonly panelId: number;
  readonly name: string;
  /** Its name since the last version, where it was renamed. */
  readonly last: string | null;
  readonly versions: readonly {
    readonly version: string;
    /** Whether its state is kept. That of a panel's newest version always is. */
    readonly isKept: boolean;
    /** The day of March on which it began. */
    readonly from: number;
    /** The day of March on which it was signed off, and that at whose noon the sign-off was withdrawn; null without. */
    readonly signedOff: number | null;
    readonly withdrawn: number | null;
    readonly entities: readonly StateEntity[];
  }[];
}

const SUPER = 4;

/** Some versions are signed off, on the day after they began; some of these sign-offs are withdrawn. */
function signOffOf(
  from: number,
  random: () => number,
): Pick<MadeUpPanel['versions'][number], 'signedOff' | 'withdrawn'> {
  if (random() > 0.4) return { signedOff: null, withdrawn: null };
  return { signedOff: from + 1, withdrawn: random() < 0.2 ? from + 7 : null };
}

/** The version that was signed off in the morning of a day that has no sign-off of its own; undefined without one. */
const signedOffOn = (
  { versions }: MadeUpPanel,
  number: number,
): MadeUpPanel['versions'][number] | undefined =>
  versions.findLast(
    ({ signedOff, withdrawn }) =>
      signedOff !== null && signedOff < number && (withdrawn === null || number <= withdrawn),
  );

/** A panel that holds what its panels hold, with a version for each of theirs. */
function superPanelOf(children: readonly MadeUpPanel[], random: () => number): MadeUpPanel {
  const days = [...new Set(children.flatMap(({ versions }) => versions.map(({ from }) => from)))];
  const versions = days
    .toSorted((one, other) => one - other)
    .map((from, index) => ({
      version: `${1 + index}.0`,
      from,
      ...signOffOf(from, random),
      isKept: index === days.length - 1 || random() < 0.6,
      entities: children.flatMap(({ panelId, name, versions: own }) => {
        const held = own.findLast((each) => each.from <= from);
        const child = { id: panelId, name, version: held?.version ?? null };
        return (held?.entities ?? []).map((entity) => ({ ...entity, child }));
      }),
    }));
  return { panelId: SUPER, name: `Panel ${SUPER}`, last: null, versions };
}

/**
 * Whether what a panel held after a version began is known: by the state of that version, or, for a super panel between two versions
 * that are kept, by those of its panels at the time.
 */
function isKnownOn({ panelId, versions }: MadeUpPanel, index: number, all: readonly MadeUpPanel[]): boolean {
  const own = versions[index];
  if (!own || own.isKept) return own !== undefined;
  if (panelId !== SUPER || !versions.slice(0, index).some(({ isKept }) => isKept)) return false;
  return all
    .slice(0, 2)
    .every((child) => child.versions.findLast(({ from }) => from <= own.from)?.isKept === true);
}

const genes = ['ALPHA', 'BETA', 'GAMMA', 'DELTA', 'EPSILON'];
const ratings: readonly Rating[] = ['green', 'green', 'amber', 'red', 'none'];
const day = (number: number): string => `2026-03-${String(number).padStart(2, '0')}`;

/**
 * Three panels with versions that begin at noon of every fourth day from 1 March 2026, each with some of five genes, and a
 * super panel of the first two. Some states are not kept. A gene keeps its HGNC id where a later version spells it otherwise; a panel may be renamed
 * with its last version.
 * @param counts by which versions the laboratory tests: a day then means the version that was signed off on it
 */
export function cohort(seed: number, counts: 'working' | 'signed-off'): Cohort {
  const random = seededRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const chance = (share: number): boolean => random() < share;
  const ordinary = [1, 2, 3].map((panelId): MadeUpPanel => {
    const length = 1 + Math.floor(random() * 4);
    const versions = Array.from({ length }, (_each, index) => {
      const entities: StateEntity[] = genes.flatMap((name) => {
        if (chance(0.3)) return [];
        const spelt = chance(0.15) ? `${name}2` : name;
        return [madeUpGene(spelt, { hgncId: `HGNC:${genes.indexOf(name) + 1}`, rating: pick(ratings) })];
      });
      // The former name of a panel is known by a version that is kept.
      const isKept = index === 0 || index === length - 1 || !chance(0.15);
      const from = 1 + 4 * index;
      return { version: `${1 + index}.0`, from, ...signOffOf(from, random), isKept, entities };
    });
    return {
      panelId,
      name: `Panel ${panelId}`,
      last: versions.length > 1 && chance(0.4) ? `Renamed ${panelId}` : null,
      versions,
    };
  });
  const panels: readonly MadeUpPanel[] = [...ordinary, superPanelOf(ordinary.slice(0, 2), random)];
  const states = panels.flatMap(({ panelId, name, last, versions }) =>
    versions.flatMap(({ version, from, isKept, entities }, index) => {
      const next = versions[index + 1];
      if (!isKept) return [];
      return madeUpState({
        panelId,
        panelName: next ? name : (last ?? name),
        childPanels: panelId === SUPER ? [1, 2] : [],
        relevantDisorders: [`R${panelId}0`],
        version,
        entities,
        validFrom: at(`${day(from)}T12:00:00`),
        validTo: next ? at(`${day(next.from)}T12:00:00`) : null,
        source: next ? 'archive' : 'present',
        readAt: at('2026-03-30T00:00:00'),
      });
    }),
  );

  const signOffs = panels.flatMap(({ panelId, name, versions }) =>
    versions.flatMap(({ version, signedOff, withdrawn }): readonly SignOff[] =>
      signedOff === null
        ? []
        : [
            {
              panelId,
              panelName: name,
              version,
              date: day(signedOff),
              listedAt: at(`${day(signedOff)}T23:00:00`),
              removedAt: withdrawn === null ? null : at(`${day(withdrawn)}T12:00:00`),
            },
          ],
    ),
  );

  const green = (entities: readonly StateEntity[]): ReadonlySet<string> =>
    new Set(entities.flatMap(({ hgncId, rating }) => (rating === 'green' ? (hgncId ?? []) : [])));
  /** What was green where a line gives the day alone; undefined where that is unknown. */
  const heldOn = (panel: MadeUpPanel, index: number, number: number): readonly StateEntity[] | undefined => {
    if (counts === 'working')
      return isKnownOn(panel, index, ordinary) ? panel.versions[index]?.entities : undefined;
    const used = signedOffOn(panel, number);
    return used?.isKept ? used.entities : undefined;
  };
  const countedNow = (panel: MadeUpPanel): readonly StateEntity[] | undefined => {
    const counted = counts === 'working' ? panel.versions.at(-1) : signedOffOn(panel, 30);
    return counted?.isKept ? counted.entities : undefined;
  };

  const lines: string[] = [];
  const truth = new Map<string, ReadonlySet<string>>();
  for (let number = 1; number <= 25; number += 1) {
    const name = `case-${number}`;
    const then = new Set<string>();
    const now = new Set<string>();
    let known = true;
    for (let line = 0; line < (chance(0.3) ? 2 : 1); line += 1) {
      const panel = pick(panels);
      const index = Math.floor(random() * panel.versions.length);
      const { version, from, isKept, entities } = panel.versions[index] as (typeof panel.versions)[number];
      const isLast = index + 1 === panel.versions.length;
      const reference = pick([
        String(panel.panelId),
        panel.name,
        panel.last ?? panel.name,
        `R${panel.panelId}0`,
        `r${panel.panelId}0.1`,
      ]);
      const kind = pick([
        'version',
        'date',
        'both',
        'unknown version',
        'later day',
        'earlier day',
        'before',
      ] as const);
      // Two days after it began, each version is the only one of its day.
      const analysed = from + 2;
      const cells = {
        version: [version, ''],
        date: ['', day(analysed)],
        both: [version, day(analysed)],
        'unknown version': ['9.9', ''],
        'later day': [version, day(from + (isLast ? 3 : 6))],
        'earlier day': [version, `2026-02-${10 + index}`],
        before: ['', '2026-02-01'],
      }[kind];
      lines.push([name, reference, ...cells].join(','));
      const used = {
        version: isKept ? entities : undefined,
        date: heldOn(panel, index, analysed),
        both: isKept ? entities : undefined,
        'unknown version': undefined,
        // A signed-off version is used long after the working one moved on.
        'later day': isKept && (isLast || counts === 'signed-off') ? entities : undefined,
        'earlier day': undefined,
        before: undefined,
      }[kind];
      const present = countedNow(panel);
      if (used && present) {
        for (const id of green(used)) then.add(id);
        for (const id of green(present)) now.add(id);
      } else {
        known = false;
      }
    }
    const own = new Set([
      ...[...now].filter((id) => !then.has(id)).map((id) => `now green: ${id}`),
      ...[...then].filter((id) => !now.has(id)).map((id) => `no longer green: ${id}`),
      ...(known ? [] : ['unknown']),
    ]);
    truth.set(name, own);
  }
  return { states, signOffs, lines, truth };
}
