import {
  type RowToRead,
  rowText,
  type StatedByText,
  separatorOf,
  templateOf,
} from '../../../../sandbox/software/recording.ts';
import {
  fill,
  knownSlots,
  type RowContext,
  type Slot,
  type Slots,
  type SlotValue,
  slotsOf,
} from '../../../../sandbox/software/slots.ts';
import { possiblyLeftOut, type Stated } from '../../../../sandbox/software/state.ts';
import { modesOfInheritance, modesOfPathogenicity } from '../../../../sandbox/software/values.ts';
import { allRowShapes } from '../all-row-shapes.ts';
import { parseRow } from './reading.ts';
import { mostReadings, type RawSlots, readings } from './readings.ts';
import { mostReadingsOfRow, type Parsed, type RowLines } from './row-parser.ts';

/**
 * Works out what the text of a row states to a reader of all wordings.
 * @throws {Error} when the row is in no table of wordings
 */
export function readRowText({ shape, lines, known, context }: RowToRead): StatedByText {
  const separator = separatorOf(shape);
  const texts = lines.map(([key, slots]) => fill(templateOf(shape, key), { ...known, ...slots }));
  const text = rowText({ shape, lines, known });
  const ends = endsOf(texts, separator);
  const keys = lines.map(([key]) => key);
  const alike: Parsed[] = [];
  let ambiguous = false;
  for (const parsed of parseRow(text, context, keys)) {
    if (separatorOf(parsed.shape) === separator) alike.push(parsed);
    else ambiguous ||= parsed.finest() !== undefined;
  }
  // The parts of a review have one order. Where free text holds the name of a part, the values are ambiguous,
  // and the kinds of the parts are not.
  const wanted = shape.separator === undefined ? { keys, ends } : { keys };
  const meant = alike.flatMap((parsed) => parsed.readings(wanted));
  if (meant.length === 0) throw new Error(`wrote a row that is not in the tables of wordings: ${text}`);
  ambiguous ||= lines.some(([key, slots]) => /^modeOf/.test(key) && hasKnownSplit(slots));
  ambiguous ||= shape.separator === undefined && texts.some((one) => holdsUnknownLine(one, context));
  ambiguous ||= meant.length >= mostReadingsOfRow || alike.some((parsed) => otherwise(parsed, keys, ends));
  return {
    stated: lines.map(([key, slots = {}], index) => settle(templateOf(shape, key), slots, meant, index)),
    ambiguous,
  };
}

const choices: readonly string[] = [
  '',
  'None',
  'MITOCHONDRIAL',
  'Other',
  ...modesOfInheritance,
  ...modesOfPathogenicity,
];

/** Whether `A to B` could be split elsewhere, with one of the values that the software offers on a side. */
function hasKnownSplit({ from, to }: Slots = {}): boolean {
  const [before, after] = [from ?? 'None', to ?? 'None'].map(String);
  const pieces = `${before} to ${after}`.split(' to ');
  return pieces.some((_piece, at) => {
    const [one, other] = [pieces.slice(0, at).join(' to '), pieces.slice(at).join(' to ')];
    return at > 0 && one !== before && (choices.includes(one) || choices.includes(other));
  });
}

/** How the software writes ratings in its lines. */
const ratingLabel = /(?:Green|Amber|Red) List|No list/i;
/** Lines whose free text ends in words of the software, or with the row. */
const endsPlainly = /^(?:Added comment|commented on|changed review comment|Added phenotypes)/;

/**
 * Whether a line's free text holds a line that names the row's entity or a rating, and that no wording matches. A new
 * wording of the software would look the same.
 */
function holdsUnknownLine(text: string, context: RowContext): boolean {
  const known = knownSlots(context);
  const { entityName } = context;
  if (entityName === null || endsPlainly.test(text)) return false;
  return text.split('\n').some((line, index) => {
    const names = line.includes(entityName) || ratingLabel.test(line);
    return index > 0 && names && !isWording(line, known);
  });
}

function isWording(line: string, known: RawSlots): boolean {
  return allRowShapes.some(({ lines }) =>
    Object.values<string>(lines).some((template) => readings(template, line, known).length > 0),
  );
}

/** After how many pieces each line ends. */
function endsOf(texts: readonly string[], separator: string): readonly number[] {
  let pieces = 0;
  return texts.map((text) => {
    pieces += text.split(separator).length;
    return pieces;
  });
}

/** Whether a row of this shape could end a line elsewhere, or could have another meaning with the same lines. */
function otherwise(parsed: Parsed, keys: readonly string[], ends: readonly number[]): boolean {
  const sameKeys = (lines: RowLines): boolean => lines.every(({ key }, index) => key === keys[index]);
  if (parsed.shape.separator === undefined) {
    if ([...parsed.possibleEnds()].some((end) => !ends.includes(end))) return true;
  } else if ((parsed.finest()?.length ?? 0) > keys.length) return true;
  return !parsed.readings({ ends }).every(sameKeys);
}

/** The separators of a template's list slots, by slot. */
function listSlots(template: string): Readonly<Record<string, string>> {
  const lists: Record<string, string> = {};
  for (const { slot, separator } of slotsOf(template)) {
    if (separator !== undefined) lists[slot] = separator;
  }
  return lists;
}

function settle(
  template: string,
  slots: Slots,
  meant: readonly RowLines[],
  index: number,
): Readonly<Record<string, Stated>> {
  const separators = listSlots(template);
  const kinds = new Map(slotsOf(template).map((one) => [one.slot, one]));
  const stated = Object.entries(slots).map(([slot, value]) => {
    const found = new Set(meant.map((lines) => lines[index]?.slots[slot]));
    found.delete(undefined);
    const settled =
      found.size <= 1 &&
      meant.length < mostReadings &&
      splitsBack(value, separators[slot]) &&
      !isListOfNames(value, kinds.get(slot));
    return [slot, settled ? value : oneOf(value, separators[slot])] as const;
  });
  return Object.fromEntries(stated);
}

/** Whether the value is a list of names that may contain its separator; none contains a comma without a space. */
function isListOfNames(value: SlotValue, slot: Slot | undefined): boolean {
  const ofNames = slot?.kind === 'line' || slot?.kind === 'lineOrNothing';
  return ofNames && slot.separator !== ',' && Array.isArray(value) && value.length > 1;
}

/** Whether a joined text gives its list, and differs from the `None` that means no value. */
function splitsBack(value: SlotValue, separator: string | undefined): boolean {
  if (value === null) return true;
  if (typeof value === 'string') return value !== 'None';
  const items = cut(value, separator);
  return items.length === value.length && items.every((item, index) => item === value[index]);
}

/** The items of a list as its joined text shows them. */
function cut(value: readonly string[], separator: string | undefined): readonly string[] {
  const joined = value.join(separator ?? '');
  if (joined === '' || joined === 'None') return [];
  // Some names of sources contain a comma and a space; sources are joined by a comma without a space.
  return separator === ',' ? joined.split(/,(?! )/) : joined.split(separator ?? '');
}

/** The right value or none. A list whose items contain its separator may also be published as the text shows it. */
function oneOf(value: SlotValue, separator: string | undefined): Stated {
  const { oneOf } = possiblyLeftOut<SlotValue>(value);
  if (typeof value === 'string' || value === null || splitsBack(value, separator)) return { oneOf };
  return { oneOf: [...oneOf, cut(value, separator)] };
}
