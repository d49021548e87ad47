import type { Activity } from '../catalogue/schemas.ts';
import type { Entity } from '../events/schemas.ts';
import type { Draft } from './draft.ts';
import { type Captured, type Template, templatesOf } from './template.ts';

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
  /** Its free text is of the shape `A to B`, so it goes on until it holds ` to `. */
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

type Options = Partial<Pick<Part, 'sides' | 'closing'>>;

/** A part that is one line. */
export function line(patterns: RegExp | readonly RegExp[], read: Read, options: Options = {}): Part {
  return part('line', patterns, read, options);
}

/** A part whose last group is free text, which may go on over lines until another part starts. */
export function open(patterns: RegExp | readonly RegExp[], read: Read, options: Options = {}): Part {
  return part('open', patterns, read, options);
}

/** A part whose last group is what a person wrote: it goes on to the end of the text, even over what looks like a part. */
export function rest(patterns: RegExp | readonly RegExp[], read: Read, options: Options = {}): Part {
  return part('rest', patterns, read, options);
}

function part(
  extent: Part['extent'],
  patterns: RegExp | readonly RegExp[],
  read: Read,
  { sides = false, closing = null }: Options,
): Part {
  let made: readonly Template[] | null = null;
  return {
    // Most runs read no row, and to make the templates of the grammar takes a tenth of the time in which a poll is loaded.
    get templates() {
      made ??= templatesFor(patterns, extent);
      return made;
    },
    read,
    extent,
    sides,
    closing,
  };
}

function templatesFor(patterns: RegExp | readonly RegExp[], extent: Part['extent']): readonly Template[] {
  const templates = [patterns].flat().flatMap(templatesOf);
  for (const { pattern } of templates) {
    if (extent !== 'line' && !/\(\?<\w+>\.[*+]\)[^()]*\$$/.test(pattern.source)) {
      throw new Error(`pattern ${pattern} goes over several lines, and its last group is not free text`);
    }
  }
  return templates;
}

/** A place that is always filled. */
export function required(...parts: readonly Part[]): Slot {
  return { parts, required: true, many: false };
}

/** A place for one of several parts. */
export function either(...parts: readonly Part[]): Slot {
  return { parts, required: false, many: false };
}

/** A place for any number of parts, in any order. */
export function several(...parts: readonly Part[]): Slot {
  return { parts, required: false, many: true };
}

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
