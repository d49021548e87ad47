import type { Entity } from '../events/schemas.ts';

/** The names that a text can mention, as placeholders spell them; null where the row has none. */
export interface Names {
  /** `gene: BRCA1` */
  readonly label: string | null;
  /** `Gene: brca1`, lower-cased as the catalogue does */
  readonly Label: string | null;
  /** `BRCA1` */
  readonly name: string | null;
  readonly panel: string;
}
type Placeholder = keyof Names;

/**
 * One wording of the catalogue: a pattern of the grammar, anchored at both ends, in which `⟨label⟩`, `⟨Label⟩`,
 * `⟨name⟩` and `⟨panel⟩` mean names. Its opening and its ending are compared as text, so a name matches itself,
 * even where it holds special characters. What is between them is nearly always free text, else a regular expression.
 */
export interface Template {
  /** As the grammar has it. */
  readonly pattern: RegExp;
  /** The pattern without its anchors, and with `⟨label⟩` or `⟨name⟩` for `⟨entity⟩`. */
  readonly source: string;
  /** How the texts start that it can match; the empty text where they start with free text. */
  readonly starts: readonly string[];
  readonly opening: Words;
  /** A set where it is one of several words. */
  readonly middle: 'nothing' | 'any text' | 'some text' | ReadonlySet<string> | RegExp;
  readonly ending: Words;
  /** Matches what is between the opening and the last group; null for nothing. */
  readonly start: RegExp | null;
  /** Matches a line that names any entity, captured in `gene`, `str`, `region` or `bare`. */
  readonly anyEntity: RegExp;
}

/** Words and names in turn; a row's own names take the places of the placeholders. */
type Words = readonly { readonly text: string; readonly name: Placeholder | null }[];

/** What a template captured. */
export interface Captured {
  readonly words: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

/**
 * The templates of a pattern: two where it names the entity as `⟨entity⟩`, with its label and without.
 *
 * @throws {Error} when the pattern is not anchored at both ends, has an unknown placeholder, or has a placeholder
 * between two groups.
 */
export function templatesOf(pattern: RegExp): readonly Template[] {
  const { source } = pattern;
  if (!/^\^.*[^\\]\$$/s.test(source)) throw new Error(`pattern ${pattern} is not anchored at both ends`);
  const inside = source.slice(1, -1);
  const unknown = inside.replaceAll(/⟨(?:label|Label|name|panel|entity)⟩/g, '').match(/[⟨⟩].*/)?.[0];
  if (unknown) throw new Error(`pattern ${pattern} has an unknown placeholder at "${unknown}"`);
  if (!inside.includes('⟨entity⟩')) return [templateOf(pattern, inside)];
  return ['⟨label⟩', '⟨name⟩'].map((name) => templateOf(pattern, inside.replace('⟨entity⟩', name)));
}

/** Placeholders, and characters that are neither syntax nor followed by a repetition. */
const WORDS = String.raw`(?:(?:[\w :;,']|\\[.()]|⟨\w+⟩)(?![*+?{]))*`;
const openingFirst = new RegExp(`^(?<opening>${WORDS})(?<rest>.*)$`, 's');
const endingLast = new RegExp(`^(?<middle>.*\\))(?<ending>${WORDS})$`, 's');
const freeGroup = /\(\?<\w+>\.[*+]\)$/;

function templateOf(pattern: RegExp, inside: string): Template {
  const { opening = '', rest = '' } = openingFirst.exec(inside)?.groups ?? {};
  const { middle = rest, ending = '' } = endingLast.exec(rest)?.groups ?? {};
  if (middle.includes('⟨')) throw new Error(`pattern ${pattern} has a placeholder between two groups`);
  const head = middle.replace(freeGroup, '');
  let anyEntity: RegExp | undefined;
  return {
    pattern,
    source: inside,
    starts: startsOf(inside),
    opening: wordsOf(opening),
    middle: middleOf(middle, pattern.flags),
    ending: wordsOf(ending),
    start: head === '' ? null : new RegExp(`^${head}`, pattern.flags),
    // Few rows need it, and to make it of each pattern takes most of the time in which the grammar is loaded.
    get anyEntity() {
      anyEntity ??= namingAny(inside, opening + head, ending);
      return anyEntity;
    },
  };
}

function middleOf(source: string, flags: string): Template['middle'] {
  if (source === '') return 'nothing';
  const [, content = ''] = /^\(\?<\w+>((?:[\w |]|\\[.()])+|\.[*+])\)$/.exec(source) ?? [];
  if (flags === 's' && content === '.*') return 'any text';
  if (flags === 's' && content === '.+') return 'some text';
  if (content !== '' && !content.startsWith('.')) return new Set(content.replaceAll('\\', '').split('|'));
  return new RegExp(`^${source}$`, flags);
}

function wordsOf(source: string): Words {
  const words: Words[number][] = [];
  for (const [, text = '', name = null] of source.matchAll(/([^⟨]*)(?:⟨(\w+)⟩)?/g)) {
    if (text !== '' || name)
      words.push({ text: text.replaceAll('\\', ''), name: name as Placeholder | null });
  }
  return words;
}

/** Labels as the catalogue writes them. */
const labels = {
  gene: { label: 'gene: ', Label: 'Gene: ' },
  str: { label: 'STR: ', Label: 'Str: ' },
  region: { label: 'Region: ', Label: 'Region: ' },
} as const satisfies Record<Entity['type'], object>;

function namingAny(inside: string, head: string, tail: string): RegExp {
  const labelled = (label: 'label' | 'Label'): string =>
    Object.entries(labels)
      .map(([type, each]) => `${each[label]}(?<${type}>\\S+)`)
      .join('|');
  const any: Readonly<Record<Placeholder, string>> = {
    label: `(?:${labelled('label')})`,
    Label: `(?:${labelled('Label')})`,
    name: '(?<bare>\\S+)',
    panel: '.*',
  };
  // Free text at the end may go on after the line.
  const source = tail === '' && inside.endsWith(')') ? head : `${inside}$`;
  return new RegExp(`^${source.replace(/⟨(\w+)⟩/g, (_, name: Placeholder) => any[name])}`, 's');
}

function startsOf(source: string): readonly string[] {
  const label = /^⟨(label|Label)⟩/.exec(source)?.[1] as 'label' | 'Label' | undefined;
  if (label) return Object.values(labels).map((each) => each[label]);
  return [/^\w{2}(?![*+?{])/.exec(source)?.[0] ?? ''];
}

/** The names of a row about an entity of a panel, or about the panel itself. */
export function namesOf(entity: Entity | null, panel: string): Names {
  if (!entity) return { label: null, Label: null, name: null, panel };
  const { name } = entity;
  const { label, Label } = labels[entity.type];
  return { label: label + name, Label: Label + name.toLowerCase(), name, panel };
}

/** What a template captures of a text; null where it does not match. */
export function match(template: Template, names: Names, text: string): Captured | null {
  const from = endOf(template.opening, names, text, 0);
  return from === -1 ? null : matchFrom(template, names, text, from);
}

/** What a template captures of a text that is known to match up to the end of the opening. */
export function matchFrom(
  { middle, ending }: Template,
  names: Names,
  text: string,
  from: number,
): Captured | null {
  const to = startOf(ending, names, text);
  if (to < from) return null;
  if (middle === 'nothing') return from === to ? nothing : null;
  const words = text.slice(from, to);
  if (middle instanceof RegExp) {
    const found = middle.exec(words);
    return found && { words: found[1] ?? '', groups: found.groups ?? noGroups };
  }
  const matches = typeof middle === 'string' ? middle === 'any text' || words !== '' : middle.has(words);
  return matches ? { words, groups: noGroups } : null;
}

const noGroups: Captured['groups'] = {};
const nothing: Captured = { words: '', groups: noGroups };

/** Where the last group starts in a text that the template matches up to there; -1 where it does not match. */
export function matchStart({ opening, start }: Template, names: Names, text: string): number {
  const at = endOf(opening, names, text, 0);
  if (at === -1 || start === null) return at;
  const found = start.exec(text.slice(at));
  return found ? at + found[0].length : -1;
}

/** Whether a template has words after its last group, and a line ends in them. */
export function matchesEnding({ ending }: Template, names: Names, line: string): boolean {
  return ending.length > 0 && startOf(ending, names, line) !== -1;
}

/** Where words end that start at a place of the text; -1 where others are there. */
function endOf(words: Words, names: Names, text: string, start: number): number {
  let at = start;
  for (const word of words) {
    if (word.text !== '' && !text.startsWith(word.text, at)) return -1;
    at += word.text.length;
    if (word.name === null) continue;
    const name = names[word.name];
    if (name === null || !text.startsWith(name, at)) return -1;
    at += name.length;
  }
  return at;
}

/** Where words start that end the text; -1 where it ends otherwise. */
function startOf(words: Words, names: Names, text: string): number {
  let start = text.length;
  if (words.length === 0) return start;
  for (const { text, name } of words) start -= text.length + (name === null ? 0 : (names[name]?.length ?? 0));
  return start >= 0 && endOf(words, names, text, start) === text.length ? start : -1;
}

/** The two letters by which a line is looked up, as a number; NaN where it is shorter. */
const firstLettersOf = (line: string): number => line.charCodeAt(0) * 128 + line.charCodeAt(1);

/** Things with templates, found by how a line starts. */
export interface ByFirstLetters<T> {
  /** Those that can start with the first letters of the line, in their order. */
  starting(line: string): readonly T[];
  /** Those that can start with free text: tried on lines that nothing else matches. */
  readonly freely: readonly T[];
  candidates(line: string): readonly T[];
}

/** Arranges things by the first letters that their templates can match, so that a text meets few of them. */
export function byFirstLetters<T>(
  things: readonly T[],
  templatesOf: (thing: T) => readonly Template[],
): ByFirstLetters<T> {
  const found = new Map<number, T[]>();
  const freely: T[] = [];
  for (const thing of things) {
    const starts = templatesOf(thing).flatMap((template) => template.starts);
    if (starts.includes('')) freely.push(thing);
    for (const letters of new Set(starts.filter(Boolean).map(firstLettersOf))) {
      found.set(letters, [...(found.get(letters) ?? []), thing]);
    }
  }
  const none: readonly T[] = [];
  const both = new Map([...found].map(([letters, starting]) => [letters, [...starting, ...freely]]));
  return {
    starting: (line) => found.get(firstLettersOf(line)) ?? none,
    freely,
    candidates: (line) => both.get(firstLettersOf(line)) ?? freely,
  };
}
