import type { PanelEvent } from '../events/schemas.ts';
import { type EntityStatus, statusesOf } from './entity-history.ts';

/**
 * What a change can mean for the green list: the one answer to "now green" and "no longer green" that reports, digests, messages,
 * the page, the worklist and filters share. What is not certain stands apart.
 */
export const greenTurns = {
  now: { words: 'now green', tone: 'green', isGreen: true, isCertain: true },
  'maybe-now': { words: 'rated green, perhaps green before', tone: 'green', isGreen: true, isCertain: false },
  'no-longer': { words: 'no longer green', tone: 'red', isGreen: false, isCertain: true },
  'maybe-no-longer': { words: 'may no longer be green', tone: 'red', isGreen: false, isCertain: false },
} as const;
export type GreenTurn = keyof typeof greenTurns;
export const greenTurnNames = Object.keys(greenTurns) as [GreenTurn, ...GreenTurn[]];

/** The turns to green, or away from it, also where they are not certain. */
export const turnsWhere = (isGreen: boolean): readonly GreenTurn[] =>
  greenTurnNames.filter((turn) => greenTurns[turn].isGreen === isGreen);

/**
 * What it means that an entity's state became another one: a downgrade, a removal and "No list" end its being green; a rating that was
 * lost with its source may have. Null where the change is none of the green list.
 */
export function greenTurnOf(from: EntityStatus, to: EntityStatus): GreenTurn | null {
  if (from === to) return null;
  if (to === 'green') return from === 'unknown' ? 'maybe-now' : 'now';
  if (from === 'green') return to === 'unknown' ? 'maybe-no-longer' : 'no-longer';
  return from === 'unknown' ? 'maybe-no-longer' : null;
}

/** What an event alone says of the green list; null where it says nothing. */
export function greenTurnOfEvent(event: PanelEvent): GreenTurn | null {
  // The rating of an added entity is an event of its own.
  if (event.type === 'gene-panel.entity.added.v1') return null;
  const statuses = statusesOf(event, undefined);
  const [from] = statuses;
  const to = statuses.at(-1);
  return from === undefined || to === undefined ? null : greenTurnOf(from, to);
}

/** The lists of net changes, in the order in which they are shown: the words of each, and its heading. A change is in one of them. */
export const changeLists = {
  'now green': 'Now green',
  'rated green, perhaps green before': 'Rated green, perhaps green before',
  'no longer green': 'No longer green',
  'may no longer be green': 'May no longer be green',
  'other change of rating': 'Other changes of rating',
  added: 'Added',
  removed: 'Removed',
  'changed and changed back': 'Changed and changed back',
} as const satisfies Readonly<Record<(typeof greenTurns)[GreenTurn]['words'], string>> &
  Readonly<Record<string, string>>;
export type ChangeListWords = keyof typeof changeLists;
export const changeListWords = Object.keys(changeLists) as readonly ChangeListWords[];

/** The lists about green, of what may have been green too: what a laboratory asks for first. */
export const greenListWords: readonly ChangeListWords[] = greenTurnNames.map(
  (turn) => greenTurns[turn].words,
);

/** The list of an entity's net change; null where its state was never another one. */
export function changeListOf({
  from,
  to,
  steps,
}: {
  readonly from: EntityStatus;
  readonly to: EntityStatus;
  readonly steps: readonly EntityStatus[];
}): ChangeListWords | null {
  const turn = greenTurnOf(from, to);
  if (turn !== null) return greenTurns[turn].words;
  if (from === to) return steps.length > 1 ? 'changed and changed back' : null;
  if (from === 'absent') return 'added';
  return to === 'absent' ? 'removed' : 'other change of rating';
}
