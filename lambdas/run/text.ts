/**
 * Pieces of character classes, for regular expressions with the flag `u` or `v`: characters in texts from outside that
 * are invisible, or that control the terminal or the page which shows them.
 */
export const controls = '\\p{Cc}';
/** Line separators and paragraph separators. */
export const separators = '\\p{Zl}\\p{Zp}';
/** Marks that turn the direction of writing and last until another one ends them. */
export const directionMarks = '\\u202a-\\u202e\\u2066-\\u2069';
/** SQS refuses these. */
export const noncharacters = '\\ufffe\\uffff';
/** They join letters or keep them apart: some scripts and emoji need them. */
export const joiners = '\\u200c\\u200d';
/** Controls, direction marks, characters without width, tags, separators. */
const unprintable = `${controls}\\p{Cf}${separators}${noncharacters}`;
/** Printable, every one of them: ASCII, Latin, Greek, Cyrillic, typographic signs and the arrow of a change, as in nearly all texts. */
const beyondPlain = /[^ -~\u00a0-\u00ac\u00ae-\u05ff\u2010-\u2027\u2030-\u205f\u2192]/;
const controlOrSpace = new RegExp(`[\\s${controls}]+`, 'gu');

/** Matches each unprintable character but the given ones; private use counts where it is asked for. */
export function unprintableBut(kept: string, { privateUse = false } = {}): RegExp {
  return new RegExp(`(?![${kept}])[${unprintable}${privateUse ? '\\p{Co}' : ''}]`, 'gu');
}

/** So few ranges are searched for in two thirds of the time, and most texts hold nothing else. */
const beyondAscii = /[^ -~\u2010-\u2027\u2192]/;

/**
 * True where a text surely holds nothing unprintable: classes of Unicode, which other texts must be searched for, take
 * ten times as long.
 */
export const isPlain = (text: string): boolean => !beyondAscii.test(text) || !beyondPlain.test(text);

/** Whether a text surely has single spaces alone, as most do, and nothing that cannot be printed. */
const isSimple = (text: string): boolean => !beyondAscii.test(text) && !text.includes('  ');

/** Returns the text with white space and control characters as one space each. */
export const onOneLine = (text: string): string =>
  isSimple(text) ? text : text.replace(controlOrSpace, ' ');

const unseen = unprintableBut(joiners, { privateUse: true });

/**
 * A text from the catalogue on one line that cannot control a terminal. White space becomes a space. Control
 * characters, escape sequences and characters that change the direction of writing become U+FFFD.
 */
export function printable(text: string): string {
  return printablePart(text).trim();
}

/** A part of such a text: spaces at its ends stay. */
export function printablePart(text: string): string {
  if (isSimple(text)) return text;
  return text.toWellFormed().replace(/\s+/gu, ' ').replace(unseen, '\ufffd');
}

/**
 * Characters that no reader of JSON needs as they are: control characters, marks that turn the direction of writing,
 * other invisible ones, and the two that SQS refuses. Some of them move the cursor of a terminal, clear its screen or
 * write to its clipboard.
 */
const beyondJson = unprintableBut('\n');

/**
 * The same JSON, with each unprintable character as an escape: a reader gets the same value, and what
 * shows it as text is not steered by it. Line breaks between the values stay.
 */
export function safeJson(json: string): string {
  return isPlain(json) ? json : json.replace(beyondJson, escaped);
}

/** A character as JSON writes it in ASCII: one escape for each UTF-16 unit. */
export function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

let collator: Intl.Collator | undefined;

/** Compares two texts as people sort them: `Panel 9` before `Panel 10`. The first collator of a process takes 7 ms: it is made at need. */
export function naturalOrder(one: string, other: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(one, other);
}

/**
 * Returns what makes something of a text, and remembers what it made: the same texts come again and again. What it returns must not
 * be changed.
 * @param most how many texts are remembered; then it begins anew
 */
export function onceForText<Value>(most: number, make: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = make(text);
    if (known.size >= most) known.clear();
    known.set(text, value);
    return value;
  };
}

/** The text with a capital first letter. */
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `a, b and c`. */
export function enumerate(items: readonly string[], last: 'and' | 'or' = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

/** A number with its noun: `1 panel`, `1,914 panels`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Small numbers as `toLocaleString` writes them, which takes 5 ms the first time. */
const grouped = (count: number): string => (count < 1000 ? `${count}` : count.toLocaleString('en-GB'));

/** The first of some names, and how many more there are: `BRCA1, PALB2 and 3 more`. */
export const firstOf = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;
