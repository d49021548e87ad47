import { parse } from 'csv-parse/sync';
import type { PanelPair } from './panel-pairs.ts';

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

type PairedPanel = PanelPair['panels'][number];

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
