import { rCodesIn } from '../events/r-codes.ts';
import { nameKey } from '../filters/name-key.ts';
import type { VersionSummary } from './version-state.ts';

/** How sure it is that two panels belong together. What is only perhaps so is not compared unless somebody says so. */
export const sureness = ['certain', 'likely', 'perhaps'] as const;
type Sureness = (typeof sureness)[number];

/** A panel of one catalogue, as pairs are found by it. */
export interface PairablePanel {
  readonly id: number;
  readonly name: string;
  readonly formerly: readonly string[];
  /** Its relevant disorders and R codes. */
  readonly disorders: readonly string[];
  readonly summary: VersionSummary;
  /** Its green genes, STRs and regions, by `identityOf`. */
  readonly green: ReadonlySet<string>;
}

/** Two panels of two catalogues that belong together, or may. */
export interface PanelPair {
  readonly panels: readonly [PairedPanel, PairedPanel];
  /** Phrases, the strongest first: `equal names`. */
  readonly reasons: readonly string[];
  readonly sure: Sureness;
}

/** A panel as a pair names it. */
type PairedPanel = Pick<PairablePanel, 'id' | 'name'>;

/** From this share of green entities in both, of those in either, two panels are about the same. */
const LIKELY_OVERLAP = 0.6;
const POSSIBLE_OVERLAP = 0.3;
/** Panels with fewer green entities in common are alike by chance. */
const MIN_SHARED = 3;

/**
 * Proposes which panels of two catalogues belong together: by equal and former names, by what disorders they are for, and by
 * the green entities that they share. Each panel is in one pair at most: its surest.
 */
export function proposePairs(
  first: readonly PairablePanel[],
  second: readonly PairablePanel[],
): readonly PanelPair[] {
  const candidates = first.flatMap((one) =>
    second.flatMap((other) => {
      const found = reasonsOf(one, other);
      return found ? [{ one, other, ...found }] : [];
    }),
  );
  candidates.sort(
    (a, b) =>
      sureness.indexOf(a.sure) - sureness.indexOf(b.sure) ||
      b.overlap - a.overlap ||
      a.one.id - b.one.id ||
      a.other.id - b.other.id,
  );
  const [paired, pairedToo] = [new Set<number>(), new Set<number>()];
  return candidates.flatMap(({ one, other, reasons, sure }): readonly PanelPair[] => {
    if (paired.has(one.id) || pairedToo.has(other.id)) return [];
    paired.add(one.id);
    pairedToo.add(other.id);
    return [{ panels: [named(one), named(other)], reasons, sure }];
  });
}

const named = ({ id, name }: PairablePanel): PairedPanel => ({ id, name });

interface Likeness extends Pick<PanelPair, 'reasons' | 'sure'> {
  readonly overlap: number;
}

function reasonsOf(one: PairablePanel, other: PairablePanel): Likeness | null {
  const isSameName = nameKey(one.name) === nameKey(other.name);
  const formerly = isSameName ? undefined : sharedFormerName(one, other);
  const disorders = sharedDisorders(one, other);
  const shared = [...one.green].filter((identity) => other.green.has(identity)).length;
  const all = one.green.size + other.green.size - shared;
  const overlap = shared < MIN_SHARED ? 0 : shared / all;
  const reasons = [
    ...(isSameName ? ['equal names'] : []),
    ...(formerly === undefined ? [] : [`one was called “${formerly}”`]),
    ...(disorders.length > 0 ? [`both are for ${disorders.join(', ')}`] : []),
    ...(overlap >= POSSIBLE_OVERLAP ? [`${shared} of ${all} green entities in both`] : []),
  ];
  if (reasons.length === 0) return null;
  const isBacked = overlap >= POSSIBLE_OVERLAP && (formerly !== undefined || disorders.length > 0);
  const sure = isSameName ? 'certain' : isBacked || overlap >= LIKELY_OVERLAP ? 'likely' : 'perhaps';
  return { reasons, sure, overlap };
}

function sharedFormerName(one: PairablePanel, other: PairablePanel): string | undefined {
  const keys = new Set([other.name, ...other.formerly].map(nameKey));
  return (
    one.formerly.find((name) => keys.has(nameKey(name))) ??
    other.formerly.find((name) => nameKey(name) === nameKey(one.name))
  );
}

/** Codes that a directory gives, and disorders in the same words. */
function sharedDisorders(one: PairablePanel, other: PairablePanel): readonly string[] {
  const keysOf = (texts: readonly string[]) => {
    const codes = rCodesIn(texts);
    return [...codes, ...texts.filter((text) => !codes.includes(text.trim())).map(nameKey)].filter(Boolean);
  };
  const keys = new Set(keysOf(other.disorders));
  return [...new Set(keysOf(one.disorders))].filter((key) => keys.has(key));
}
