import { capitalizedLabelOf, type EntityType, labelOf } from './values.ts';

/**
 * The values that a slot of a wording can have. Names (entities, panels, sources, tags, types) are entered in one-line
 * fields and never contain a line break; ratings, lists and states are a few fixed texts; the rest is free text.
 */

/** The lists as a rating by hand heads its first row. */
export const headlineLists = {
  green: 'Green List (High Evidence)',
  amber: 'Amber List (Moderate Evidence)',
  red: 'Red List (Low Evidence)',
} as const;

/** The lists in the last row of a rating by hand. */
export const classifiedLists = {
  green: 'Green List (high evidence)',
  amber: 'Amber List (moderate evidence)',
  red: 'Red List (low evidence)',
  none: 'No list',
} as const;

/** The lists in the last line of the edit form. */
export const changedLists = { ...classifiedLists, none: 'No List (delete)' } as const;

export const reviewRatings = { green: 'GREEN', amber: 'AMBER', red: 'RED' } as const;

export const panelStatuses = ['public', 'promoted', 'internal', 'retired', 'deleted'] as const;
export type PanelStatus = (typeof panelStatuses)[number];

const slotKinds = [
  'text',
  'line',
  'lineOrNothing',
  'tag',
  'label',
  'Label',
  'symbol',
  'name',
  'panel',
  'position',
  'positionOrDash',
  'version',
  'yesNo',
  'headline',
  'list',
  'changedList',
  'rating',
  'ratingOrNothing',
  'colour',
  'status',
] as const;
export type SlotKind = (typeof slotKinds)[number];

/** The kind that a template states (`{from:position}`), else the slot's own name, else free text. */
function slotKind(slot: string, stated: string | undefined): SlotKind {
  const known = slotKinds.find((kind) => kind === (stated ?? slot));
  if (known) return known;
  if (stated !== undefined)
    throw new Error(`a wording has {${slot}:${stated}}; there is no such kind of slot`);
  return 'text';
}

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

/** What a reader of a row knows beside its text: the panel, and the entity where the row names it. */
export interface RowContext {
  readonly panelName: string;
  readonly entityType: EntityType | null;
  readonly entityName: string | null;
  /** On a panel-level row. */
  readonly panelLevel: boolean;
}

/** The placeholders whose text the fields of a row give. */
export function knownSlots({
  panelName,
  entityType,
  entityName,
}: RowContext): Readonly<Record<string, string>> {
  return {
    panel: panelName,
    ...(entityType !== null && entityName !== null
      ? {
          label: labelOf(entityType, entityName),
          Label: capitalizedLabelOf(entityType, entityName),
          symbol: entityName,
          name: entityName,
        }
      : {}),
  };
}
