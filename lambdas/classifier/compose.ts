import type { Entity } from '../events/schemas.ts';
import { type Draft, join } from './draft.ts';
import type { Context, Form, Groups, Part } from './form.ts';
import { typeByLabel } from './mention.ts';

/**
 * Reads a text by one form. The text is cut into pieces (lines, or the fields of a review), and each piece
 * either starts a part or goes on with the free text of the part before it. The pieces are taken from the
 * last to the first, and a part only where the form's order allows it: what imitates a part inside free text
 * stays free text. Time is linear in the length of the text.
 */

/** What a form makes of a text. */
export interface Composition {
  readonly draft: Draft;
  /** Where the text itself names the entity. */
  readonly entity?: Entity;
  /** Pieces that belong to no part; always empty unless `partial` was asked for. */
  readonly unknown: readonly string[];
}

export interface Composing {
  readonly form: Form;
  readonly context: Context;
  readonly separator: string;
  /** Replaces mentions of the entity in piece `index` by placeholders. */
  readonly mask?: (piece: string, index: number) => string;
  readonly unmask?: (text: string) => string;
  /** Accept a text of which only some pieces, the first among them, are understood. */
  readonly partial?: boolean;
}

interface Found {
  readonly part: Part;
  readonly groups: Groups;
  readonly rank: number;
}

const SIDES = ' to ';
const asItIs = (text: string): string => text;

/** Null where the form does not fit. */
export function compose(pieces: readonly string[], options: Composing): Composition | null {
  const { form, context, separator, mask = asItIs, unmask = asItIs, partial = false } = options;
  const drafts: (Draft | null)[] = [];
  let entity: Entity | undefined;
  const take = (found: Found, tail: readonly string[]): void => {
    const groups = finish(found, { tail, separator, unmask });
    entity ??= entityIn(groups);
    drafts.unshift(found.part.read(groups, context));
  };

  let end = pieces.length;
  const { closing } = form;
  const closes = closing ? pieces.findIndex((piece) => closing.pattern.test(piece)) : -1;
  if (closing && closes !== -1) {
    const groups = closing.pattern.exec(pieces[closes] ?? '')?.groups ?? {};
    take({ part: closing, groups, rank: form.parts.length }, pieces.slice(closes + 1));
    end = closes;
  }

  const unknown: string[] = [];
  let bound = form.parts.length;
  let tail: string[] = [];
  let sides = false;
  let first: Part | undefined;
  for (let index = end - 1; index >= 0; index--) {
    const piece = pieces[index] ?? '';
    const last = tail[0];
    const found = find(mask(piece, index), {
      form,
      bound,
      tail: tail.length,
      sides,
      ending: last === undefined ? undefined : mask(last, index + tail.length),
    });
    const stray = found && !found.part.open && tail.length > 0;
    if (!found || (stray && !partial)) {
      tail.unshift(piece);
      sides ||= piece.includes(SIDES);
      continue;
    }
    if (stray) unknown.unshift(...tail);
    take(found, stray ? [] : tail);
    first = index === 0 ? found.part : undefined;
    bound = found.rank;
    tail = [];
    sides = false;
  }
  if (tail.length > 0 || drafts.length === 0) return null;
  if (form.opening && first !== form.opening) return null;
  const draft = drafts.reduce((joined, next) => joined && next && join(joined, next));
  return draft && { draft, unknown, ...(entity && { entity }) };
}

interface Place {
  readonly form: Form;
  readonly bound: number;
  /** How many pieces of free text would follow. */
  readonly tail: number;
  /** Whether ` to ` occurs in them. */
  readonly sides: boolean;
  /** The last of them. */
  readonly ending: string | undefined;
}

function find(masked: string, { form, bound, sides, ending }: Place): Found | null {
  for (let rank = 0; rank <= bound && rank < form.parts.length; rank++) {
    const parts = form.parts[rank] ?? [];
    for (const part of Array.isArray(parts) ? (parts as readonly Part[]) : [parts as Part]) {
      if (part.open && rank === bound) continue;
      const match = part.pattern.exec(masked);
      if (!match) continue;
      const groups = match.groups ?? {};
      if (part.sides && !sides && !groups[lastGroup(groups)]?.includes(SIDES)) continue;
      if (part.ends && !(ending ?? masked).endsWith(part.ends)) continue;
      return { part, groups, rank };
    }
  }
  return null;
}

interface Finish {
  readonly tail: readonly string[];
  readonly separator: string;
  readonly unmask: (text: string) => string;
}

/** The groups with their mentions put back and the free text complete. */
function finish({ part, groups }: Found, { tail, separator, unmask }: Finish): Groups {
  const finished: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups)) finished[name] = unmask(value ?? '');
  if (!part.open) return finished;
  const last = lastGroup(groups);
  const text = [finished[last] ?? '', ...tail].join(separator);
  finished[last] = part.ends ? text.slice(0, text.length - unmask(part.ends).length) : text;
  return finished;
}

function lastGroup(groups: Groups): string {
  return Object.keys(groups).at(-1) ?? '';
}

function entityIn({ type, entity }: Groups): Entity | undefined {
  const known = typeByLabel[type ?? ''];
  return known && entity ? { type: known, name: entity } : undefined;
}
