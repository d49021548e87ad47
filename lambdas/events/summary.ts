import {
  capitalize,
  controls,
  directionMarks,
  enumerate,
  isPlain,
  onOneLine,
  separators,
} from '../run/text.ts';
import type { Annotation, Changes, EventKindName, PanelChange, Rating } from './changes.ts';
import { isOfInheritance } from './inheritance.ts';
import { kindOf } from './kinds.ts';
import { firstRCodes } from './r-codes.ts';
import type { Entity, EventPanel, PanelEvent } from './schemas.ts';

/**
 * One sentence for each kind of event, for a person who reads nothing else. Text that people typed into the
 * catalogue is in quotation marks and shortened. All other words are names, or are written here.
 */

interface Subject {
  readonly panel: EventPanel | null;
  readonly entity: Entity | null;
  readonly actor: string | null;
  /** Its configured name. */
  readonly catalogue: string;
}

/** A kind with its change, as `toEvent` gets it. */
interface Summarized extends Subject {
  readonly kind: EventKindName;
  readonly change: Changes[EventKindName];
}

/** The summary of a change: one English sentence without a line break. */
export function summarize(summarized: Summarized): string {
  const { kind, change } = summarized;
  const sentence = sentences[kind] as (change: Changes[EventKindName], subject: Subject) => string;
  const summary = tidied(sentence(change, summarized));
  return summary.startsWith('region ') ? capitalize(summary) : summary;
}

/** Names can hold line breaks, control characters, and marks that turn the direction of text. */
const steering = new RegExp(`[${controls}${separators}${directionMarks}]`, 'u');
const steeringOrSpaces = new RegExp(`[\\s${controls}${directionMarks}]+`, 'gu');

function tidied(sentence: string): string {
  const untidy = sentence.includes('  ') || (!isPlain(sentence) && steering.test(sentence));
  const spaced = untidy ? sentence.replace(steeringOrSpaces, ' ') : sentence;
  return spaced.endsWith('”.') && /[.!?…]”\.$/.test(spaced.slice(-3)) ? spaced.slice(0, -1) : spaced;
}

const sentences: { readonly [Kind in EventKindName]: (change: Changes[Kind], subject: Subject) => string } = {
  'entity.classified': ({ from, to, direction }, subject) => {
    const [who, where] = [name(subject), place(subject)];
    if (to === null) return `${who} was rated on ${where}; the log does not state the rating.`;
    const rating = words[to];
    if (direction === 'new') return `${who} was added as ${rating} to ${where}.`;
    if (direction === 'unchanged') return `${who} was confirmed as ${rating} on ${where}.`;
    if (direction === 'unknown' || from === null) {
      const now = to === 'none' ? 'is now unrated' : `was rated ${rating}`;
      return `${who} ${now} on ${where}; previous rating unknown.`;
    }
    return `${who} was ${direction} from ${words[from]} to ${rating} on ${where}.`;
  },
  'panel.promoted': ({ version, previousVersion }, subject) =>
    `${panelName(subject)} was promoted to version ${version}${previousVersion ? ` from ${previousVersion}` : ''}.`,
  'panel.signed-off': ({ signedOff, version, date, signedOffVersion, signedOffDate }, subject) =>
    signedOff && signedOffVersion && signedOffDate
      ? `Version ${signedOffVersion} of ${panelName(subject)} is signed off from ${signedOffDate}.`
      : signedOff
        ? `${version ? `Version ${version}` : 'A version'} of ${panelName(subject)} was signed off${date ? ` on ${date}` : ''}.`
        : `The signed-off version${version ? ` ${version}` : ''} of ${panelName(subject)} was withdrawn.`,
  'entity.tags-changed': ({ added, removed }, subject) => {
    const changes = [
      added.length > 0 && `${tags(added)} added to`,
      removed.length > 0 && `${tags(removed)} removed from`,
    ];
    const done = sentence(changes) || 'Tags changed on';
    return `${done} ${name(subject)} on ${place(subject)}.`;
  },
  'entity.added': ({ rating, copiedFrom }, subject) =>
    `${name(subject)} was ${copiedFrom ? `copied from ${copiedFrom}` : 'added'} to ${place(subject)}${
      rating ? ` as ${words[rating]}` : ''
    }.`,
  'entity.removed': ({ rating }, subject) =>
    `${name(subject)}${rating ? `, last rated ${words[rating]},` : ''} was removed from ${place(subject)}.`,
  'entity.renamed': ({ from, to }, subject) =>
    subject.entity?.type === 'gene'
      ? `${from} was replaced by ${to} on ${place(subject)}.`
      : `${name({ ...subject, entity: subject.entity && { ...subject.entity, name: from } })} was renamed to ${to} on ${place(subject)}.`,
  'entity.annotated': ({ changes }, subject) => {
    const fields = [...new Set(changes.map(annotationName))];
    const were = fields.length === 1 && !plural(changes[0]) ? 'was' : 'were';
    const done = changes.every(keeps) ? 'saved without a change' : 'changed';
    return `${capitalize(enumerate(fields))} of ${name(subject)} ${were} ${done} on ${place(subject)}${values(changes)}.`;
  },
  'entity.reviewed': ({ rating, edited }, subject) =>
    `${actor(subject)} ${edited ? 'edited their review of' : 'reviewed'} ${name(subject)} on ${place(subject)}${
      rating ? ` and would rate it ${words[rating]}` : ''
    }.`,
  'entity.review-deleted': (_change, subject) =>
    `${actor(subject)} deleted their review of ${name(subject)} on ${place(subject)}.`,
  'entity.commented': ({ action, comment }, subject) => {
    const about = `${name(subject)} on ${place(subject)}`;
    if (action === 'added') return `${actor(subject)} commented on ${about}${quoted(comment)}.`;
    return `${actor(subject)} ${action} a comment on ${about}${quoted(comment)}.`;
  },
  'entity.reviews-copied': ({ fromPanel }, subject) =>
    `Reviews of ${name(subject)} were copied from ${fromPanel} to ${place(subject)}.`,
  'entity.marked-ready': (_change, subject) =>
    `${actor(subject)} marked ${name(subject)} on ${place(subject)} as ready.`,
  'panel.created': (change, subject) => `Panel ${change.name}${version(subject)} was created.`,
  'panel.deleted': (change) => `Panel ${change.name} was deleted.`,
  'panel.published': (_change, subject) => `Panel ${place(subject)} became public.`,
  'panel.withdrawn': (_change, subject) => `Panel ${place(subject)} is no longer public.`,
  'panel.changed': ({ changes }, subject) => {
    const renaming = changes.length === 1 && changes[0]?.field === 'name' ? changes[0] : undefined;
    if (renaming && typeof renaming.from === 'string' && typeof renaming.to === 'string') {
      return `Panel ${renaming.from} was renamed to ${renaming.to}.`;
    }
    const fields = changes.map(panelFieldName);
    const were = fields.length === 1 && !/(?<!u)s$/.test(fields.join()) ? 'was' : 'were';
    return `${capitalize(enumerate(fields))} of ${place(subject)} ${were} changed${values(changes)}.`;
  },
  'entity.disagreement': (change, subject) => {
    const { to, here, there } = change;
    const agreed = to === 'agreed' ? 'The catalogues agree again: ' : '';
    if (isOfInheritance(change)) {
      const modes = (side: typeof here): string => side.modesOfInheritance.map(quote).join(' / ');
      return `${agreed}${name(subject)} is green in both, as ${modes(here)} in ${subject.catalogue} and ${modes(there)} in ${there.catalogue}, on ${place(subject)}.`;
    }
    const mine = `${statusWords(here.rating)} in ${subject.catalogue}`;
    const theirs = `${statusWords(there.rating)} in ${there.catalogue}`;
    const [one, other] =
      here.rating !== 'green' && there.rating === 'green' ? [theirs, mine] : [mine, theirs];
    return `${agreed}${name(subject)} is ${one} and ${other}, on ${place(subject)}.`;
  },
  'activity.unclassified': ({ reason }, subject) =>
    reason === 'invalid-row'
      ? `A row of the activity log${subject.panel ? ` about ${place(subject)}` : ''} could not be read; a person should look at it.`
      : `An activity on ${place(subject)} has an unrecognised text; a person should look at it.`,
};

function name({ entity }: Subject): string {
  if (!entity) return 'an entity';
  return entity.type === 'gene' ? entity.name : `${entity.type === 'str' ? 'STR' : 'region'} ${entity.name}`;
}

/** The panel with its test-directory codes and version: `Hereditary breast cancer (R208) in version 3.2`. */
function place(subject: Subject): string {
  return `${panelName(subject)}${subject.panel?.version ? ` in version ${subject.panel.version}` : ''}`;
}

function panelName({ panel }: Subject): string {
  if (!panel) return 'a panel';
  const codes = panel.relevantDisorders ? firstRCodes(panel.relevantDisorders) : [];
  return codes.length > 0 ? `${panel.name} (${codes.join(', ')})` : panel.name;
}

function version({ panel }: Subject): string {
  return panel?.version ? ` (version ${panel.version})` : '';
}

const actor = (subject: Subject): string => subject.actor?.trim() || 'Somebody';

/** Ratings as people read them: the catalogue shows an entity without a rating as "No list". */
const words: Readonly<Record<Rating, string>> = {
  green: 'green',
  amber: 'amber',
  red: 'red',
  none: 'unrated',
};

const statusWords = (rating: Rating | 'absent'): string =>
  rating === 'absent' ? 'not on the panel' : words[rating];

function tags(names: readonly string[]): string {
  return `${names.length === 1 ? 'tag' : 'tags'} ${enumerate(names.map(quote))} ${names.length === 1 ? 'was' : 'were'}`;
}

function sentence(parts: readonly (string | false)[]): string {
  return capitalize(parts.filter(Boolean).join(' and '));
}

const plural = (change: Annotation | undefined): boolean =>
  change !== undefined && ['phenotypes', 'publications', 'sources', 'coordinates'].includes(change.field);

/** The catalogue also logs edits that leave a value as it is. */
function keeps({ from, to }: Annotation | PanelChange): boolean {
  if (from === undefined) return false;
  return Array.isArray(from) ? JSON.stringify(from) === JSON.stringify(to) : from === to;
}

/** The values of a change of a single field, where they are single texts. */
function values(changes: readonly (Annotation | PanelChange)[]): string {
  const [only, ...others] = changes;
  if (!only || others.length > 0) return '';
  const { from, to } = only;
  if (keeps(only)) return typeof to === 'string' ? `: ${quote(to)}` : '';
  if (typeof from === 'string' && typeof to === 'string') return ` from ${quote(from)} to ${quote(to)}`;
  return typeof to === 'string' ? ` to ${quote(to)}` : '';
}

/** Characters: one beyond U+FFFF has two UTF-16 units, and is not cut in two. */
const QUOTED = 120;
const LAST_OF_ONE_UNIT = 0xffff;

function quoted(text: string | null): string {
  return text ? `: ${quote(text)}` : '';
}

function quote(text: string): string {
  const shown = onOneLine(text.slice(0, QUOTED * 4)).trim();
  if (shown.length <= QUOTED) return `“${shown}”`;
  let end = 0;
  for (let count = 0; count < QUOTED && end < shown.length; count += 1) {
    end += (shown.codePointAt(end) ?? 0) > LAST_OF_ONE_UNIT ? 2 : 1;
  }
  return end < shown.length ? `“${shown.slice(0, end)}…”` : `“${shown}”`;
}

const annotationNames: { readonly [Field in Annotation['field']]: string } = {
  modeOfInheritance: 'mode of inheritance',
  modeOfPathogenicity: 'mode of pathogenicity',
  phenotypes: 'phenotypes',
  publications: 'publications',
  penetrance: 'penetrance',
  transcript: 'transcript',
  sources: 'sources',
  gene: 'linked gene',
  verboseName: 'descriptive name',
  chromosome: 'chromosome',
  coordinates: 'coordinates',
  repeats: 'repeats',
  dosage: 'dosage score',
  variantType: 'variant type',
  requiredOverlapPercentage: 'required overlap',
  hgncId: 'HGNC id',
};

const panelFieldNames: { readonly [Field in PanelChange['field']]: string } = {
  name: 'name',
  description: 'description',
  status: 'status',
  types: 'types',
  childPanels: 'child panels',
  relatedPanels: 'related panels',
  hpoTerms: 'HPO terms',
  diseaseGroup: 'disease group',
  diseaseSubGroup: 'disease sub-group',
  relevantDisorders: 'relevant disorders',
  version: 'version',
  numberOfGenes: 'number of genes',
  numberOfStrs: 'number of STRs',
  numberOfRegions: 'number of regions',
};

/** What a person calls the changed field of an entity, such as `GRCh38 coordinates`. */
export function annotationName({ field, aspect }: Annotation): string {
  if (field === 'coordinates') return `${aspect ?? ''} coordinates`.trim();
  if (field === 'dosage') return `${aspect ?? 'dosage'} score`;
  if (field === 'repeats' && aspect)
    return aspect === 'sequence' ? 'repeated sequence' : `${aspect} number of repeats`;
  return annotationNames[field];
}

/** What a person calls the changed field of a panel. */
export const panelFieldName = ({ field }: PanelChange): string => panelFieldNames[field];

/** Events without those that others of them correct. */
export function withoutCorrected<Event extends Pick<PanelEvent, 'id' | 'data'>>(
  events: readonly Event[],
): readonly Event[] {
  const corrected = new Set(events.flatMap(({ data }) => data.corrects ?? []));
  return corrected.size === 0 ? events : events.filter(({ id }) => !corrected.has(id));
}

/** The event that a correction corrects, as it was published; null for any other event. */
export function firstStated(event: PanelEvent): PanelEvent | null {
  const { corrects, correctedChange: change, correctedVersion, ...others } = event.data;
  if (corrects === undefined || change === undefined) return null;
  const kind = kindOf(event.type);
  const { panel } = others;
  const isOther = correctedVersion !== undefined && panel !== null;
  const data = { ...others, ...(isOther && { panel: { ...panel, version: correctedVersion } }) };
  const summary = kind === undefined ? data.summary : summarize({ ...data, kind, change });
  return { ...event, id: corrects, data: { ...data, summary, change } } as PanelEvent;
}
