import type { Lines } from './compose.ts';
import type { Subject } from './subject.ts';
import type { Names } from './template.ts';

/** How the catalogue writes ratings in its lines. */
const ratingLabel = /\b(?:(?:Green|Amber|Red) List|No [Ll]ist)\b/;

/** Whether some template of the grammar matches a line, after the names that it can mention. */
export type IsKnown = (line: string, names: Names) => boolean;

/**
 * The lines of a text. A later line that names the entity or a rating, and that no template matches, may be a new
 * wording of the software. Such a line is unknown: it does not count as part of the free text before it.
 */
export function linesOf(text: string, { entity, panel, first, later }: Subject, isKnown: IsKnown): Lines {
  const broken = panel.includes('\n') ? panel : entity?.name.includes('\n') ? entity.name : null;
  let lines: readonly string[] | undefined;
  const all = (): readonly string[] => (lines ??= split(text, broken));
  return {
    text,
    first: broken === null ? firstLineOf(text) : (all()[0] ?? ''),
    all,
    firstNames: first,
    laterNames: later,
    isUnknown: (line) => {
      const words = all()[line] ?? '';
      const names = (entity !== null && holdsWord(words, entity.name)) || ratingLabel.test(words);
      return line > 0 && names && !isKnown(words, later);
    },
  };
}

/** The text up to its first line break. */
function firstLineOf(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** The fields of a review: what a person writes into them can name anything. */
export function fieldsOf(text: string, separator: string, names: Names): Lines {
  const fields = text.split(separator);
  return {
    text,
    first: fields[0] ?? '',
    all: () => fields,
    firstNames: names,
    laterNames: names,
    isUnknown: () => false,
  };
}

/** Replaces a name while a text is split. */
const STAND_IN = '\uE000';

/** Splits a text into lines. A line break within a name does not end a line. */
function split(text: string, broken: string | null): readonly string[] {
  if (!text.includes('\n')) return [text];
  if (broken === null || text.includes(STAND_IN)) return text.split('\n');
  return text
    .replaceAll(broken, STAND_IN)
    .split('\n')
    .map((line) => line.replaceAll(STAND_IN, () => broken));
}

/** Whether the text holds the word, and not as a part of a longer one. */
function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (!/[\w-]/.test(text.charAt(at - 1)) && !/[\w-]/.test(text.charAt(at + word.length))) return true;
  }
  return false;
}
