import type { Rating } from '../../lambdas/events/changes.ts';
import type { Block, Notice, Row } from '../../lambdas/words/notice.ts';
import { type Phrase, phraseText } from '../../lambdas/words/phrase.ts';

/** What a message says of one entity, or of its panel, when it is read. */
export interface Sentence {
  /** The panel's name, without codes. */
  readonly panel: string;
  /** Null where it is about the panel. */
  readonly entity: string | null;
  /** The rating that the entity has, `removed`, or `there` where it is on the panel. Of a panel, the version. */
  readonly says: Rating | 'removed' | 'there' | `version ${string}`;
  /** The rating before; null where the sentence names none. */
  readonly from: Rating | null;
  readonly words: string;
}

const withoutCodes = (text: string): string => text.replace(/ \([^()]*\)$/, '');
const nameIn = ({ name }: Row): string =>
  name.replace(/^(?:Region|STR) /, '').replace(/ \(formerly [^()]*\)$/, '');

/** The last rating of `amber → green`, `added as red`; what a note in brackets says is past. Null of one that is unknown. */
function ratingIn(words: Phrase): Rating | null {
  const note = words.findIndex((piece) => piece.kind === 'text' && piece.text.includes('('));
  const said = note < 0 ? words : words.slice(0, note);
  const last = said.findLast((piece) => piece.kind === 'rating');
  if (last?.kind !== 'rating' || /(?:unknown(?: since)?|not on the panel)$/.test(phraseText(said).trim()))
    return null;
  return last.rating;
}

/** The rating before an arrow. */
function ratingBefore(words: Phrase): Rating | null {
  const [first, arrow] = words;
  return first?.kind === 'rating' && arrow && phraseText([arrow]).startsWith(' →') ? first.rating : null;
}

/** Titles of groups whose rows say what was, and not what is. */
const pastTitles = new Set([
  'Changed and changed back',
  'Found late, and so no longer',
  'Renamed',
  'Tags',
  'Details',
  'Reviews and comments',
  'Other changes of panels',
  'Not recognised',
]);

function rowSentence(
  row: Row,
  { title, panel }: { readonly title: string; readonly panel: string },
): Sentence[] {
  const words = `${title}: ${row.name} ${phraseText(row.words)}`;
  const entity = nameIn(row);
  const about = { panel, entity, words, from: ratingBefore(row.words) };
  if (title === 'Promoted or signed off') {
    const version = /(?:→|promoted to) (\d+\.\d+)/.exec(phraseText(row.words))?.[1];
    const named = withoutCodes(row.name);
    return version ? [{ panel: named, entity: null, from: null, says: `version ${version}`, words }] : [];
  }
  if (/^removed\b|removed since$/.test(phraseText(row.words)) || title === 'Removed')
    return [{ ...about, says: 'removed' }];
  const rating = ratingIn(row.words);
  if (rating) return [{ ...about, says: rating }];
  return /^added\b/.test(phraseText(row.words)) || title === 'Added' ? [{ ...about, says: 'there' }] : [];
}

function blockSentences(block: Block, panel: string): readonly Sentence[] {
  if (block.kind === 'change') return rowSentence(block.row, { title: '', panel });
  if (block.kind === 'text') {
    const version = /[Pp]romoted to (?:version )?(\d+\.\d+)/.exec(phraseText(block.text))?.[1];
    return version
      ? [{ panel, entity: null, from: null, says: `version ${version}`, words: phraseText(block.text) }]
      : [];
  }
  if (block.kind !== 'group' || pastTitles.has(block.title)) return [];
  return block.parts.flatMap(({ heading, rows }) =>
    rows
      .flatMap((row) => (row.name === '' ? listed(row) : [row]))
      .flatMap((row) => {
        const own = heading ? withoutCodes(phraseText(heading)) : panel;
        return rowSentence(row, { title: block.title, panel: own });
      }),
  );
}

/** The rows of a list of names. */
const listed = ({ words }: Row): readonly Row[] =>
  phraseText(words)
    .split(', ')
    .map((name) => ({ name, words: [] }));

/** What a notice says of entities and promotions. */
export function sentencesOf({ blocks }: Notice): readonly Sentence[] {
  const place = blocks.find((block) => block.kind === 'place');
  const fact = place?.facts.find(({ label }) => label === 'Panel');
  const panel = fact ? phraseText(fact.value) : '';
  return blocks.flatMap((block) => blockSentences(block, panel));
}

/** The time that a message names as the one of which it is true; null where it names none. */
export function knownAt({ blocks }: Notice): string | null {
  const texts = blocks.flatMap((block) => (block.kind === 'text' ? [phraseText(block.text)] : []));
  return texts.find((text) => text.startsWith('As known on ')) ?? null;
}
