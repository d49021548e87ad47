import { capturedBy, isOneSided, type Part, type PreparedForm, SIDES, type Start, startsAt } from './form.ts';
import { type Captured, matchesEnding, type Names } from './template.ts';

/**
 * Splits a text into the parts of a form. Nearly every text is read line by line: each line is a part, and can be no
 * other. Free text may go over several lines and imitate parts, so in the other texts a line that looks like a part is
 * not always one. But the software writes the parts of a form in a fixed order: `search` finds them by it.
 */

/** The lines of a text, or the fields of a review. */
export interface Lines {
  readonly text: string;
  readonly first: string;
  /** All of them, split when they are first asked for: few texts need more than the first line. */
  readonly all: () => readonly string[];
  /** The names that the first line can mention, and all later ones. */
  readonly firstNames: Names;
  readonly laterNames: Names;
  /** Whether a line may be one of the software's with an unknown wording, so that free text ends before it. */
  readonly isUnknown: (line: number) => boolean;
}

/** How the lines of a text were assigned to the parts of a form. */
export interface Composition {
  /** In the order of the text; without what was captured where it is uncertain which of two fields holds it. */
  readonly parts: readonly { readonly part: Part; readonly captured: Captured | null }[];
  /** Lines that are no part. */
  readonly unknown: readonly string[];
}

/** A part at its line, with the best reading of what follows; without a start, the end of the text. */
interface Reading {
  readonly start: Start | null;
  readonly slot: number;
  readonly line: number;
  readonly next: Reading | null;
  readonly score: number;
  /** The free text could as well end at another start of the next part. */
  readonly uncertain: boolean;
}

/** By slot: the best reading of what may follow a part in that slot, and whether another is as good. */
type Following = ({ readonly reading: Reading; readonly tied: boolean } | undefined)[];

/**
 * The parts of a text by a form; null where the form does not match. A partial composition is one of a text
 * whose first line is a part and that has unknown lines; otherwise every line belongs to a part.
 */
export function compose(prepared: PreparedForm, text: Lines, partial: boolean): Composition | null {
  const firstStarts = startsAt(prepared, text.firstNames, text.first);
  if (firstStarts.length === 0) return null;
  const byLine = partial ? null : composeByLine(prepared, firstStarts, text);
  return byLine ?? search(prepared, firstStarts, text, partial);
}

/** The parts where each line is one of them, and can be no other; null leaves the text to `search`. */
function composeByLine(
  prepared: PreparedForm,
  firstStarts: readonly Start[],
  text: Lines,
): Composition | null {
  const lines = prepared.isRest ? [text.text] : text.all();
  const parts: Composition['parts'][number][] = [];
  let before = -1;
  for (let line = 0; line < lines.length; line++) {
    const names = line === 0 ? text.firstNames : text.laterNames;
    const starts = line === 0 ? firstStarts : startsAt(prepared, names, lines[line] ?? '');
    const [start] = starts;
    if (!start || starts.length > 1 || !mayPrecede(before, start.slot, prepared)) return null;
    const { part, slot } = start;
    const isRest = part.extent === 'rest';
    if (isRest && !closes(part, lines, line, start.from)) return null;
    const words = isRest ? joined(lines, line, lines.length, prepared.form.separator) : (lines[line] ?? '');
    const captured = capturedBy(start, names, words);
    if (!captured) return null;
    parts.push({ part, captured });
    before = slot;
    if (isRest) break;
  }
  return mayPrecede(before, prepared.form.slots.length, prepared) ? { parts, unknown: [] } : null;
}

/**
 * Of all the ways to read the lines in the form's order, the one with most parts, and of those the one whose parts
 * start latest. It goes from the last line to the first and keeps, for each slot of the form, the best reading of what
 * may follow: time is linear in the length of the text.
 */
function search(
  prepared: PreparedForm,
  firstStarts: readonly Start[],
  text: Lines,
  partial: boolean,
): Composition | null {
  const { firstNames, laterNames } = text;
  const lines = text.all();
  const { form, endings, hasSides } = prepared;
  const end: Reading = {
    start: null,
    slot: form.slots.length,
    line: lines.length,
    next: null,
    score: 0,
    uncertain: false,
  };
  let onNextLine: readonly Reading[] = [end];
  const none = (): Following => [];
  let anywhere = none(); // … on any later line
  let afterSides = none(); // … after a line that holds ` to `
  const afterWords = none(); // … right after a line that ends as an open part does
  offer(anywhere, onNextLine, prepared, partial);
  for (let line = lines.length - 1; line >= 0; line--) {
    const words = lines[line] ?? '';
    if (words === '') {
      onNextLine = [];
      continue;
    }
    const names = line === 0 ? firstNames : laterNames;
    if (endings.some(({ template }) => matchesEnding(template, names, words))) {
      offer(afterWords, onNextLine, prepared, partial);
    }
    const readings: Reading[] = [];
    for (const start of line === 0 ? firstStarts : startsAt(prepared, names, words)) {
      const { part, template, slot, from } = start;
      let next: Reading | undefined;
      let tied = false;
      if (part.extent === 'rest') next = closes(part, lines, line, from) ? end : undefined;
      else if (part.extent === 'line' && !partial) next = bestOf(onNextLine, slot, prepared);
      else {
        const inWords = template.ending.length > 0 && part.extent === 'open';
        const after = inWords ? afterWords : isOneSided(start, words) ? afterSides : anywhere;
        next = after[slot]?.reading;
        tied = after[slot]?.tied === true;
      }
      if (!next) continue;
      // What closes the text starts as early as it can: all that imitates parts after it is its own text.
      const bonus = part.closing === null ? 0 : (lines.length - line) * lines.length;
      const uncertain = part.extent === 'open' && form.within !== null && tied;
      readings.push({ start, slot, line, next, score: next.score + 1 + bonus, uncertain });
    }
    if (readings.length === 0 && text.isUnknown(line)) {
      if (!partial) anywhere = afterSides = none();
    } else if (hasSides && words.includes(SIDES)) afterSides = [...anywhere];
    onNextLine = readings;
    offer(anywhere, readings, prepared, partial);
  }
  const first = bestOf(onNextLine, -1, prepared);
  const composition = first ? collected(first, text, form.separator) : null;
  return composition && composition.unknown.length > 0 === partial ? composition : null;
}

/** Whether the text ends as a part that goes on to its end must end. */
function closes({ closing }: Part, lines: readonly string[], line: number, from: number): boolean {
  if (closing === null) return true;
  const last = lines.length - 1;
  const before = last - 1 === line ? lines[line]?.slice(from) : lines[last - 1];
  return line < last && lines[last]?.startsWith(closing) === true && before?.endsWith(' ') === true;
}

/** Whether a part in one slot can come right before a part in another, or before the end; -1 is the start. */
function mayPrecede(slot: number, next: number, { form, requiredBefore }: PreparedForm): boolean {
  return (
    (requiredBefore[next] ?? -1) <= slot &&
    (slot < next || (slot === next && form.slots[slot]?.many === true))
  );
}

/** The best of several readings after a part in a slot; of equals the first. */
function bestOf(readings: readonly Reading[], slot: number, prepared: PreparedForm): Reading | undefined {
  let best: Reading | undefined;
  for (const reading of readings) {
    if (mayPrecede(slot, reading.slot, prepared) && reading.score > (best?.score ?? -1)) best = reading;
  }
  return best;
}

/** Takes readings into account for the parts before them; of equals, the one that was there stays. */
function offer(
  following: Following,
  readings: readonly Reading[],
  { form, requiredBefore }: PreparedForm,
  partial: boolean,
): void {
  for (const reading of readings) {
    const untied = { reading, tied: false };
    const first = partial ? 0 : Math.max(0, requiredBefore[reading.slot] ?? 0);
    const last = form.slots[reading.slot]?.many ? reading.slot : reading.slot - 1;
    for (let slot = first; slot <= last; slot++) {
      const known = following[slot];
      const more = reading.score - (known?.reading.score ?? -1);
      if (more > 0) following[slot] = untied;
      else if (known && more === 0 && reading.slot === known.reading.slot)
        following[slot] = { ...known, tied: true };
    }
  }
}

/** The parts of a reading; null where a part does not match all that it goes over. */
function collected(first: Reading, text: Lines, separator: string): Composition | null {
  const lines = text.all();
  const parts: Composition['parts'][number][] = [];
  const unknown: string[] = [];
  let uncertainBefore = false;
  for (let reading: Reading | null = first; reading?.start; reading = reading.next) {
    const { start, line, uncertain } = reading;
    const following = reading.next?.line ?? lines.length;
    const end = endOf(start, text, line, following);
    const captured = capturedBy(
      start,
      line === 0 ? text.firstNames : text.laterNames,
      joined(lines, line, end, separator),
    );
    if (!captured) return null;
    parts.push({ part: start.part, captured: uncertain || uncertainBefore ? null : captured });
    for (let lost = end; lost < following; lost++) unknown.push(lines[lost] ?? '');
    uncertainBefore = uncertain;
  }
  return { parts, unknown };
}

function joined(lines: readonly string[], start: number, end: number, separator: string): string {
  return end === start + 1 ? (lines[start] ?? '') : lines.slice(start, end).join(separator);
}

/** The line before which a part ends that starts at `line`. */
function endOf({ part, template }: Start, text: Lines, line: number, following: number): number {
  if (part.extent === 'line') return line + 1;
  if (part.extent === 'rest' || template.ending.length > 0) return following;
  let end = line + 1;
  while (end < following && !text.isUnknown(end)) end += 1;
  return end;
}
