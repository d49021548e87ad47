import { fill, type RowContext, type Slots } from './slots.ts';
import type { Stated } from './state.ts';
import type { RowShape } from './wordings/row-shape.ts';

/** A line as an action writes it: its key in the shape, and the values of its slots. */
export type LineToWrite<Key extends string = string> = readonly [key: Key, slots?: Slots];

/** A row to be read: its text, and what it was written from. */
export interface RowToRead {
  readonly shape: RowShape;
  readonly lines: readonly LineToWrite[];
  readonly known: Slots;
  readonly context: RowContext;
}

/** What a reader can know from the text of a row. */
export interface StatedByText {
  /** What each line states, slot by slot: the value where the text settles it, else the values that it allows. */
  readonly stated: readonly Readonly<Record<string, Stated>>[];
  /**
   * True where the text could also be a different row: where a line could end within free text, or where the same
   * lines could have another meaning. Text that can be a line always counts as one, which is no ambiguity.
   */
  readonly ambiguous: boolean;
}

/** The text of a row. */
export function rowText({ shape, lines, known }: Pick<RowToRead, 'shape' | 'lines' | 'known'>): string {
  const texts = lines.map(([key, slots]) => fill(templateOf(shape, key), { ...known, ...slots }));
  return fill(shape.opening ?? '', known) + texts.join(separatorOf(shape));
}

/** What stands between two lines of a row. */
export function separatorOf(shape: RowShape): string {
  return shape.separator ?? '\n';
}

/** The wording of a line. */
export function templateOf(shape: RowShape, key: string): string {
  const template = shape.lines[key];
  if (template === undefined) throw new Error(`no line "${key}" in such a row`);
  return template;
}
