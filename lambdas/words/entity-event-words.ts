import { capitalize } from '../events/capitalize.ts';
import type { EventKindName } from '../events/changes.ts';
import { enumerate } from '../events/enumerate.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { factsOf, type WordsOf } from './described-event.ts';
import { phrase, ratingPiece, separated } from './phrase.ts';
import { ratedHeadline, ratingChange } from './rating-phrases.ts';
import { fieldChange, fieldWord, listWords, valueChange } from './value-words.ts';

const quoteOf = (text: string | null | undefined): string | null => cleanText(text ?? '') || null;
const tagNames = (tags: readonly string[]): string => enumerate(tags.map((tag) => `“${cleanLine(tag)}”`));
const someTags = (tags: readonly string[]): string =>
  `${tags.length === 1 ? 'tag' : 'tags'} ${tagNames(tags)}`;

/** The words of events about a gene, STR or region. */
export const entityEventWords: WordsOf<Extract<EventKindName, `entity.${string}`>> = {
  'entity.classified': ({ from, to, direction }, { name, on }) => ({
    headline: on(...ratedHeadline(name, { from, to, direction })),
    row: { name, words: ratingChange({ from, to, direction }) },
    onceAdded: direction === 'new' ? phrase`as ${ratingPiece(to)}` : null,
    tone: to ?? 'plain',
    verb: direction === 'unchanged' ? 'Confirmed' : 'Rated',
  }),
  'entity.tags-changed': ({ added, removed }, { name, on }) => ({
    headline:
      removed.length === 0
        ? on(phrase`${name} has the new ${someTags(added)}`)
        : added.length === 0
          ? on(phrase`${name} has lost the ${someTags(removed)}`)
          : on(phrase`Tags of ${name} changed`),
    row: {
      name,
      words: separated(
        [
          added.length > 0 ? phrase`${someTags(added)} added` : [],
          removed.length > 0 ? phrase`${someTags(removed)} removed` : [],
        ],
        ', ',
      ),
    },
    onceAdded: removed.length === 0 ? phrase`with the ${someTags(added)}` : null,
    verb: 'Tagged',
  }),
  'entity.added': (change, { name, on }) => {
    const rated = change.rating ? phrase` as ${ratingPiece(change.rating)}` : [];
    const copied = change.copiedFrom ? phrase`copied from ${cleanLine(change.copiedFrom)}` : [];
    return {
      headline: on(phrase`${name} was added${rated}`, 'to'),
      row: { name, words: separated([phrase`added${rated}`, copied], ', ') },
      onceAdded: copied.length > 0 ? copied : phrase`added`,
      tone: change.rating ?? 'plain',
      verb: 'Added',
      facts: factsOf([
        ['Copied from', change.copiedFrom],
        ['Sources', listWords(change.sources)],
        ['Tags', listWords(change.tags ?? [])],
        ['Inheritance', change.modeOfInheritance],
        ['Phenotypes', listWords(change.phenotypes ?? [])],
        ['Publications', listWords(change.publications ?? [])],
      ]),
    };
  },
  'entity.removed': ({ rating }, { name, on }) => ({
    headline: on(phrase`${name} was removed`, 'from', rating ? phrase` (was ${ratingPiece(rating)})` : []),
    row: { name, words: rating ? phrase`removed, was ${ratingPiece(rating)}` : phrase`removed` },
    verb: 'Removed',
  }),
  'entity.renamed': ({ from, to }, { entity, on }) => {
    const isGene = entity?.type === 'gene';
    const [before, now] = [cleanLine(from), cleanLine(to)];
    return {
      headline: on(phrase`${before} ${isGene ? 'was replaced by' : 'is now named'} ${now}`),
      row: { name: before, words: phrase`${isGene ? 'replaced by' : 'now named'} ${now}` },
      verb: isGene ? 'Replaced' : 'Renamed',
    };
  },
  'entity.annotated': ({ changes }, { name, on }) => {
    const fields = enumerate([...new Set(changes.map(fieldWord))]);
    const [first, ...others] = changes;
    return {
      headline: on(phrase`${capitalize(fields)} of ${name} changed`),
      row: {
        name,
        words: first && others.length === 0 ? phrase`${fieldChange(first)}` : phrase`${fields} changed`,
      },
      verb: 'Changed',
      facts:
        others.length === 0
          ? []
          : changes.map((each) => ({
              label: capitalize(fieldWord(each)),
              value: phrase`${valueChange(each)}`,
            })),
    };
  },
  'entity.reviewed': (review, { name, on }) => {
    const rating = review.rating ? [ratingPiece(review.rating)] : [];
    return {
      headline: on(phrase`${name} was reviewed${rating.length > 0 ? phrase` as ${rating}` : []}`),
      row: {
        name,
        words: separated(
          [
            phrase`${review.edited ? 'review edited' : 'reviewed'}`,
            rating.length > 0 ? phrase`rated ${rating} by the reviewer` : [],
          ],
          ', ',
        ),
      },
      verb: review.edited ? 'Review edited' : 'Reviewed',
      facts: factsOf([
        ['Inheritance', review.modeOfInheritance],
        ['Phenotypes', listWords(review.phenotypes ?? [])],
        ['Publications', listWords(review.publications ?? [])],
      ]),
      quote: quoteOf(review.comment),
    };
  },
  'entity.review-deleted': (_change, { name, on }) => ({
    headline: on(phrase`A review of ${name} was deleted`),
    row: { name, words: phrase`review deleted` },
    verb: 'Review deleted',
  }),
  'entity.commented': ({ action, comment }, { name, on }) => ({
    headline: on(
      action === 'added' ? phrase`New comment about ${name}` : phrase`A comment about ${name} was ${action}`,
    ),
    row: { name, words: action === 'added' ? phrase`new comment` : phrase`comment ${action}` },
    verb: action === 'added' ? 'Written' : capitalize(action),
    quote: action === 'deleted' ? null : quoteOf(comment),
  }),
  'entity.reviews-copied': ({ fromPanel }, { name, on }) => ({
    headline: on(phrase`Reviews of ${name} were copied`, 'to'),
    row: { name, words: phrase`reviews copied from ${cleanLine(fromPanel)}` },
    verb: 'Copied',
    facts: factsOf([['Copied from', fromPanel]]),
  }),
  'entity.marked-ready': (_change, { name, on }) => ({
    headline: on(phrase`${name} is marked as ready`),
    row: { name, words: phrase`marked as ready` },
    verb: 'Marked',
  }),
};
