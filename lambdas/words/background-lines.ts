import type { Rating } from '../events/changes.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { firstOf } from './counted.ts';
import type { Background, Elsewhere, MessageContext } from './message-context.ts';
import type { Fact } from './notice.ts';
import { type Phrase, phrase, ratingPiece, ratingWord, separated } from './phrase.ts';
import { inheritanceLabel } from './value-words.ts';

/** The most panels of one rating that are named; the others are counted. */
const MOST_PANELS = 3;

/** The lines below a change in a list: the comment given with it, the rating before, and what is known of the entity. */
export function backgroundLines(
  background: Background | undefined,
  context: Pick<MessageContext, 'times'>,
): readonly Phrase[] {
  if (!background) return [];
  const comment = background.comment === undefined ? '' : cleanLine(ratingComment(background.comment));
  const before = beforeFact(background, context).map(({ label, value }) => phrase`${label}: ${value}`);
  const known = knownPhrase(background);
  return [
    ...(comment === '' ? [] : [phrase`“${comment}”`]),
    ...before,
    ...(known.length === 0 ? [] : [known]),
  ];
}

/** The rating before, as a fact; none where it is unknown. */
export function beforeFact(
  { before }: Pick<Background, 'before'>,
  { times }: Pick<MessageContext, 'times'>,
): readonly Fact[] {
  if (!before) return [];
  const version = before.version ? `, version ${cleanLine(before.version)}` : '';
  const value = phrase`${ratingPiece(before.rating)} since ${times.day(before.since)}${version}`;
  return [{ label: 'Before', value }];
}

/** The comment without the catalogue's prefix, which names the rating that the message is about. */
export const ratingComment = (comment: string): string =>
  cleanText(comment.replace(/^\s*Comment on list classification:\s*(?=\S)/, ''));

/**
 * `HGNC:1100 · mode of inheritance: BOTH monoallelic and biallelic · also green on R207, R430; amber on R15`, after `BRCA1 (HGNC:1100)` where the
 * name is given; empty where nothing is known.
 */
export function knownPhrase(
  { hgncId, modeOfInheritance, elsewhere = [] }: Background,
  name?: string,
): Phrase {
  const known = separated(
    [phrase`${inheritanceLabel(modeOfInheritance)}`, phrase`${elsewhereWords(elsewhere)}`],
    ' · ',
  );
  const id = cleanLine(hgncId ?? '');
  if (name === undefined) return separated([phrase`${id}`, known], ' · ');
  if (id === '' && known.length === 0) return [];
  return separated([phrase`${name}${id && ` (${id})`}`, known], ' · ');
}

/** `also green on R207, R430 and 2 more; amber on R15`; of other panels where it is not green, one rating is enough. */
function elsewhereWords(elsewhere: readonly Elsewhere[]): string {
  const on = (rating: Rating): string => {
    const panels = elsewhere
      .filter((each) => each.rating === rating)
      .map(({ panel }) => cleanLine(panel, 60));
    if (panels.length === 0) return '';
    return `${ratingWord(rating)} on ${firstOf(panels, MOST_PANELS)}`;
  };
  const words = [on('green'), on('amber')].filter(Boolean).join('; ');
  return words === '' ? '' : `also ${words}`;
}
