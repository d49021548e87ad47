import { type SlotKind, slotKind } from './slots.ts';

/** The value of a slot: a text, a list, or null, which the software prints as `None`. */
export type SlotValue = string | readonly string[] | null;
/** The values for the placeholders of a template, by name. */
export type Slots = Readonly<Record<string, SlotValue>>;

/** A placeholder of a template. */
export interface Slot {
  readonly slot: string;
  /** The kind of its values: `{from:position}`; free text where none is stated. */
  readonly kind: SlotKind;
  /** What joins the items, where the slot holds a list: `{phenotypes|; }`. */
  readonly separator: string | undefined;
}
/** A piece of a template: words, or a placeholder. */
export type Part = string | Slot;

const parsed = new Map<string, readonly Part[]>();

/** The words and the placeholders of a template, in order. */
export function partsOf(template: string): readonly Part[] {
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
