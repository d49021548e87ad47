import { capitalize } from '../events/capitalize.ts';
import type { Changes, EventKindName } from '../events/changes.ts';
import { enumerate } from '../events/enumerate.ts';
import { panelFieldName } from '../events/field-names.ts';
import { type Entity, type EventPanel, kindOf, type PanelEvent } from '../events/schemas.ts';
import { cleanLine, cleanText } from './clean-text.ts';
import { entityName } from './entity-name.ts';
import type { Fact, Headline, Row, Tone } from './notice.ts';
import { panelName, panelTitle } from './panel-words.ts';
import { ratedHeadline, ratingChange } from './rating-phrases.ts';
import { ratingWord } from './rating-words.ts';
import { fieldChange, fieldWord, listWords, valueChange } from './value-words.ts';

/** The words for one event, the same in every channel. */
export interface EventWords {
  readonly headline: Headline;
  readonly row: Row;
  readonly tone: Tone;
  /** What the actor did, before "by": `Rated`, `Added`. */
  readonly verb: string;
  readonly facts: readonly Fact[];
  /** Free text that belongs to the change. */
  readonly quote: string | null;
}

/** The words of an event; a type that is unknown here gets those of its summary. */
export function eventWords(event: PanelEvent): EventWords {
  const { panel, entity } = event.data;
  const kind = kindOf(event.type);
  if (kind === undefined) {
    const summary = cleanLine((event as PanelEvent).data.summary);
    return { ...plain(summary, event), verb: 'Made' };
  }
  const describe = words[kind] as (change: unknown, subject: Subject) => Partial<EventWords> & Needed;
  const subject = {
    panel,
    entity,
    name: entityName(entity),
    on: onPanel(panel),
    summary: event.data.summary,
  };
  return { tone: 'plain', facts: [], quote: null, ...describe(event.data.change, subject) };
}

function plain(sentence: string, { data }: PanelEvent): EventWords {
  const headline = { start: sentence.replace(/\.$/, ''), name: '', end: '' };
  const name = entityName(data.entity);
  return { headline, row: { name, words: sentence }, tone: 'plain', verb: 'Made', facts: [], quote: null };
}

type Needed = Pick<EventWords, 'headline' | 'row' | 'verb'>;

interface Subject {
  readonly panel: EventPanel | null;
  readonly entity: Entity | null;
  /** `BRCA1`, `STR ATXN1_CAG`. */
  readonly name: string;
  /** The end of a headline about an entity: ` on `, the panel's name, its codes. */
  readonly on: (start: string, preposition?: string, end?: string) => Headline;
  readonly summary: string;
}

const onPanel =
  (panel: EventPanel | null) =>
  (start: string, preposition = 'on', end = ''): Headline => {
    const { name, codes } = panelName(panel);
    return { start: `${cleanLine(start)} ${preposition} `, name, end: `${codes}${end}` };
  };

const ofPanel = (panel: EventPanel | null, end: string, start = ''): Headline => {
  const { name, codes } = panelName(panel);
  return { start, name, end: `${codes}${end}` };
};

const quoteOf = (text: string | null | undefined): string | null => cleanText(text ?? '') || null;
const tagNames = (tags: readonly string[]): string => enumerate(tags.map((tag) => `“${cleanLine(tag)}”`));
const someTags = (tags: readonly string[]): string =>
  `${tags.length === 1 ? 'tag' : 'tags'} ${tagNames(tags)}`;
const words: {
  readonly [Kind in EventKindName]: (change: Changes[Kind], subject: Subject) => Partial<EventWords> & Needed;
} = {
  'entity.classified': ({ from, to, direction }, { name, on }) => ({
    headline: on(...ratedHeadline(name, { from, to, direction })),
    row: { name, ...ratingChange({ from, to, direction }) },
    tone: to ?? 'plain',
    verb: direction === 'unchanged' ? 'Confirmed' : 'Rated',
  }),
  'panel.promoted': ({ version, previousVersion }, { panel }) => ({
    headline: ofPanel(panel, ` is promoted to version ${cleanLine(version)}`),
    row: {
      name: panelTitle(panel),
      words: previousVersion
        ? `version ${cleanLine(previousVersion)} → ${cleanLine(version)}`
        : `version ${cleanLine(version)}`,
    },
    verb: 'Promoted',
  }),
  'panel.signed-off': ({ signedOff, version }, { panel }) => ({
    headline: signedOff
      ? ofPanel(panel, ' is signed off', version ? `Version ${cleanLine(version)} of ` : '')
      : ofPanel(
          panel,
          ' is withdrawn',
          `The signed-off version ${version ? `${cleanLine(version)} ` : ''}of `,
        ),
    row: {
      name: panelTitle(panel),
      words: signedOff
        ? `${version ? `version ${cleanLine(version)} ` : ''}signed off`
        : `signed-off version ${version ? `${cleanLine(version)} ` : ''}withdrawn`,
    },
    verb: signedOff ? 'Signed off' : 'Withdrawn',
  }),
  'entity.tags-changed': ({ added, removed }, { name, on }) => ({
    headline:
      removed.length === 0
        ? on(`${name} has the new ${someTags(added)}`)
        : added.length === 0
          ? on(`${name} has lost the ${someTags(removed)}`)
          : on(`Tags of ${name} changed`),
    row: {
      name,
      words: [
        added.length > 0 && `${someTags(added)} added`,
        removed.length > 0 && `${someTags(removed)} removed`,
      ]
        .filter(Boolean)
        .join(', '),
    },
    verb: 'Tagged',
  }),
  'entity.added': (change, { name, on }) => ({
    headline: on(`${name} was added${change.rating ? ` as ${ratingWord(change.rating)}` : ''}`, 'to'),
    row: {
      name,
      words: `added${change.rating ? ` as ${ratingWord(change.rating)}` : ''}${
        change.copiedFrom ? `, copied from ${cleanLine(change.copiedFrom)}` : ''
      }`,
      ...(change.rating && { ratings: [change.rating] }),
    },
    tone: change.rating ?? 'plain',
    verb: 'Added',
    facts: facts([
      ['Copied from', change.copiedFrom],
      ['Sources', listWords(change.sources)],
      ['Tags', listWords(change.tags)],
      ['Inheritance', change.modeOfInheritance],
      ['Phenotypes', listWords(change.phenotypes ?? [])],
      ['Publications', listWords(change.publications ?? [])],
    ]),
  }),
  'entity.removed': ({ rating }, { name, on }) => ({
    headline: on(`${name} was removed`, 'from', rating ? ` (was ${ratingWord(rating)})` : ''),
    row: {
      name,
      words: rating ? `removed, was ${ratingWord(rating)}` : 'removed',
      ...(rating && { ratings: [rating] }),
    },
    verb: 'Removed',
  }),
  'entity.renamed': ({ from, to }, { entity, on }) => ({
    headline: on(
      `${cleanLine(from)} ${entity?.type === 'gene' ? 'was replaced by' : 'is now named'} ${cleanLine(to)}`,
    ),
    row: {
      name: cleanLine(from),
      words: `${entity?.type === 'gene' ? 'replaced by' : 'now named'} ${cleanLine(to)}`,
    },
    verb: entity?.type === 'gene' ? 'Replaced' : 'Renamed',
  }),
  'entity.annotated': ({ changes }, { name, on }) => ({
    headline: on(`${capitalize(enumerate(unique(changes.map(fieldWord))))} of ${name} changed`),
    row: {
      name,
      words:
        changes.length === 1 && changes[0]
          ? fieldChange(changes[0])
          : `${enumerate(unique(changes.map(fieldWord)))} changed`,
    },
    verb: 'Changed',
    facts:
      changes.length === 1
        ? []
        : changes.map((change) => ({ label: capitalize(fieldWord(change)), value: valueChange(change) })),
  }),
  'entity.reviewed': (review, { name, on }) => ({
    headline: on(`${name} was reviewed${review.rating ? ` as ${ratingWord(review.rating)}` : ''}`),
    row: {
      name,
      words: `${review.edited ? 'review edited' : 'reviewed'}${review.rating ? `, rated ${ratingWord(review.rating)} by the reviewer` : ''}`,
    },
    verb: review.edited ? 'Review edited' : 'Reviewed',
    facts: facts([
      ['Inheritance', review.modeOfInheritance],
      ['Phenotypes', listWords(review.phenotypes ?? [])],
      ['Publications', listWords(review.publications ?? [])],
    ]),
    quote: quoteOf(review.comment),
  }),
  'entity.review-deleted': (_change, { name, on }) => ({
    headline: on(`A review of ${name} was deleted`),
    row: { name, words: 'review deleted' },
    verb: 'Review deleted',
  }),
  'entity.commented': ({ action, comment }, { name, on }) => ({
    headline: on(action === 'added' ? `New comment about ${name}` : `A comment about ${name} was ${action}`),
    row: { name, words: action === 'added' ? 'new comment' : `comment ${action}` },
    verb: action === 'added' ? 'Written' : capitalize(action),
    quote: action === 'deleted' ? null : quoteOf(comment),
  }),
  'entity.reviews-copied': ({ fromPanel }, { name, on }) => ({
    headline: on(`Reviews of ${name} were copied`, 'to'),
    row: { name, words: `reviews copied from ${cleanLine(fromPanel)}` },
    verb: 'Copied',
    facts: facts([['Copied from', fromPanel]]),
  }),
  'entity.marked-ready': (_change, { name, on }) => ({
    headline: on(`${name} is marked as ready`),
    row: { name, words: 'marked as ready' },
    verb: 'Marked',
  }),
  'panel.created': ({ name }, { panel }) => ({
    headline: { start: 'New panel: ', name: cleanLine(name), end: panelName(panel).codes },
    row: { name: cleanLine(name), words: 'panel created' },
    verb: 'Created',
  }),
  'panel.deleted': ({ name }, { panel }) => ({
    headline: { start: 'Panel ', name: cleanLine(name), end: `${panelName(panel).codes} was deleted` },
    row: { name: cleanLine(name), words: 'panel deleted' },
    verb: 'Deleted',
  }),
  'panel.published': (_change, { panel }) => ({
    headline: ofPanel(panel, ' is now public'),
    row: { name: panelTitle(panel), words: 'now public' },
    verb: 'Published',
  }),
  'panel.withdrawn': (_change, { panel }) => ({
    headline: ofPanel(panel, ' is no longer public'),
    row: { name: panelTitle(panel), words: 'no longer public' },
    verb: 'Withdrawn',
  }),
  'panel.changed': ({ changes }, { panel }) => ({
    headline: ofPanel(panel, ` changed: ${enumerate(unique(changes.map(panelFieldName)))}`),
    row: { name: panelTitle(panel), words: `${enumerate(unique(changes.map(panelFieldName)))} changed` },
    verb: 'Changed',
    facts: changes.map((change) => ({
      label: capitalize(panelFieldName(change)),
      value: valueChange(change),
    })),
  }),
  'activity.unclassified': ({ reason }, { panel, name, entity }) => ({
    headline:
      reason === 'invalid-row'
        ? { start: 'A row of the activity log could not be read', name: '', end: '' }
        : ofPanel(panel, '', 'Unrecognised text on '),
    row: {
      name: entity ? name : panelTitle(panel),
      words: reason === 'invalid-row' ? 'a row that could not be read' : 'a text that is not recognised',
    },
    verb: 'Written',
    facts: [{ label: 'What to do', value: 'Look at the catalogue’s page: what changed there is unknown.' }],
  }),
};

function facts(
  entries: readonly (readonly [label: string, value: string | null | undefined])[],
): readonly Fact[] {
  return entries.flatMap(([label, value]) => {
    const text = cleanLine(value ?? '');
    return text === '' ? [] : [{ label, value: text }];
  });
}

const unique = (list: readonly string[]): readonly string[] => [...new Set(list)];
