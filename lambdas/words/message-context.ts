import type { Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { firstOf } from './counted.ts';
import type { Fact } from './notice.ts';
import { type Phrase, phrase, ratingPiece, ratingWord, separated } from './phrase.ts';
import type { TimeWords } from './time-words.ts';
import { inheritanceLabel } from './value-words.ts';

/** What the words of a message depend on besides its events. */
export interface MessageContext {
  readonly times: TimeWords;
  /** When the message is made; ISO 8601. */
  readonly now: string;
  /** Why the reader receives it; one sentence. */
  readonly reason: string | null;
  /** How to change or stop the messages, as lines. */
  readonly help?: readonly string[];
  /** Whether the reader gets messages about several catalogues, and so must see which one a panel is of. */
  readonly namesCatalogue?: boolean;
  /** What a sign-off changed of what counts, by the id of its event. */
  readonly signOff?: (eventId: string) => SignOffComparison | undefined;
  /** What is known of an event and its entity besides. */
  readonly background?: (eventId: string) => Background | undefined;
}

/** What the history and the states of panels say about an event and its entity. */
export interface Background {
  /** The rating before, since when, and on which version of the panel. */
  readonly before?: { readonly rating: Rating; readonly since: string; readonly version: string | null };
  /** What the same person wrote in the same action. */
  readonly comment?: string;
  /** The rating on the panel, as its newest known state shows it. */
  readonly rating?: Rating;
  /** Such as `HGNC:1100`. */
  readonly hgncId?: string;
  readonly modeOfInheritance?: string;
  /** Other panels that hold the entity, as they are now. */
  readonly elsewhere?: readonly Elsewhere[];
  /** What the signed-off version of the panel says of the entity. */
  readonly signedOff?: SignedOffHolding;
}

/** An entity on another panel. */
export interface Elsewhere {
  /** `R207`, or the panel's name. */
  readonly panel: string;
  readonly rating: Rating;
}

/** An entity in the signed-off version of a panel. */
export interface SignedOffHolding {
  readonly version: string;
  /** The day of the sign-off, such as `2023-03-22`. */
  readonly date: string;
  /** The day is still to come: until then, an earlier version counts. */
  readonly isComing?: true;
  /** `absent`: the version does not hold it. Null: what the version holds is unknown. */
  readonly rating: Rating | 'absent' | null;
}

/** What a sign-off changed of what counts, as its event states it for programs. */
export type SignOffComparison = NonNullable<PanelEvent<'panel.signed-off'>['data']['change']['comparison']>;
/** An entity whose rating differs between two versions of a panel. */
export type ComparedEntity = NonNullable<SignOffComparison['entered']>[number];

/** The lines at the end of a message about its subscription: why the reader gets it, and how to change that. */
export const subscriptionLines = ({
  reason,
  help = [],
}: Pick<MessageContext, 'reason' | 'help'>): readonly string[] => [...(reason ? [reason] : []), ...help];

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
