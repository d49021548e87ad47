import * as z from 'zod';
import { inheritanceGroups } from '../events/inheritance.ts';
import type { Filter } from './filter.ts';
import { filterSchema } from './filter-schema.ts';
import { type GreenTurn, greenTurns } from './green-turn.ts';
import { type Names, panelsNamed } from './names.ts';

/** Which key of a filter a name of the command line and of an address gives, and whether a comma separates its values. */
const keys = {
  panel: ['panels', false],
  'panel-type': ['panelTypes', true],
  'r-code': ['rCodes', true],
  gene: ['genes', true],
  'entity-type': ['entityTypes', true],
  topic: ['topics', true],
  type: ['types', true],
  'from-rating': ['from', true],
  to: ['to', true],
  direction: ['direction', true],
  green: ['green', true],
  'inheritance-from': ['inheritanceFrom', false],
  'inheritance-to': ['inheritanceTo', false],
  tag: ['tags', false],
  actor: ['actors', false],
} as const;

/** Texts by their names on the command line and in an address: `{ 'r-code': ['R59'] }`. */
export type FilterTexts = { readonly [Name in keyof typeof keys]?: readonly string[] | undefined };

/** A text is not one that its name takes. */
export class FilterTextError extends Error {
  override readonly name = 'FilterTextError';
  /** The name that it was given for, such as `to`. */
  readonly option: string;
  /** The text, quoted. */
  readonly seen: string;
  /** What the name takes, as a phrase. */
  readonly expected: string;

  constructor(option: string, seen: string, expected: string) {
    super(`${option} ${seen}: expected ${expected}`);
    this.option = option;
    this.seen = seen;
    this.expected = expected;
  }
}

/**
 * Returns the filter that texts state.
 * @param genes names besides those of `gene`
 * @throws {FilterTextError} when a text is not one that its name takes
 */
export function readFilterTexts(texts: FilterTexts, genes: readonly string[] = []): Filter {
  const given: Record<string, unknown> = {};
  for (const [option, [key, splits]] of Object.entries(keys)) {
    const values = texts[option as keyof typeof keys];
    if (!values) continue;
    given[key] = values.flatMap((text) => (splits ? text.split(',') : [text])).map((text) => text.trim());
  }
  // A panel of digits is an id: the stores have an index of ids.
  if (Array.isArray(given.panels)) {
    given.panels = given.panels.map((text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text));
  }
  if (genes.length > 0) given.genes = [...((given.genes as string[] | undefined) ?? []), ...genes];
  const filter = filterSchema.safeParse(given);
  if (filter.success) return filter.data;
  throw problemOf(filter.error, given);
}

function problemOf({ issues }: z.ZodError, given: Readonly<Record<string, unknown>>): FilterTextError {
  const [issue] = issues;
  const [key = '', index] = issue?.path ?? [];
  const [option] = Object.entries(keys).find(([, [name]]) => name === key) ?? [String(key)];
  const value = (given[String(key)] as readonly unknown[] | undefined)?.[Number(index)];
  const expected = allowedIn(String(key))?.join(', ') ?? issue?.message ?? 'another value';
  return new FilterTextError(option, JSON.stringify(value ?? ''), expected);
}

/** The values that a key takes, where they are few; types in their short form. */
function allowedIn(key: string): readonly string[] | undefined {
  const schema = z.toJSONSchema(filterSchema).properties?.[key];
  const items = typeof schema === 'object' ? schema.items : undefined;
  const values = typeof items === 'object' && 'enum' in items ? items.enum : undefined;
  return values?.map(String).filter((value) => !value.startsWith('gene-panel.'));
}

/** The longest list of values that is written out. */
const MOST_VALUES = 10;

const words = {
  catalogues: ['catalogue', 'catalogues'],
  panels: ['panel', 'panels'],
  panelTypes: ['type of panels', 'types of panels'],
  rCodes: ['R code', 'R codes'],
  genes: ['gene', 'genes'],
  entityTypes: ['kind', 'kinds'],
  topics: ['topic', 'topics'],
  types: ['type of events', 'types of events'],
  from: ['rating before', 'ratings before'],
  to: ['rating now', 'ratings now'],
  direction: ['change', 'changes'],
  green: ['green list', 'green list'],
  inheritanceFrom: ['mode of inheritance before', 'modes of inheritance before'],
  inheritanceTo: ['mode of inheritance now', 'modes of inheritance now'],
  tags: ['tag', 'tags'],
  actors: ['curator or reviewer', 'curators or reviewers'],
  late: ['late', 'late'],
} as const satisfies Readonly<Record<keyof Filter, readonly [one: string, several: string]>>;

/** A filter in words, for the head of an answer: `panel Hearing loss; R code R59`. Names are the present ones. */
export function filterWords(filter: Filter, names: Names): string {
  const keys = Object.keys(words) as readonly (keyof Filter)[];
  return keys
    .flatMap((key) => {
      const values = filter[key];
      if (values === undefined) return [];
      if (typeof values === 'boolean') return [values ? 'late changes only' : 'no late changes'];
      const shown = values.slice(0, MOST_VALUES).map((value) => valueWords(key, value, names));
      const more = values.length - shown.length;
      const list = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
      return [`${words[key][values.length === 1 ? 0 : 1]} ${list}`];
    })
    .join('; ');
}

function valueWords(key: keyof Filter, value: string | number, names: Names): string {
  const text = String(value);
  if (key === 'genes') return renamedWords(text, names.presentEntityName(text));
  if (key === 'panels') {
    const [panel, other] = panelsNamed(names, text);
    if (!panel || other) return text;
    return /^\d+$/.test(text) ? `${panel.name} (${text})` : renamedWords(text, panel.name);
  }
  if (key === 'green') return greenTurns[value as GreenTurn].words;
  if (key === 'inheritanceFrom' || key === 'inheritanceTo')
    return (inheritanceGroups as Readonly<Record<string, string>>)[text.toLowerCase()] ?? text;
  return key === 'from' || key === 'to' ? (text === 'none' ? 'unrated' : text) : text;
}

const renamedWords = (given: string, present: string): string =>
  given.toLowerCase() === present.toLowerCase() ? present : `${present} (asked for as ${given})`;
