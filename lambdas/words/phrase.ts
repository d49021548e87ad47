import type { Changes, Rating } from '../events/changes.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { cutAtWord } from './clean-text.ts';

/** A rating as people say it. */
export function ratingWord(rating: Rating | null): string {
  if (rating === null) return 'unknown';
  return rating === 'none' ? 'unrated' : rating;
}

/** A circle in the colour of a rating. It is shown beside the word, never instead of it. */
export const ratingEmoji: Readonly<Record<Rating, string>> = {
  green: '🟢',
  amber: '🟠',
  red: '🔴',
  none: '⚪',
};

/** A rating with its colour before its word: `🟢 green`. */
export const colouredRating = (rating: Rating): string => `${ratingEmoji[rating]} ${ratingWord(rating)}`;

/** A part of a sentence. Each channel renders every kind of it (`PieceRenderers`). Texts are clean and not yet escaped. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** A rating: its word, with its colour where the channel has colours. */
  | { readonly kind: 'rating'; readonly rating: Rating }
  /** A name, such as a panel's: where there is little space, it is shortened first. */
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly address: string };

/** Words that a person reads, before any channel's markup. */
export type Phrase = readonly Piece[];

/** How a channel writes each kind of piece. */
export type PieceRenderers<Rendered> = {
  readonly [Kind in Piece['kind']]: (piece: Extract<Piece, { readonly kind: Kind }>) => Rendered;
};

type PhrasePart = string | Piece | Phrase;

/** The phrase of a template, such as `${rating('amber')} → ${rating('green')}`. */
export const phrase = (strings: TemplateStringsArray, ...values: readonly PhrasePart[]): Phrase =>
  joined(strings.flatMap((text, index) => [text, values[index] ?? '']));

/** Parts as one phrase, one after the other; empty texts are left out. */
function joined(parts: readonly PhrasePart[]): Phrase {
  const pieces: Piece[] = [];
  for (const part of parts) {
    const own =
      typeof part === 'string' ? [{ kind: 'text' as const, text: part }] : 'kind' in part ? [part] : part;
    for (const piece of own) {
      const last = pieces.at(-1);
      if (piece.kind === 'text' && piece.text === '') continue;
      if (piece.kind === 'text' && last?.kind === 'text')
        pieces[pieces.length - 1] = { kind: 'text', text: last.text + piece.text };
      else pieces.push(piece);
    }
  }
  return pieces;
}

/** Phrases with a text between each two of them; empty ones are left out. */
export function separated(phrases: readonly Phrase[], separator: string): Phrase {
  const own = phrases.filter((each) => each.length > 0);
  return joined(own.flatMap((each, index) => (index === 0 ? [each] : [separator, each])));
}

/** A rating as a piece; of an unknown rating, the word alone. */
export const ratingPiece = (rating: Rating | null): Piece =>
  rating === null ? { kind: 'text', text: ratingWord(null) } : { kind: 'rating', rating };

/** What is known of an entity on a panel: its rating, or that it is not on it. */
export const statusPiece = (status: EntityStatus): Piece =>
  status === 'absent'
    ? { kind: 'text', text: 'not on the panel' }
    : ratingPiece(status === 'unknown' ? null : status);

/** A name that may be shortened. */
export const namePiece = (text: string): Piece => ({ kind: 'name', text });

/** Words that lead to an address. */
export const linkPiece = (text: string, address: string): Piece => ({ kind: 'link', text, address });

/** Each piece as a channel writes it. */
export const renderPhrase = <Rendered>(
  pieces: Phrase,
  renderers: PieceRenderers<Rendered>,
): readonly Rendered[] => pieces.map((piece) => renderPiece(piece, renderers));

function renderPiece<Rendered>(piece: Piece, renderers: PieceRenderers<Rendered>): Rendered {
  switch (piece.kind) {
    case 'text':
      return renderers.text(piece);
    case 'rating':
      return renderers.rating(piece);
    case 'name':
      return renderers.name(piece);
    case 'link':
      return renderers.link(piece);
    default:
      return piece satisfies never;
  }
}

/** A phrase as one text: ratings by their words, links without their address. */
export const phraseText = (pieces: Phrase): string => pieces.map(textOf).join('');

const textOf = (piece: Piece): string => (piece.kind === 'rating' ? ratingWord(piece.rating) : piece.text);

/** Characters of a name that readers need to recognise it. */
const SHORTEST_NAME = 12;

/** The phrase with at most `longest` UTF-16 units of text: a name is shortened first, then the end is cut at a word. */
export function cutPhrase(pieces: Phrase, longest: number): Phrase {
  const length = phraseText(pieces).length;
  if (length <= longest) return pieces;
  const name = pieces.find(({ kind }) => kind === 'name');
  if (name?.kind === 'name') {
    const space = longest - (length - name.text.length);
    if (space >= SHORTEST_NAME)
      return pieces.map((piece) => (piece === name ? namePiece(cutAtWord(name.text, space)) : piece));
  }
  const kept: Piece[] = [];
  // One unit is for the ellipsis.
  let left = longest - 1;
  for (const piece of pieces) {
    const text = textOf(piece);
    // A rating is never cut: half of its word would be another one. The space makes even a text that just fits end in “…”.
    if (text.length > left)
      return joined([...kept, piece.kind === 'rating' ? '…' : cutAtWord(`${text} `, left + 1)]);
    kept.push(piece);
    left -= text.length;
  }
  return kept;
}

/** The text of a phrase in at most `longest` UTF-16 units. */
export const shortText = (pieces: Phrase, longest: number): string => phraseText(cutPhrase(pieces, longest));

/** A rating in a headline about an entity: what comes before the panel, the preposition, and what comes after it. */
export function ratedHeadline(
  name: string,
  { from, to, direction }: Changes['entity.classified'],
): [start: Phrase, preposition?: string, end?: Phrase] {
  const rating = ratingPiece(to);
  if (to === null) return [phrase`${name} was rated`, 'on', phrase` (rating unknown)`];
  if (direction === 'new') return [phrase`${name} was added as ${rating}`, 'to'];
  if (direction === 'unchanged') return [phrase`${name} was confirmed as ${rating}`];
  if (direction === 'unknown' || from === null) {
    return [phrase`${name} is ${ratedWords(to)}`, 'on', phrase` (earlier rating unknown)`];
  }
  if (from === 'green')
    return [phrase`${name} is no longer ${ratingPiece(from)}`, 'on', phrase`: now ${rating}`];
  return [phrase`${name} is now ${rating}`, 'on', to === 'green' ? [] : phrase` (was ${ratingPiece(from)})`];
}

/** A change of rating in a row: `amber → green`. */
export function ratingChange({ from, to, direction }: Changes['entity.classified']): Phrase {
  const rating = ratingPiece(to);
  if (direction === 'new') return phrase`added as ${rating}`;
  if (direction === 'unchanged') return phrase`confirmed as ${rating}`;
  if (to === null) return phrase`rated, the rating is unknown`;
  if (direction === 'unknown' || from === null) {
    return phrase`${ratedWords(to)} (earlier rating unknown; it may have been ${ratingWord(to)} already)`;
  }
  return phrase`${ratingPiece(from)} → ${rating}`;
}

/** `rated green`; `unrated`. */
export const ratedWords = (rating: Rating): Phrase =>
  rating === 'none' ? [ratingPiece(rating)] : phrase`rated ${ratingPiece(rating)}`;
