import {
  changedLists,
  classifiedLists,
  headlineLists,
  panelStatuses,
  reviewRatings,
  type SlotKind,
} from '../../../../sandbox/software/slots.ts';

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
} as const satisfies Readonly<Record<SlotKind, Rule>>;

/** Whether a value can stand in a slot of that kind. */
export function slotAllows(kind: SlotKind, value: string): boolean {
  return rules[kind].test(value);
}
