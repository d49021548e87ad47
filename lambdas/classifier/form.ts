import type { Activity } from '../catalogue/schemas.ts';
import type { Entity } from '../events/schemas.ts';
import type { Draft } from './draft.ts';
import { type Groups, type Wording, wordingsOf } from './wording.ts';

export interface Context {
  readonly activity: Activity;
  readonly entity: Entity | null;
}

/**
 * What a part states, from what the first group of its pattern captured; null where that turns out not to be
 * what the pattern promised. `groups` are all groups of a pattern that has more than words around free text
 * or around a choice of words. A draft is made anew each time.
 */
export type Read = (words: string, context: Context, groups: Groups) => Draft | null;

/** One part of a text: a line of a composite, or the whole text. */
export interface Part {
  readonly wordings: readonly Wording[];
  readonly read: Read;
  /** Its one group is free text and may go on over the following lines. */
  readonly open: boolean;
  readonly must: Must;
}

/** What else must hold of the free text of a part. */
export interface Must {
  /** It is `A to B`, and so holds ` to `, wherever its lines break. */
  readonly sides: boolean;
  /** It is the last part, and the last line break of the text stands in these words. */
  readonly closing: string | null;
  /** It does not end so. */
  readonly neverEnds: string | null;
}

const anything: Must = { sides: false, closing: null, neverEnds: null };

/** A place in a form: the parts that can stand there. */
export interface Slot {
  readonly parts: readonly Part[];
  readonly required: boolean;
  /** They can come several times, in any order. */
  readonly many: boolean;
}

/** A way of writing: places in the order in which the software fills them. */
export interface Form {
  readonly name: string;
  readonly level: 'entity' | 'panel';
  /** The types of entity that it is written for. */
  readonly types: readonly Entity['type'][];
  /** The part whose free text holds the others; without it they are the lines of the text. */
  readonly within: Part | null;
  /** What joins the parts. */
  readonly separator: string;
  readonly slots: readonly Slot[];
}

/** A part that is one line, or a whole text without free text that could break lines. */
export function line(patterns: RegExp | readonly RegExp[], read: Read, must: Partial<Must> = {}): Part {
  return {
    wordings: [patterns].flat().flatMap(wordingsOf),
    read,
    open: false,
    must: { ...anything, ...must },
  };
}

/** A part whose one group is free text. */
export function open(pattern: RegExp, read: Read, must: Partial<Must> = {}): Part {
  const wordings = wordingsOf(pattern);
  if (wordings.some(({ middle }) => middle?.kind !== 'free')) {
    throw new Error(`open pattern ${pattern} does not consist of words around one free group`);
  }
  return { wordings, read, open: true, must: { ...anything, ...must } };
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
