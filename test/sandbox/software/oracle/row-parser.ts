import { separatorOf } from '../../../../sandbox/software/recording.ts';
import { fill } from '../../../../sandbox/software/slots.ts';
import type { RowShape } from '../../../../sandbox/software/wordings/row-shape.ts';
import { type RawSlots, readings } from './readings.ts';

/** A line of a row as it is read: its key, and one way to read what stands in its slots. */
interface RowLine {
  readonly key: string;
  readonly slots: RawSlots;
}

/** The lines of a row, in the order of the text. */
export type RowLines = readonly RowLine[];

/** What a reading must look like: the key of each line, or the number of pieces up to the end of each. */
interface Wanted {
  readonly keys?: readonly string[];
  readonly ends?: readonly number[];
}

/**
 * A text as a row of some shape. Free text may contain the separator, so a line is one or several of the pieces
 * between separators.
 */
export interface Parsed {
  readonly shape: RowShape;
  /** The reading in the most lines, or undefined where the text is no such row. */
  finest(): RowLines | undefined;
  /** Every number of pieces after which some reading ends a line. */
  possibleEnds(): ReadonlySet<number>;
  /** The readings that are so; at most `mostReadingsOfRow`. */
  readings(wanted: Wanted): readonly RowLines[];
}

/** Where so many readings are found, the text says next to nothing. */
export const mostReadingsOfRow = 64;

/** Between lines: the number of pieces read, and the rank of the first line that may follow. */
interface Place {
  readonly piece: number;
  readonly rank: number;
}

/** The text as a row of that shape, or undefined where its opening says that it is none. */
export function parseAs(shape: RowShape, text: string, known: RawSlots): Parsed | undefined {
  // An opening names the entity, which the row must name too.
  if (shape.opening !== undefined && known.label === undefined) return undefined;
  const opening = fill(shape.opening ?? '', known);
  if (!text.startsWith(opening)) return undefined;
  const pieces = text.slice(opening.length).split(separatorOf(shape));
  const keys = Object.keys(shape.lines);

  const match = remember((rank: number, from: number, to: number) =>
    readings(shape.lines[keys[rank] ?? ''] ?? '', pieces.slice(from, to).join(separatorOf(shape)), known),
  );
  const canMiss = (from: number, to: number): boolean =>
    !keys.slice(from, to).some((key) => shape.must?.includes(key));
  const isEnd = ({ piece, rank }: Place): boolean => piece === pieces.length && canMiss(rank, keys.length);

  /** The lines that can stand next: their rank, and the place after them. */
  const nextLines = remember((piece: number, rank: number) => {
    const found: { readonly rank: number; readonly place: Place }[] = [];
    for (let next = rank; next < keys.length && canMiss(rank, next); next += 1) {
      const after = shape.repeated?.includes(keys[next] ?? '') ? next : next + 1;
      for (let end = piece + 1; end <= pieces.length; end += 1) {
        if (match(next, piece, end).length > 0)
          found.push({ rank: next, place: { piece: end, rank: after } });
      }
    }
    return found;
  });

  /** How many lines can follow at most; negative where the text cannot be read on. */
  const mostLines = remember((piece: number, rank: number): number =>
    Math.max(
      isEnd({ piece, rank }) ? 0 : Number.NEGATIVE_INFINITY,
      ...nextLines(piece, rank).map(({ place }) => 1 + mostLines(place.piece, place.rank)),
    ),
  );

  function finest(): RowLines | undefined {
    const left = mostLines(0, 0);
    if (left < 0) return undefined;
    const lines: RowLine[] = [];
    let place: Place = { piece: 0, rank: 0 };
    for (let wanted = left - 1; wanted >= 0; wanted -= 1) {
      const { piece, rank } = place;
      const line = nextLines(piece, rank).find(
        (next) => mostLines(next.place.piece, next.place.rank) === wanted,
      );
      if (!line) return undefined;
      const slots = match(line.rank, piece, line.place.piece)[0] ?? {};
      lines.push({ key: keys[line.rank] ?? '', slots });
      place = line.place;
    }
    return lines;
  }

  function possibleEnds(): ReadonlySet<number> {
    const seen = new Set<string>();
    const ends = new Set<number>();
    const visit = ({ piece, rank }: Place): void => {
      const name = `${piece}/${rank}`;
      if (seen.has(name) || mostLines(piece, rank) < 0) return;
      seen.add(name);
      if (piece > 0) ends.add(piece);
      for (const { place } of nextLines(piece, rank)) visit(place);
    };
    visit({ piece: 0, rank: 0 });
    return ends;
  }

  function readingsThat(wanted: Wanted): readonly RowLines[] {
    const found: RowLines[] = [];
    const walk = (place: Place, lines: RowLines): void => {
      if (found.length >= mostReadingsOfRow) return;
      if (isEnd(place) && (wanted.keys ?? wanted.ends)?.length === lines.length) found.push(lines);
      for (const next of nextLines(place.piece, place.rank)) {
        const key = keys[next.rank] ?? '';
        const index = lines.length;
        if (wanted.keys && wanted.keys[index] !== key) continue;
        if (wanted.ends && wanted.ends[index] !== next.place.piece) continue;
        for (const slots of match(next.rank, place.piece, next.place.piece)) {
          walk(next.place, [...lines, { key, slots }]);
        }
      }
    };
    walk({ piece: 0, rank: 0 }, []);
    return found;
  }

  return { shape, finest, possibleEnds, readings: readingsThat };
}

function remember<Args extends number[], T>(compute: (...args: Args) => T): (...args: Args) => T {
  const known = new Map<string, { readonly value: T }>();
  return (...args) => {
    const name = args.join('/');
    const before = known.get(name);
    if (before) return before.value;
    const value = compute(...args);
    known.set(name, { value });
    return value;
  };
}
