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

function oneOf(...texts: readonly string[]): Rule {
  return { test: (value) => texts.includes(value) };
}

interface Rule {
  test(value: string): boolean;
}

const line: Rule = /^[^\n]+$/;

const rules = {
  text: { test: () => true },
  line,
  lineOrNothing: /^[^\n]*$/,
  // One wording doubles the word "tag", another does not. A tag that ends in " tag" would make them look alike; there
  // is none.
  tag: /^(?![^\n]* tag$)[^\n]+$/,
  // A row that names its entity has the label too; the few old rows without are all about genes.
  label: /^gene: \S+$/,
  Label: /^Gene: \S+$/,
  symbol: /^\S+$/,
  name: line,
  panel: line,
  position: /^\d+-\d+$/,
  positionOrDash: /^(?:\d+-\d+|-)$/,
  version: /^\d+\.\d+$/,
  yesNo: oneOf('yes', 'no'),
  headline: oneOf(...Object.values(headlineLists)),
  list: oneOf(...Object.values(classifiedLists)),
  changedList: oneOf(...Object.values(changedLists)),
  rating: oneOf(...Object.values(reviewRatings)),
  ratingOrNothing: oneOf(...Object.values(reviewRatings), ''),
  colour: oneOf(...Object.keys(reviewRatings)),
  status: oneOf(...panelStatuses),
} as const satisfies Record<string, Rule>;

export type SlotKind = keyof typeof rules;

/** The kind that a template states (`{from:position}`), else the slot's own name, else free text. */
export function slotKind(slot: string, stated: string | undefined): SlotKind {
  if (Object.hasOwn(rules, stated ?? slot)) return (stated ?? slot) as SlotKind;
  if (stated !== undefined)
    throw new Error(`a wording has {${slot}:${stated}}; there is no such kind of slot`);
  return 'text';
}

/** Whether a value can stand in a slot of that kind. */
export function slotAllows(kind: SlotKind, value: string): boolean {
  return rules[kind].test(value);
}
