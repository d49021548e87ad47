import type { ChangeListWords } from '../filters/green-turn.ts';
import { countOfList, type NetChanges, type PanelChanges } from '../filters/net-changes.ts';
import type { Tone } from './notice.ts';

/** The colour of each list of net changes in a digest. */
export const listTones: Readonly<Record<ChangeListWords, Tone>> = {
  'now green': 'green',
  'rated green, perhaps green before': 'green',
  'no longer green': 'red',
  'may no longer be green': 'red',
  'other change of rating': 'amber',
  added: 'plain',
  removed: 'plain',
  'changed and changed back': 'plain',
};

/** `1 correction, 3 now green, 1 no longer, 2 panels promoted`. */
export function changePhrases(
  { panels }: NetChanges,
  { inheritance, corrections }: { readonly inheritance: number; readonly corrections: number },
): readonly string[] {
  const sum = (count: (panel: PanelChanges) => number): number =>
    panels.reduce((all, panel) => all + count(panel), 0);
  const countOf = (words: ChangeListWords): number => countOfList(panels, words);
  const green = countOf('now green');
  const perhaps = countOf('rated green, perhaps green before');
  const not = countOf('no longer green');
  const perhapsNot = countOf('may no longer be green');
  const promoted = sum((panel) => (panel.promoted ? 1 : 0));
  const signed = sum(({ signOff }) => (signOff?.signedOff ? 1 : 0));
  const withdrawn = sum(({ signOff }) => (signOff && !signOff.signedOff ? 1 : 0));
  const gone = sum(({ panel }) => (isGone(panel) ? 1 : 0));
  const other = countOf('other change of rating');
  const important = [
    corrections > 0 && `${corrections} ${corrections === 1 ? 'correction' : 'corrections'}`,
    green > 0 && `${green} now green`,
    perhaps > 0 && `${perhaps} rated green (perhaps before)`,
    not > 0 && `${not} no longer${green > 0 ? '' : ' green'}`,
    perhapsNot > 0 && `${perhapsNot} may no longer be green`,
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
