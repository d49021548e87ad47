import type { Activity } from '../catalogue/schemas.ts';
import type { Annotation, Changes, EventKindName } from '../events/changes.ts';
import type { Entity } from '../events/schemas.ts';
import {
  type ByFirstLetters,
  byFirstLetters,
  type Captured,
  match,
  matchFrom,
  matchStart,
  type Names,
  type Template,
  templatesOf,
} from './template.ts';
import { ratingOfSources } from './values.ts';

/** What a reading may need beside the words of its text. */
export interface Context {
  readonly activity: Activity;
  readonly entity: Entity | null;
}

/**
 * What a part states: from the first group of its pattern (the empty text where there is none), and from all
 * groups. Null refuses the text. Every call makes a new draft.
 */
export type Read = (words: string, context: Context, groups: Captured['groups']) => Draft | null;

/** One part of a text: a line of a composite, a field of a review, or the whole text. */
export interface Part {
  /** Made when they are first asked for. @throws {Error} when a pattern is none of a template, or not of the extent */
  readonly templates: readonly Template[];
  readonly read: Read;
  /** How far it goes: one line; free text until another part starts; or all the rest of the text. */
  readonly extent: 'line' | 'open' | 'rest';
  /** Its free text, in the group `sides`, is of the shape `A to B`, so it goes on until it holds ` to `. */
  readonly sides: boolean;
  /** How the last line of the text starts where the part is there; the line before it ends in a space. */
  readonly closing: string | null;
}

/** A place in a form: the parts that can stand there. */
export interface Slot {
  readonly parts: readonly Part[];
  readonly required: boolean;
  /** They can come several times, in any order. */
  readonly many: boolean;
}

/** A way of writing a row: slots in the order in which the software fills them. */
export interface Form {
  readonly name: string;
  readonly level: 'entity' | 'panel';
  /** The types of entity that it is written for. */
  readonly types: readonly Entity['type'][];
  /** The part whose last group holds all the others; null where they are the lines of the text. */
  readonly within: Part | null;
  /** What joins the parts. */
  readonly separator: string;
  readonly slots: readonly Slot[];
}

type Patterns = RegExp | readonly RegExp[];
type Options = Partial<Pick<Part, 'closing'>>;

const partOf =
  (extent: Part['extent']) =>
  (patterns: Patterns, read: Read, { closing = null }: Options = {}): Part => {
    const sides = extent !== 'rest' && [patterns].flat().some(({ source }) => source.includes('(?<sides>'));
    let made: readonly Template[] | null = null;
    return {
      // Most runs read no row, and to make the templates of the grammar takes a tenth of the time in which a poll is loaded.
      get templates() {
        made ??= templatesFor(patterns, extent);
        return made;
      },
      ...{ read, extent, sides, closing },
    };
  };

/** A part that is one line. */
export const line = partOf('line');
/** A part whose last group is free text, which may go on over lines until another part starts. */
export const open = partOf('open');
/** A part whose last group is what a person wrote: it goes on to the end of the text, even over what looks like a part. */
export const rest = partOf('rest');

function templatesFor(patterns: Patterns, extent: Part['extent']): readonly Template[] {
  const templates = [patterns].flat().flatMap(templatesOf);
  for (const { pattern } of templates) {
    if (extent !== 'line' && !/\(\?<\w+>\.[*+]\)[^()]*\$$/.test(pattern.source)) {
      throw new Error(`pattern ${pattern} goes over several lines, and its last group is not free text`);
    }
  }
  return templates;
}

/** A place that is always filled. */
export const required = (...parts: readonly Part[]): Slot => ({ parts, required: true, many: false });
/** A place for one of several parts. */
export const either = (...parts: readonly Part[]): Slot => ({ parts, required: false, many: false });
/** A place for any number of parts, in any order. */
export const several = (...parts: readonly Part[]): Slot => ({ parts, required: false, many: true });

interface Composite extends Partial<Pick<Form, 'types' | 'within' | 'separator'>> {
  readonly name: string;
  readonly level: Form['level'];
  readonly parts: readonly (Part | Slot)[];
}

const allTypes: Form['types'] = ['gene', 'str', 'region'];

/** A form of several parts; one that stands by itself in the list may be missing. */
export function composite({ parts, ...form }: Composite): Form {
  const slots = parts.map((part) => ('parts' in part ? part : either(part)));
  return { types: allTypes, within: null, separator: '\n', ...form, slots };
}

/** Forms of a single part each: texts that stand alone. */
export function alone(
  { level, types = allTypes }: Pick<Form, 'level'> & Partial<Pick<Form, 'types'>>,
  parts: Readonly<Record<string, Part>>,
): readonly Form[] {
  return Object.entries(parts).map(([name, part]) =>
    composite({ name, level, types, parts: [required(part)] }),
  );
}

/** What separates the two sides of free text, such as `one to other`. */
export const SIDES = ' to ';

/** A template at its place in a form. */
interface Place {
  readonly part: Part;
  readonly template: Template;
  readonly slot: number;
}

/** A form with its templates found by their first letters. */
export interface PreparedForm {
  readonly form: Form;
  readonly places: ByFirstLetters<Place>;
  /** Places whose free text ends in words. */
  readonly endings: readonly Place[];
  /** Whether it is one part that goes on to the end of the text. */
  readonly isRest: boolean;
  /** Whether any part has free text of two sides. */
  readonly hasSides: boolean;
  /** By slot, and for the end of the text: the last required slot before it; -1 where there is none. */
  readonly requiredBefore: readonly number[];
}

/** Returns the form as `compose` takes it. */
export function prepare(form: Form): PreparedForm {
  const { slots } = form;
  const places = slots.flatMap(({ parts }, slot) =>
    parts.flatMap((part) => part.templates.map((template): Place => ({ part, template, slot }))),
  );
  return {
    form,
    places: byFirstLetters(places, ({ template }) => [template]),
    endings: places.filter(({ part, template }) => part.extent === 'open' && template.ending.length > 0),
    isRest: slots.length === 1 && places.every(({ part }) => part.extent === 'rest' && part.closing === null),
    hasSides: places.some(({ part }) => part.sides),
    requiredBefore: [...slots, null].map((_slot, slot) =>
      slots.findLastIndex(({ required }, before) => required && before < slot),
    ),
  };
}

/** A place that matches a line. */
export interface Start extends Place {
  /** From this line alone; null where the part needs the lines after it. */
  readonly captured: Captured | null;
  /** Where the free text starts. */
  readonly from: number;
}

/** Whether free text of two sides lacks the second one on its first line. */
export function isOneSided({ part, from }: Start, words: string): boolean {
  return part.sides && part.extent === 'open' && !words.includes(SIDES, from);
}

/** The places whose template matches at a line. */
export function startsAt({ places }: PreparedForm, names: Names, words: string): readonly Start[] {
  const starts = matching(places.starting(words), names, words);
  return starts.length > 0 ? starts : matching(places.freely, names, words);
}

const noStarts: readonly Start[] = [];

function matching(places: readonly Place[], names: Names, words: string): readonly Start[] {
  if (places.length === 0) return noStarts;
  const starts: Start[] = [];
  for (const { part, template, slot } of places) {
    if (part.extent === 'line') {
      // Of the templates of a part, the first that matches is taken.
      if (starts.at(-1)?.part === part) continue;
      const captured = match(template, names, words);
      if (captured && isTwoSided(part, captured))
        starts.push({ part, template, slot, captured, from: words.length });
    } else {
      const from = matchStart(template, names, words);
      if (from !== -1) starts.push({ part, template, slot, captured: null, from });
    }
  }
  return starts;
}

/** What a part captures of all the words that it goes over. */
export function capturedBy(
  { part, template, from, captured }: Start,
  names: Names,
  words: string,
): Captured | null {
  if (captured) return captured;
  const found = template.start ? match(template, names, words) : matchFrom(template, names, words, from);
  return found && isTwoSided(part, found) ? found : null;
}

function isTwoSided({ sides }: Part, { words }: Captured): boolean {
  return !sides || words.includes(SIDES);
}

/** What a part of a text states, by kind of event; drafts of one row add up to its changes. */
export type Draft = { readonly [Kind in EventKindName]?: Partial<Changes[Kind]> };

type Fields = Record<string, unknown>;

/** Kinds whose parts state items of lists; all others state a field each. */
const ofLists: readonly string[] = [
  'entity.annotated',
  'entity.tags-changed',
  'panel.changed',
] satisfies EventKindName[];

/** The first draft with what the next one adds to it; changes both, as every draft is made for one row. */
export function join(draft: Draft, next: Draft): Draft {
  const joined = draft as Record<string, Fields>;
  for (const kind in next) {
    const known = joined[kind];
    const fields = (next as Record<string, Fields>)[kind] ?? {};
    if (!known) joined[kind] = fields;
    else if (ofLists.includes(kind)) joinLists(known, fields);
    else for (const name in fields) known[name] = fields[name];
  }
  return draft;
}

function joinLists(known: Fields, lists: Fields): void {
  for (const name in lists) {
    const list = known[name] as unknown[];
    for (const item of lists[name] as unknown[]) list.push(item);
  }
}

/** Completes a draft with what its parts imply together; changes the draft itself. */
export function derive(draft: Draft): Draft {
  const added = draft['entity.added'];
  if (added) return addition(draft, added);
  const changes = draft['entity.annotated']?.changes;
  return changes?.some(ofSources) ? { ...draft, ...annotation(changes, draft) } : draft;
}

/** An addition also states the entity's first rating, as far as its sources give it. */
function addition(draft: Draft, stated: Partial<Changes['entity.added']>): Draft {
  const { sources = [], copiedFrom = null } = stated;
  const rating = ratingOfSources(sources);
  const change = Object.assign(withTags(stated), { sources, copiedFrom, rating });
  return Object.assign(draft, {
    'entity.added': change,
    ...(rating && { 'entity.classified': { from: null, to: rating, direction: 'new' } }),
  });
}

/** An addition without a line on tags had none; one whose tags cannot be separated does not state them. */
function withTags(stated: Partial<Changes['entity.added']>): Partial<Changes['entity.added']> {
  const { tags, ...others } = stated;
  if (tags) return stated;
  return 'tags' in stated ? others : { ...stated, tags: [] };
}

/**
 * All sources are one change. An expert review among those added carries the rating, which is unchanged: the
 * software writes a line of its own for a change. But where the review that moved the entity to "No list" is
 * replaced without that line, the entity is still flagged, and stays there.
 */
function annotation(changes: readonly Annotation[], draft: Draft): Draft {
  const sources = changes.filter(ofSources);
  const added = sources.flatMap((change) => change.added ?? []);
  const removed = sources.flatMap((change) => change.removed ?? []);
  const change: Annotation = {
    field: 'sources',
    ...(added.length > 0 && { added }),
    ...(removed.length > 0 && { removed }),
  };
  const staysFlagged = ratingOfSources(removed) === 'none';
  const rating = staysFlagged ? null : ratingOfSources(added);
  return {
    'entity.annotated': { changes: [change, ...changes.filter((change) => !ofSources(change))] },
    ...(rating &&
      !draft['entity.classified'] && { 'entity.classified': { to: rating, direction: 'unchanged' } }),
  };
}

function ofSources({ field, aspect }: Annotation): boolean {
  return field === 'sources' && !aspect;
}
