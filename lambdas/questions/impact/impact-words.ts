import { counted } from '../../words/counted.ts';
import { ratingWord } from '../../words/phrase.ts';
import { inheritanceWords } from '../../words/value-words.ts';
import type { Effect } from './compare-analyses.ts';
import type { Impact } from './impact.ts';

/** What stands above a list of effects. */
export interface ImpactHeading {
  /** Which version counts: a clause. */
  readonly counts: string;
  /** When it was computed, as a person reads it. */
  readonly at: string;
  /** Which column was taken for what, where that is to be said. */
  readonly form: string | null;
  /** What a line of a case is. */
  readonly line: 'line' | 'item';
  /** Sentences about what was not read, so that the versions that count may not be the newest. */
  readonly unread: readonly string[];
}

/** The sentences that say what was compared, and for how many cases something is unknown. */
export function summaryOf(
  { cases, affected, withUnknown, unaffected }: Impact,
  { counts, at, form, unread }: ImpactHeading,
): readonly string[] {
  return [
    ...(form === null ? [] : [form]),
    `${counted(cases, 'case')} compared with ${counts}, ${at}.`,
    `${counted(affected, 'case')} with a change, ${counted(unaffected, 'case')} without one, ${counted(withUnknown, 'case')} with something unknown.`,
    ...unread,
  ];
}

/** The rating of an entity as a word. */
export const wordOf = (rating: Effect['ratingThen']): string => {
  if (rating === null) return 'unknown';
  return rating === 'absent' ? 'not on the panel' : ratingWord(rating);
};

/** `amber → green`, or the modes of inheritance: `BIALLELIC → MONOALLELIC`. */
export const valuesOf = ({ ratingThen, ratingNow, inheritanceThen, inheritanceNow }: Effect): string =>
  inheritanceNow === null
    ? `${wordOf(ratingThen)} → ${wordOf(ratingNow)}`
    : `${inheritanceWords(inheritanceThen)} → ${inheritanceWords(inheritanceNow)}`;

/** The panel by its present name, with the names that it had when cases were analysed. */
export const panelWords = ({ panelName, panelFormerly }: Effect): string =>
  panelFormerly.length === 0 ? panelName : `${panelName} (formerly ${panelFormerly.join(', ')})`;

/** Which versions count now, as a clause of a heading. */
export const countsWords = {
  working: 'the newest version of their panels',
  'signed-off': 'the signed-off version of their panels',
} as const;
