import type { Instant } from '../run/instant.ts';
import type { Asked, Option, Options, Times } from './question.ts';

/** An option has a value that it does not take. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  /** The name of the option; empty until it is known. */
  readonly option: string;
  readonly seen: string;
  /** What the option takes, as a phrase. */
  readonly expected: string;

  constructor(seen: string, expected: string, option = '') {
    super(`${option} ${JSON.stringify(seen)}: expected ${expected}`);
    this.option = option;
    this.seen = seen;
    this.expected = expected;
  }
}

/** What was given for options, by their names. */
export type Texts = Readonly<Record<string, readonly string[]>>;

/**
 * Reads what was given for the options of a question.
 * @throws {OptionError} when a text is not one that its option takes
 */
export function readAsked<Declared extends Options>(
  options: Declared,
  texts: Texts,
  moment: { readonly now: Instant; readonly times: Times },
): Asked<Declared> {
  const read = Object.entries(options).map(([name, option]) => {
    const values = valuesOf(option, texts[name] ?? []);
    try {
      if (values.length > 1 && !option.isMultiple) throw new OptionError(values[1] ?? '', 'one value');
      return [name, option.read(values, moment)] as const;
    } catch (error) {
      throw error instanceof OptionError ? new OptionError(error.seen, error.expected, name) : error;
    }
  });
  return Object.fromEntries(read) as Asked<Declared>;
}

/** The values in what was given for an option: cut at commas where these separate values, each once. */
export function valuesOf({ splits }: Pick<Option<unknown>, 'splits'>, texts: readonly string[]) {
  const parts = splits ? texts.flatMap((text) => text.split(',')) : texts;
  return [...new Set(parts.map((text) => text.trim()).filter((text) => text !== ''))];
}

/** One of a few words, the first of them where none is given. */
export function choice<const Word extends string>(
  help: string,
  label: string,
  choices: Readonly<Record<Word, string>>,
): Option<Word> {
  const words = Object.keys(choices) as Word[];
  const [usual] = words;
  return {
    help: `${help}: ${words.map((word) => `${word} (${choices[word]})`).join(', ')}; default: ${usual}`,
    takes: 'WORD',
    field: { kind: 'choice', label, choices },
    read([text = usual]) {
      const word = words.find((each) => each === text);
      if (word !== undefined) return word;
      const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);
      throw new OptionError(text ?? '', list);
    },
  };
}

/** Set or not. In an address it is `yes`. */
export const flag = (help: string, label?: string): Option<boolean> => ({
  help,
  ...(label !== undefined && { field: { kind: 'flag', label } }),
  read([text]) {
    if (text === undefined || text === 'yes') return text !== undefined;
    throw new OptionError(text, 'yes, or nothing');
  },
});

/** The panels that are asked for; `findPanels` finds them. */
export const panelOptions = {
  'r-code': {
    help: 'only panels with this code of the National Genomic Test Directory; R59 finds R59.3 too',
    takes: 'CODE',
    isMultiple: true,
    splits: true,
    field: { kind: 'names', label: 'R codes', of: 'r-code' },
    read: (codes) => codes,
  },
  panel: {
    help: 'only this panel, by number, older id, present or former name',
    takes: 'ID|NAME',
    isMultiple: true,
    field: { kind: 'names', label: 'Panel', of: 'panel' },
    read: (names) => names,
  },
} as const satisfies Options;
