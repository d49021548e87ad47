import { type SlotKind, slotAllows, slotKind } from './slots.ts';

/** The value of a slot: a text, a list, or null, which the software prints as `None`. */
export type SlotValue = string | readonly string[] | null;
/** The values for the placeholders of a template, by name. */
export type Slots = Readonly<Record<string, SlotValue>>;
/** The texts found in the slots of a template. */
export type RawSlots = Readonly<Record<string, string>>;

/** A placeholder of a template. */
export interface Slot {
  readonly slot: string;
  /** The kind of its values: `{from:position}`; free text where none is stated. */
  readonly kind: SlotKind;
  /** What joins the items, where the slot holds a list: `{phenotypes|; }`. */
  readonly separator: string | undefined;
}
type Part = string | Slot;

const parsed = new Map<string, readonly Part[]>();

function partsOf(template: string): readonly Part[] {
  const known = parsed.get(template);
  if (known) return known;
  const parts: Part[] = [];
  let at = 0;
  for (const match of template.matchAll(/\{(\w+)(?::(\w+))?(?:\|([^}]*))?\}/g)) {
    if (match.index > at) parts.push(template.slice(at, match.index));
    const [whole, slot = '', kind, separator] = match;
    parts.push({ slot, kind: slotKind(slot, kind), separator });
    at = match.index + whole.length;
  }
  if (at < template.length) parts.push(template.slice(at));
  parsed.set(template, parts);
  return parts;
}

/** The separators of a template's list slots, by slot. */
export function listSlots(template: string): Readonly<Record<string, string>> {
  const lists: Record<string, string> = {};
  for (const { slot, separator } of slotsOf(template)) {
    if (separator !== undefined) lists[slot] = separator;
  }
  return lists;
}

/** The placeholders of a template, in order. */
export function slotsOf(template: string): readonly Slot[] {
  return partsOf(template).filter((part) => typeof part !== 'string');
}

/** The template's text with its slots filled. */
export function fill(template: string, slots: Slots): string {
  return partsOf(template)
    .map((part) => (typeof part === 'string' ? part : rendered(part, slots, template)))
    .join('');
}

function rendered({ slot, separator }: Slot, slots: Slots, template: string): string {
  const value = slots[slot];
  if (value === undefined) throw new Error(`no value for {${slot}} of the wording "${template}"`);
  if (value === null) return 'None';
  return typeof value === 'string' ? value : value.join(separator ?? '');
}

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
