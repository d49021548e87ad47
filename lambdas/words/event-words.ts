import type { Changes, DisagreementChange, EventKindName } from '../events/changes.ts';
import { isOfInheritance } from '../events/inheritance.ts';
import { type Entity, type EventPanel, kindOf, type PanelEvent } from '../events/schemas.ts';
import { firstStated, panelFieldName } from '../events/summary.ts';
import { capitalize, enumerate } from '../run/text.ts';
import { cleanLine, cleanText, cutAtWord } from './clean-text.ts';
import type { Fact, Row, Tone } from './notice.ts';
import { dayWords, entityName, panelName, panelPhrase, panelTitle } from './panel-words.ts';
import {
  namePiece,
  type Phrase,
  phrase,
  ratedHeadline,
  ratingChange,
  ratingPiece,
  separated,
  statusPiece,
} from './phrase.ts';
import {
  fieldChange,
  fieldWord,
  inheritanceWords,
  listWords,
  pastIn,
  pastSpan,
  pastWords,
  valueChange,
} from './value-words.ts';

interface EventWords {
  readonly headline: Phrase;
  readonly row: Row;
  /** The words of the row after "added", where one action added the entity: `as amber`; null where they are the row's. */
  readonly onceAdded: Phrase | null;
  readonly tone: Tone;
  /** What the actor did, before "by": `Rated`, `Added`. */
  readonly verb: string;
  readonly facts: readonly Fact[];
  /** Free text that belongs to the change. */
  readonly quote: string | null;
}

/** What the words of a kind of event have; the rest is as for most kinds. */
interface DescribedEvent
  extends Pick<EventWords, 'headline' | 'verb'>,
    Partial<Pick<EventWords, 'onceAdded' | 'tone' | 'facts' | 'quote'>> {
  /** Of the row, after its name. */
  readonly words: Phrase;
  /** Of the row, where it is not that of the subject. */
  readonly name?: string;
}

interface Subject {
  readonly catalogue: string;
  readonly panel: EventPanel | null;
  readonly entity: Entity | null;
  /** `BRCA1`, `STR ATXN1_CAG`; of a change of the panel itself, `Hearing loss (R67)`. */
  readonly name: string;
  /** A headline about an entity: ` on `, the panel's name and codes after its start. */
  readonly on: (start: Phrase, preposition?: string, end?: Phrase) => Phrase;
}

/** The words of some kinds of events, each from its change and what it is about. */
type WordsOf<Kinds extends EventKindName> = {
  readonly [Kind in Kinds]: (change: Changes[Kind], subject: Subject) => DescribedEvent;
};

function factsOf(
  entries: readonly (readonly [label: string, value: string | null | undefined])[],
): readonly Fact[] {
  return entries.flatMap(([label, value]) => {
    const text = cleanLine(value ?? '');
    return text === '' ? [] : [{ label, value: phrase`${text}` }];
  });
}

const quoteOf = (text: string | null | undefined): string | null => cleanText(text ?? '') || null;
const tagNames = (tags: readonly string[]): string => enumerate(tags.map((tag) => `“${cleanLine(tag)}”`));
const someTags = (tags: readonly string[]): string =>
  `${tags.length === 1 ? 'tag' : 'tags'} ${tagNames(tags)}`;

const entityEventWords: WordsOf<Extract<EventKindName, `entity.${string}`>> = {
  'entity.classified': (change, { name, on }) => {
    const { from, to, direction } = change;
    const past = pastIn(change);
    if (past)
      return {
        headline: on(phrase`${name} was ${ratingPiece(past.rating)}`, 'on', pastSpan(past)),
        words: pastWords(past),
        verb: 'Rated',
      };
    return {
      headline: on(...ratedHeadline(name, { from, to, direction })),
      words: ratingChange({ from, to, direction }),
      onceAdded: direction === 'new' ? phrase`as ${ratingPiece(to)}` : null,
      tone: to ?? 'plain',
      verb: direction === 'unchanged' ? 'Confirmed' : 'Rated',
    };
  },
  'entity.tags-changed': ({ added, removed }, { name, on }) => ({
    headline:
      removed.length === 0
        ? on(phrase`${name} has the new ${someTags(added)}`)
        : added.length === 0
          ? on(phrase`${name} has lost the ${someTags(removed)}`)
          : on(phrase`Tags of ${name} changed`),
    words: separated(
      [
        added.length > 0 ? phrase`${someTags(added)} added` : [],
        removed.length > 0 ? phrase`${someTags(removed)} removed` : [],
      ],
      ', ',
    ),
    onceAdded: removed.length === 0 ? phrase`with the ${someTags(added)}` : null,
    verb: 'Tagged',
  }),
  'entity.added': (change, { name, on }) => {
    const rated = change.rating ? phrase` as ${ratingPiece(change.rating)}` : [];
    const copied = change.copiedFrom ? phrase`copied from ${cleanLine(change.copiedFrom)}` : [];
    return {
      headline: on(phrase`${name} was added${rated}`, 'to'),
      words: separated([phrase`added${rated}`, copied], ', '),
      onceAdded: copied.length > 0 ? copied : phrase`added`,
      tone: change.rating ?? 'plain',
      verb: 'Added',
      facts: factsOf([
        ['Copied from', change.copiedFrom],
        ['Sources', listWords(change.sources)],
        ['Tags', listWords(change.tags ?? [])],
        ['Mode of inheritance', change.modeOfInheritance],
        ['Phenotypes', listWords(change.phenotypes ?? [])],
        ['Publications', listWords(change.publications ?? [])],
      ]),
    };
  },
  'entity.removed': ({ rating }, { name, on }) => ({
    headline: on(phrase`${name} was removed`, 'from', rating ? phrase` (was ${ratingPiece(rating)})` : []),
    words: rating ? phrase`removed, was ${ratingPiece(rating)}` : phrase`removed`,
    verb: 'Removed',
  }),
  'entity.renamed': ({ from, to }, { entity, on }) => {
    const isGene = entity?.type === 'gene';
    const [before, now] = [cleanLine(from), cleanLine(to)];
    return {
      headline: on(phrase`${before} ${isGene ? 'was replaced by' : 'is now named'} ${now}`),
      name: before,
      words: phrase`${isGene ? 'replaced by' : 'now named'} ${now}`,
      verb: isGene ? 'Replaced' : 'Renamed',
    };
  },
  'entity.annotated': ({ changes }, { name, on }) => {
    const fields = enumerate([...new Set(changes.map(fieldWord))]);
    const [first, ...others] = changes;
    return {
      headline: on(phrase`${capitalize(fields)} of ${name} changed`),
      words: first && others.length === 0 ? phrase`${fieldChange(first)}` : phrase`${fields} changed`,
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
    const verb = review.edited ? 'Review edited' : 'Reviewed';
    return {
      headline: on(phrase`${name} was reviewed${rating.length > 0 ? phrase` as ${rating}` : []}`),
      words: separated(
        [phrase`${verb.toLowerCase()}`, rating.length > 0 ? phrase`rated ${rating} by the reviewer` : []],
        ', ',
      ),
      verb,
      facts: factsOf([
        ['Mode of inheritance', review.modeOfInheritance],
        ['Phenotypes', listWords(review.phenotypes ?? [])],
        ['Publications', listWords(review.publications ?? [])],
      ]),
      quote: quoteOf(review.comment),
    };
  },
  'entity.review-deleted': (_change, { name, on }) => ({
    headline: on(phrase`A review of ${name} was deleted`),
    words: phrase`review deleted`,
    verb: 'Review deleted',
  }),
  'entity.commented': ({ action, comment }, { name, on }) => ({
    headline: on(
      action === 'added' ? phrase`New comment about ${name}` : phrase`A comment about ${name} was ${action}`,
    ),
    words: action === 'added' ? phrase`new comment` : phrase`comment ${action}`,
    verb: action === 'added' ? 'Written' : capitalize(action),
    quote: action === 'deleted' ? null : quoteOf(comment),
  }),
  'entity.reviews-copied': ({ fromPanel }, { name, on }) => ({
    headline: on(phrase`Reviews of ${name} were copied`, 'to'),
    words: phrase`reviews copied from ${cleanLine(fromPanel)}`,
    verb: 'Copied',
    facts: factsOf([['Copied from', fromPanel]]),
  }),
  'entity.marked-ready': (_change, { name, on }) => ({
    headline: on(phrase`${name} is marked as ready`),
    words: phrase`marked as ready`,
    verb: 'Marked',
  }),
  'entity.disagreement': (change, { catalogue, panel, entity, name, on }) => {
    const { to, here, there } = change;
    const [own, other] = [cleanLine(catalogue), cleanLine(there.catalogue)];
    const ofModes = isOfInheritance(change);
    const said = (side: DisagreementChange['here'], where: string): Phrase =>
      ofModes ? phrase`${modeWords(side)} in ${where}` : phrase`${statusPiece(side.rating)} in ${where}`;
    const [mine, theirs] = [said(here, own), said(there, other)];
    const [one, second] =
      here.rating !== 'green' && there.rating === 'green' ? [theirs, mine] : [mine, theirs];
    const both = ofModes
      ? phrase`${statusPiece('green')} in both; ${one}, ${second}`
      : phrase`${one}, ${second}`;
    const theirPanel = there.panel.name === panel?.name ? null : there.panel.name;
    return {
      headline: on(phrase`${name}${to === 'agreed' ? ' (agreed again)' : ''}: ${both}`),
      words: to === 'agreed' ? phrase`${both}: agreed again` : both,
      tone: to === 'agreed' ? 'plain' : 'amber',
      verb: 'Found',
      facts: [
        ...sideFacts(own, here, ofModes),
        ...sideFacts(other, there, ofModes),
        ...factsOf([
          [`Panel in ${other}`, theirPanel && `${theirPanel}, version ${there.panel.version}`],
          [`Name in ${other}`, there.name === entity?.name ? null : there.name],
        ]),
      ],
    };
  },
};

function sideFacts(label: string, side: DisagreementChange['here'], ofModes: boolean): readonly Fact[] {
  const { since, sinceIsExact, signedOff, ratedBy, comment, commentBy } = side;
  const rated = ratedBy === null ? '' : `, rated by ${cleanLine(ratedBy)}`;
  const by = commentBy === null || commentBy === ratedBy ? '' : `${cleanLine(commentBy)}: `;
  const wrote = comment === null ? '' : `; ${by}“${cutAtWord(cleanLine(comment), LONGEST_QUOTE)}”`;
  const mode = ofModes ? `, ${modeWords(side)}` : '';
  const words = phrase`${statusPiece(side.rating)}${mode}, since ${sinceIsExact ? '' : 'at the latest '}${dayWords(since.slice(0, 10))}${rated}${wrote}`;
  const version = signedOff && `${cleanLine(signedOff.version)} of ${dayWords(signedOff.date)}`;
  return [
    { label, value: words },
    ...(signedOff
      ? [
          {
            label: `${label}, signed off`,
            value: phrase`${statusPiece(signedOff.rating ?? 'unknown')} in ${version ?? ''}`,
          },
        ]
      : []),
  ];
}

const modeWords = ({ modesOfInheritance: modes }: DisagreementChange['here']): string =>
  modes.map(inheritanceWords).join(' / ');

const LONGEST_QUOTE = 300;

const panelEventWords: WordsOf<Exclude<EventKindName, `entity.${string}`>> = {
  'panel.promoted': ({ version, previousVersion }, { panel }) => ({
    headline: phrase`${panelPhrase(panel)} is promoted to version ${cleanLine(version)}`,
    words: previousVersion
      ? phrase`version ${cleanLine(previousVersion)} → ${cleanLine(version)}`
      : phrase`version ${cleanLine(version)}`,
    verb: 'Promoted',
  }),
  'panel.signed-off': (change, { panel }) => {
    const { signedOff } = change;
    const version =
      change.signedOffVersion ?? change.version ?? (signedOff ? undefined : change.previousSignedOffVersion);
    const numbered = version ? `${cleanLine(version)} ` : '';
    return signedOff
      ? {
          headline: phrase`${version ? `Version ${numbered}of ` : ''}${panelPhrase(panel)} is signed off`,
          words: phrase`${version ? `version ${numbered}` : ''}signed off`,
          verb: 'Signed off',
        }
      : {
          headline: phrase`The signed-off version ${numbered}of ${panelPhrase(panel)} is withdrawn`,
          words: phrase`signed-off version ${numbered}withdrawn`,
          verb: 'Withdrawn',
        };
  },
  'panel.created': ({ name }, { panel }) => ({
    headline: phrase`New panel: ${namePiece(cleanLine(name))}${panelName(panel).codes}`,
    name: cleanLine(name),
    words: phrase`panel created`,
    verb: 'Created',
  }),
  'panel.deleted': ({ name }, { panel }) => ({
    headline: phrase`Panel ${namePiece(cleanLine(name))}${panelName(panel).codes} was deleted`,
    name: cleanLine(name),
    words: phrase`panel deleted`,
    verb: 'Deleted',
  }),
  'panel.published': (_change, { panel }) => ({
    headline: phrase`${panelPhrase(panel)} is now public`,
    words: phrase`now public`,
    verb: 'Published',
  }),
  'panel.withdrawn': (_change, { panel }) => ({
    headline: phrase`${panelPhrase(panel)} is no longer public`,
    words: phrase`no longer public`,
    verb: 'Withdrawn',
  }),
  'panel.changed': ({ changes }, { panel }) => {
    const fields = enumerate([...new Set(changes.map(panelFieldName))]);
    return {
      headline: phrase`${panelPhrase(panel)} changed: ${fields}`,
      words: phrase`${fields} changed`,
      verb: 'Changed',
      facts: changes.map((each) => ({
        label: capitalize(panelFieldName(each)),
        value: phrase`${valueChange(each)}`,
      })),
    };
  },
  'activity.unclassified': ({ reason }, { panel }) => ({
    ...(reason === 'invalid-row'
      ? {
          headline: phrase`A row of the activity log could not be read`,
          words: phrase`a row that could not be read`,
        }
      : {
          headline: phrase`Unrecognised text on ${panelPhrase(panel)}`,
          words: phrase`a text that is not recognised`,
        }),
    verb: 'Written',
    facts: factsOf([['What to do', 'Look at the catalogue’s page: what changed there is unknown.']]),
  }),
};

const words: WordsOf<EventKindName> = { ...entityEventWords, ...panelEventWords };

/**
 * The words of an event; a type that is unknown here gets those of its summary. A correction says what was reported before: its reader
 * may have acted on it.
 */
export function eventWords(event: PanelEvent): EventWords {
  const words = wordsOf(event);
  const first = firstStated(event);
  if (first === null) return words;
  const { headline, row } = words;
  const { correctedVersion } = event.data;
  const where = correctedVersion === undefined ? phrase`` : phrase` in version ${correctedVersion}`;
  const before = phrase`correction; reported before: ${wordsOf(first).row.words}${where}`;
  return {
    ...words,
    headline: phrase`Correction: ${headline}`,
    row: { ...row, words: phrase`${row.words} (${before})` },
  };
}

function wordsOf(event: PanelEvent): EventWords {
  const { catalogue, panel, entity } = event.data;
  const kind = kindOf(event.type);
  if (kind === undefined) return rowOf(ofSummary((event as PanelEvent).data.summary), entityName(entity));
  const describe = words[kind] as (change: unknown, subject: Subject) => DescribedEvent;
  const isAboutPanel = entity === null && !kind.startsWith('entity.');
  const name = isAboutPanel ? panelTitle(panel) : entityName(entity);
  return rowOf(describe(event.data.change, { catalogue, panel, entity, name, on: onPanel(panel) }), name);
}

const rowOf = ({ name, words, ...others }: DescribedEvent, subject: string): EventWords => ({
  ...{ tone: 'plain', facts: [], quote: null, onceAdded: null, ...others },
  row: { name: name ?? subject, words },
});

function ofSummary(summary: string): DescribedEvent {
  const sentence = cleanLine(summary);
  return { headline: phrase`${sentence.replace(/\.$/, '')}`, words: phrase`${sentence}`, verb: 'Made' };
}

const onPanel =
  (panel: EventPanel | null) =>
  (start: Phrase, preposition = 'on', end: Phrase = []): Phrase =>
    phrase`${start} ${preposition} ${panelPhrase(panel)}${end}`;

/** What an event adds to a change of the same entity: `mode of inheritance: BIALLELIC → MONOALLELIC`; of a comment, its text. */
export function contextPhrase(event: PanelEvent): Phrase {
  const { row, quote } = eventWords(event);
  if (quote === null) return row.words;
  const text = phrase`“${cleanLine(quote)}”`;
  return event.type === 'gene-panel.entity.commented.v1' ? text : phrase`${row.words}: ${text}`;
}
