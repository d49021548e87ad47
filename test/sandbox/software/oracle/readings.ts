import { type Part, partsOf } from '../../../../sandbox/software/slots.ts';
import { slotAllows } from './slot-rules.ts';

/** The texts found in the slots of a template. */
export type RawSlots = Readonly<Record<string, string>>;

/** The search for readings ends at this number: so ambiguous a text states almost nothing. */
export const mostReadings = 64;

/**
 * Every way in which `text` can be an instance of the template, given the slots that a reader of the row knows
 * (its entity, its panel). None: it is not an instance. Several: the text does not show where one value ends and the
 * next begins.
 */
export function readings(template: string, text: string, known: RawSlots): readonly RawSlots[] {
  const parts = mergeLiterals(
    partsOf(template).map((part) => (typeof part === 'string' ? part : (known[part.slot] ?? part))),
  );
  const found: RawSlots[] = [];
  walk(parts, 0, text, 0, {}, found);
  return found;
}

function mergeLiterals(parts: readonly Part[]): readonly Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else merged.push(part);
  }
  return merged;
}

function walk(
  parts: readonly Part[],
  index: number,
  text: string,
  at: number,
  slots: RawSlots,
  found: RawSlots[],
): void {
  if (found.length >= mostReadings) return;
  const part = parts[index];
  if (part === undefined) {
    if (at === text.length) found.push(slots);
    return;
  }
  if (typeof part === 'string') {
    if (text.startsWith(part, at)) walk(parts, index + 1, text, at + part.length, slots, found);
    return;
  }
  const next = parts[index + 1];
  const take = (end: number): void => {
    const value = text.slice(at, end);
    const before = slots[part.slot];
    if ((before !== undefined && before !== value) || !slotAllows(part.kind, value)) return;
    walk(parts, index + 1, text, end, { ...slots, [part.slot]: value }, found);
  };
  if (next === undefined) {
    take(text.length);
    return;
  }
  if (typeof next !== 'string') throw new Error('two slots of a wording stand side by side');
  for (let end = text.indexOf(next, at); end >= 0; end = text.indexOf(next, end + 1)) take(end);
}
