import type { Entity } from '../events/schemas.ts';

/** The names that a text can mention, as placeholders spell them. */
export interface Names {
  /** `gene: BRCA1` */
  readonly label: string;
  /** `Gene: brca1`, lower-cased as the catalogue does */
  readonly Label: string;
  /** `BRCA1` */
  readonly name: string;
  readonly panel: string;
}
type Placeholder = keyof Names;

/**
 * One wording of the catalogue: a pattern of the grammar, anchored at both ends, in which `⟨label⟩`, `⟨Label⟩`,
 * `⟨name⟩` and `⟨panel⟩` stand for names. Its opening is compared as text; the rest is a regular expression.
 */
export interface Template {
  /** As the grammar has it. */
  readonly pattern: RegExp;
  /** The words with which it can start; the empty word where it starts with free text. */
  readonly firstWords: readonly string[];
  readonly opening: Words;
  /** The names that the rest mentions, in the order of its back-references. */
  readonly mentions: readonly Placeholder[];
  /** Matches all that follows the opening, behind the names. */
  readonly rest: RegExp;
  /** Matches what stands between the opening and the last group, behind the names; null for nothing. */
  readonly start: RegExp | null;
  /** The words behind the last group; null where there are none. */
  readonly ending: Words | null;
  /** Matches a line that names any entity, captured in `gene`, `str`, `region` or `bare`. */
  readonly anyEntity: RegExp;
}

/** Words with one name at most. */
interface Words {
  readonly before: string;
  readonly name: Placeholder | null;
  readonly after: string;
}

/** What a template captured. */
export interface Captured {
  /** The first group; the empty text where there is none. */
  readonly words: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

/**
 * The templates of a pattern: two where it names the entity as `⟨entity⟩`, with its label and without.
 *
 * @throws {Error} when the pattern is not anchored at both ends, or has an unknown placeholder.
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

/** Characters that stand for themselves: neither syntax nor followed by a repetition. */
const WORDS = String.raw`(?:(?:[\w :;,']|\\[.()])(?![*+?]))*`;
const freeGroupLast = /^(?<head>.*)\(\?<\w+>\.[*+]\)(?<tail>[^()]*)$/s;
const opened = new RegExp(`^(?<before>${WORDS})(?:⟨(?<name>\\w+)⟩(?<after>${WORDS}))?`);

function wordsOf(source: string): Words & { readonly source: string } {
  const [found = '', before = '', name = null, after = ''] = opened.exec(source) ?? [];
  return { before: literal(before), name: name as Placeholder | null, after: literal(after), source: found };
}

function templateOf(pattern: RegExp, inside: string): Template {
  const opening = wordsOf(inside);
  const rest = inside.slice(opening.source.length);
  const { head = rest, tail = '' } = freeGroupLast.exec(rest)?.groups ?? {};
  const mentions = (['label', 'Label', 'name', 'panel'] as const).filter((one) => rest.includes(`⟨${one}⟩`));
  const compiled = (source: string): RegExp => behind(mentions, source, pattern.flags);
  return {
    pattern,
    firstWords: firstWordsOf(inside),
    opening,
    mentions,
    rest: compiled(`${rest}$`),
    start: head === '' ? null : compiled(head),
    ending: tail === '' ? null : wordsOf(tail),
    anyEntity: namingAny(inside, opening.source + head, tail),
  };
}

function literal(source: string): string {
  return source.replaceAll('\\', '');
}

/**
 * Patterns are compiled once, and the names differ from row to row. So a text is matched with the names in
 * front of it, and a placeholder is a back-reference to its name: it matches that very name, whatever
 * characters the name holds.
 */
function behind(mentions: readonly Placeholder[], source: string, flags: string): RegExp {
  const names = mentions.map(() => '([^\\0]*)\\0').join('');
  const referring = source.replace(/⟨(\w+)⟩/g, (_, name: Placeholder) => `\\${mentions.indexOf(name) + 1}`);
  return new RegExp(`^${names}${referring}`, flags);
}

function inFront({ mentions }: Template, names: Names): string {
  let front = '';
  for (const mention of mentions) front += `${names[mention]}\0`;
  return front;
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
  // Free text at the end may go on behind the line.
  const source = tail === '' && inside.endsWith(')') ? head : `${inside}$`;
  return new RegExp(`^${source.replace(/⟨(\w+)⟩/g, (_, name: Placeholder) => any[name])}`, 's');
}

function firstWordsOf(source: string): readonly string[] {
  const label = /^⟨(label|Label)⟩ /.exec(source)?.[1] as 'label' | 'Label' | undefined;
  if (label) return Object.values(labels).map((each) => each[label].trimEnd());
  return [/^[\w:]+(?= |$)/.exec(source)?.[0] ?? ''];
}

/** Names are short. One that is longer, or holds the character behind names, matches nowhere. */
const LONGEST_NAME = 1_000;
const unmatched = '\uFFFD\uFFFD';

/** The names of a row about an entity of a panel, or about the panel itself. */
export function namesOf(entity: Entity | null, panel: string): Names {
  if (!entity) return { label: unmatched, Label: unmatched, name: unmatched, panel: matchable(panel) };
  const name = matchable(entity.name);
  const { label, Label } = labels[entity.type];
  return { label: label + name, Label: Label + name.toLowerCase(), name, panel: matchable(panel) };
}

function matchable(name: string): string {
  return name.length > LONGEST_NAME || name.includes('\0') ? unmatched : name;
}

/** What a template captures of a text; null where it does not match. */
export function match(template: Template, names: Names, text: string): Captured | null {
  const at = endOfOpening(template.opening, names, text);
  if (at === -1) return null;
  const found = template.rest.exec(inFront(template, names) + text.slice(at));
  return found && { words: found[template.mentions.length + 1] ?? '', groups: found.groups ?? noGroups };
}

const noGroups: Captured['groups'] = {};

/** Where the last group starts in a text that the template matches up to there; -1 where it does not match. */
export function matchStart(template: Template, names: Names, text: string): number {
  const at = endOfOpening(template.opening, names, text);
  if (at === -1 || template.start === null) return at;
  const front = inFront(template, names);
  const found = template.start.exec(front + text.slice(at));
  return found ? at + found[0].length - front.length : -1;
}

/** Whether a line ends in the words behind the last group. */
export function matchesEnding({ ending }: Template, names: Names, line: string): boolean {
  if (ending === null) return false;
  const { before, name, after } = ending;
  return line.endsWith(before + (name === null ? '' : names[name]) + after);
}

function endOfOpening({ before, name, after }: Words, names: Names, text: string): number {
  if (!text.startsWith(before)) return -1;
  if (name === null) return before.length;
  const spelled = names[name];
  if (!text.startsWith(spelled, before.length)) return -1;
  const end = before.length + spelled.length;
  return text.startsWith(after, end) ? end + after.length : -1;
}

/** Things with templates, found by how a line starts. */
export interface ByFirstWord<T> {
  /** Those that can start with the first word of the line, in their order. */
  starting(line: string): readonly T[];
  /** Those that can start with free text: tried on lines that nothing else matches. */
  readonly freely: readonly T[];
}

export function byFirstWord<T>(
  things: readonly T[],
  templatesOf: (thing: T) => readonly Template[],
): ByFirstWord<T> {
  const found = new Map<string, T[]>();
  for (const thing of things) {
    for (const word of new Set(templatesOf(thing).flatMap(({ firstWords }) => firstWords))) {
      found.set(word, [...(found.get(word) ?? []), thing]);
    }
  }
  const none: readonly T[] = [];
  const freely = found.get('') ?? none;
  found.delete('');
  return { starting: (line) => found.get(firstWord(line)) ?? none, freely };
}

function firstWord(line: string): string {
  const end = line.indexOf(' ');
  return end === -1 ? line : line.slice(0, end);
}
