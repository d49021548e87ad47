import type { Activity } from '../catalogue/schemas.ts';
import type { Entity } from '../events/schemas.ts';
import type { Draft } from './draft.ts';

/** The named groups of a pattern; a group that took no part reads as the empty text. */
export type Groups = Readonly<Record<string, string>>;

export interface Context {
  readonly activity: Activity;
  readonly entity: Entity | null;
}

/** What a part states; null where its free text turns out not to be what the pattern promised. */
export type Read = (groups: Groups, context: Context) => Draft | null;

/** One part of a text: a line of a composite, or the whole text. */
export interface Part {
  /** Anchored at both ends, without state, linear, and with the mentions of `mention.ts` as placeholders. */
  readonly pattern: RegExp;
  readonly read: Read;
  /** The last group is free text and may go on over the following lines. */
  readonly open: boolean;
  /** The free text is `A to B`, and so must hold ` to `, wherever its lines break. */
  readonly sides?: true;
  /** How an open part must end; the ending is not part of the free text. */
  readonly ends?: string;
}

/**
 * A way of writing: parts in the order in which the software writes them. Parts that stand in one list may
 * come in any order; an open part comes once.
 */
export interface Form {
  readonly name: string;
  readonly level: 'entity' | 'panel';
  /** Only for entities of this type. */
  readonly type?: Entity['type'];
  /** What the first part must be, where the form always starts with it. */
  readonly opening?: Part;
  readonly parts: readonly (Part | readonly Part[])[];
  /** The last part, from its first occurrence to the end of the text: free text that may imitate any part. */
  readonly closing?: Part;
}

/** A part that is one line, or a whole text without free text that could break lines. */
export function line(pattern: RegExp, read: Read): Part {
  return { pattern, read, open: false };
}

/** A part whose last group is free text. */
export function open(pattern: RegExp, read: Read, must: Pick<Part, 'sides' | 'ends'> = {}): Part {
  return { pattern, read, open: true, ...must };
}

/** Forms of a single part each: texts that stand alone. */
export function alone(level: Form['level'], parts: Readonly<Record<string, Part>>): readonly Form[] {
  return Object.entries(parts).map(([name, part]) => ({ name, level, parts: [part] }));
}
