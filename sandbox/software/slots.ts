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
export function slotKind(slot: string, stated: string | undefined): SlotKind {
  const known = slotKinds.find((kind) => kind === (stated ?? slot));
  if (known) return known;
  if (stated !== undefined)
    throw new Error(`a wording has {${slot}:${stated}}; there is no such kind of slot`);
  return 'text';
}
