import {
  changedLists,
  classifiedLists,
  fill,
  headlineLists,
  type SlotKind,
  type Slots,
  slotsOf,
} from '../../../../sandbox/software/slots.ts';
import { allRowShapes } from '../all-row-shapes.ts';

/** Names that an imitation can speak of. */
export interface Subject {
  readonly label: string;
  readonly Label: string;
  readonly name: string;
  readonly panel: string;
}

const strangers: Subject = {
  label: 'gene: BRCA2',
  Label: 'Gene: brca2',
  name: 'BRCA2',
  panel: 'Hearing loss',
};

// Stand-ins from the private use area, so that a text can be drawn before it is known whose row it gets into.
const standIns: Subject = { label: '\uE000', Label: '\uE001', name: '\uE002', panel: '\uE003' };

const fillers: { readonly [Kind in SlotKind]?: string } = {
  position: '1-2',
  positionOrDash: '-',
  version: '4.0',
  yesNo: 'yes',
  headline: headlineLists.green,
  list: classifiedLists.red,
  changedList: changedLists.none,
  rating: 'GREEN',
  ratingOrNothing: 'RED',
  colour: 'amber',
  status: 'public',
};

const templates = allRowShapes.flatMap(({ opening, lines }) => [
  ...(opening === undefined ? [] : [opening]),
  ...Object.values<string>(lines),
]);

/** Every wording of the software, said of somebody else's gene. */
export const foreignWordings: readonly string[] = templates.map((template) => imitate(template, strangers));

/** Every wording, said of the row's own entity once `withNames` has put its names in. */
export const ownWordings: readonly string[] = templates.map((template) => imitate(template, standIns));

function imitate(template: string, subject: Subject): string {
  const names: Slots = { ...subject, symbol: subject.name };
  const filled = slotsOf(template).map(
    ({ slot, kind }) => [slot, names[slot] ?? fillers[kind] ?? 'x'] as const,
  );
  return fill(template, Object.fromEntries(filled));
}

export function withNames(text: string, subject: Subject | null): string {
  const { label, Label, name, panel } = subject ?? strangers;
  const names = new Map([
    [standIns.label, label],
    [standIns.Label, Label],
    [standIns.name, name],
    [standIns.panel, panel],
  ]);
  return text.replaceAll(/[\uE000-\uE003]/g, (standIn) => names.get(standIn) ?? '');
}
