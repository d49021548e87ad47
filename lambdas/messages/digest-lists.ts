import type { EntityChange } from '../subscriptions/entity-history.ts';
import type { NetChanges, PanelChanges } from '../subscriptions/net-changes.ts';
import type { Tone } from './notice.ts';

/** A list of net changes of each panel, as a digest shows it. */
export interface ChangeList {
  readonly title: string;
  readonly tone: Tone;
  readonly of: (panel: PanelChanges) => readonly EntityChange[];
}

/** The lists of a digest: each change is in one of them. */
export function listsOf({ panels }: NetChanges): readonly ChangeList[] {
  const green = new Set(panels.flatMap(({ nowGreen, noLongerGreen }) => [...nowGreen, ...noLongerGreen]));
  const isPerhaps = ({ from }: EntityChange): boolean => from === 'unknown';
  const isCertain = (change: EntityChange): boolean => !isPerhaps(change);
  return [
    { title: 'Now green', tone: 'green', of: ({ nowGreen }) => nowGreen.filter(isCertain) },
    { title: PERHAPS, tone: 'green', of: ({ nowGreen }) => nowGreen.filter(isPerhaps) },
    { title: 'No longer green', tone: 'red', of: ({ noLongerGreen }) => noLongerGreen },
    {
      title: PERHAPS_NOT,
      tone: 'red',
      of: ({ otherRatings, removed }) => [...otherRatings, ...removed].filter(isPerhaps),
    },
    { title: 'Changed and changed back', tone: 'plain', of: ({ changedBack }) => changedBack },
    { title: OTHER, tone: 'amber', of: ({ otherRatings }) => otherRatings.filter(isCertain) },
    { title: 'Added', tone: 'plain', of: ({ added }) => added.filter((each) => !green.has(each)) },
    {
      title: 'Removed',
      tone: 'plain',
      of: ({ removed }) => removed.filter((each) => !green.has(each) && isCertain(each)),
    },
  ];
}

/** Rated green where the earlier rating is unknown. */
const PERHAPS = 'Rated green, perhaps green before';
/** Rated otherwise or removed, where the earlier rating is unknown. */
const PERHAPS_NOT = 'Not green, perhaps green before';
const OTHER = 'Other ratings';

/** `3 now green, 1 no longer, 2 panels promoted`. */
export function changePhrases(
  { panels }: NetChanges,
  lists: readonly ChangeList[],
  inheritance: number,
): readonly string[] {
  const sum = (count: (panel: PanelChanges) => number): number =>
    panels.reduce((all, panel) => all + count(panel), 0);
  const countOf = (title: string): number =>
    lists
      .filter((list) => list.title === title)
      .reduce((all, { of }) => all + sum((panel) => of(panel).length), 0);
  const [green, perhaps, perhapsNot] = [countOf('Now green'), countOf(PERHAPS), countOf(PERHAPS_NOT)];
  const not = sum(({ noLongerGreen }) => noLongerGreen.length);
  const promoted = sum((panel) => (panel.promoted ? 1 : 0));
  const signed = sum(({ signOff }) => (signOff?.signedOff ? 1 : 0));
  const withdrawn = sum(({ signOff }) => (signOff && !signOff.signedOff ? 1 : 0));
  const gone = sum(({ panel }) => (isGone(panel) ? 1 : 0));
  const other = countOf(OTHER);
  const important = [
    green > 0 && `${green} now green`,
    perhaps > 0 && `${perhaps} rated green (perhaps before)`,
    not > 0 && `${not} no longer${green > 0 ? '' : ' green'}`,
    perhapsNot > 0 && `${perhapsNot} perhaps no longer green`,
    inheritance > 0 && `${inheritance} ${inheritance === 1 ? 'change' : 'changes'} of inheritance`,
    gone > 0 && `${gone} ${gone === 1 ? 'panel' : 'panels'} gone`,
    promoted > 0 && `${promoted} ${promoted === 1 ? 'panel' : 'panels'} promoted`,
    signed > 0 && `${signed} signed off`,
    withdrawn > 0 && `${withdrawn} ${withdrawn === 1 ? 'sign-off' : 'sign-offs'} withdrawn`,
  ].filter((phrase) => phrase !== false);
  if (important.length > 0 || panels.length === 0) return important;
  return [other > 0 ? `${other} other ${other === 1 ? 'rating' : 'ratings'}` : 'small changes only'];
}

/** Whether people cannot see the panel after what happened to it. */
const isGone = (panel: PanelChanges['panel']): boolean =>
  ['deleted', 'withdrawn'].includes(panel.at(-1) ?? '');
