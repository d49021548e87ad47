import { parse } from 'csv-parse/sync';
import { rCodesIn } from '../events/r-codes.ts';
import { nameKey } from '../filters/names.ts';
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

/** The columns of a file of pairs that are read; the CSV of `compare --propose-pairs` has them. */
const pairColumns = ['firstCatalogue', 'firstPanelId', 'secondCatalogue', 'secondPanelId'] as const;
type PairLine = Readonly<Record<(typeof pairColumns)[number], string | undefined>>;

/** A file is none of pairs. */
export class PairsFileError extends Error {
  override readonly name = 'PairsFileError';
  readonly code = 'PAIRS_WRONG';
  readonly seen: string;
  readonly expected = `a CSV file with the columns ${pairColumns.join(', ')}`;

  constructor(seen: string, options?: ErrorOptions) {
    super(`${JSON.stringify(seen)}: expected a CSV file with the columns ${pairColumns.join(', ')}`, options);
    this.seen = seen;
  }
}

/**
 * The pairs that a file states, of two catalogues in either order, and sentences about panels that were not read. What the file does
 * not pair is not compared.
 * @throws {PairsFileError} when it is no such file
 */
export function pairsInFile(
  content: string,
  two: readonly [string, string],
  panels: readonly [readonly PairedPanel[], readonly PairedPanel[]],
): { readonly pairs: readonly PanelPair[]; readonly unread: readonly string[] } {
  const unread: string[] = [];
  const pairs = linesOf(content).flatMap((line): readonly PanelPair[] => {
    const isTurned = line.firstCatalogue === two[1];
    const [first, second] = isTurned
      ? ([line.secondPanelId, line.firstPanelId] as const)
      : ([line.firstPanelId, line.secondPanelId] as const);
    const stated = [line.firstCatalogue, line.secondCatalogue];
    if (!two.every((catalogue) => stated.includes(catalogue)) || !first || !second) return [];
    const known = [first, second].map((id, side) => panels[side]?.find((panel) => String(panel.id) === id));
    const [one, other] = known;
    if (one && other)
      return [{ panels: [one, other], reasons: ['the file of pairs says so'], sure: 'certain' }];
    const missing = known.flatMap((panel, side) => (panel ? [] : `${[first, second][side]} of ${two[side]}`));
    unread.push(`The file of pairs has the panel ${missing.join(' and ')}, which was not read.`);
    return [];
  });
  return { pairs, unread };
}

/** A spreadsheet program may have saved the file with another one. */
const delimiters = [',', ';', '\t'] as const;

/**
 * The lines of a file of pairs. Its heading says by what it is cut: a value such as `R141; R142` has one of the others.
 * @throws {PairsFileError} when it is no such file
 */
function linesOf(content: string): readonly PairLine[] {
  const [heading = ''] = content.split('\n', 1);
  const delimiter = delimiters.find((each) =>
    pairColumns.every((column) => heading.split(each).some((cell) => cell.includes(column))),
  );
  if (delimiter === undefined) throw new PairsFileError(heading.slice(0, 80));
  let records: Record<string, string>[];
  try {
    records = parse(content, {
      ...{ bom: true, columns: true, delimiter },
      ...{ relax_column_count: true, skip_empty_lines: true },
    });
  } catch (cause) {
    throw new PairsFileError((cause as Error).message, { cause });
  }
  if (pairColumns.every((column) => records[0] && column in records[0])) return records as never;
  throw new PairsFileError(heading.slice(0, 80));
}
