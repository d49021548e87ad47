import { isRCode } from '../events/r-codes.ts';
import { type Instant, parseInstant } from '../run/instant.ts';
import type { Asked, Option, Options, Texts, Times } from './question.ts';

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
    read(codes: readonly string[]) {
      const other = codes.find((code) => !isRCode(code));
      if (other === undefined) return codes;
      throw new OptionError(other, 'a code such as R59 or R59.3');
    },
  },
  panel: {
    help: 'only this panel, by number, older id, present or former name',
    takes: 'ID|NAME',
    isMultiple: true,
    field: { kind: 'names', label: 'Panel', of: 'panel' },
    read: (names) => names,
  },
} as const satisfies Options;

const lengths = { s: 1_000_000n, m: 60_000_000n, h: 3_600_000_000n } as const;

/**
 * A day, a time, or how long ago. A number of days is counted from the beginning of a day, so that an answer is the same all day.
 * @throws {OptionError} when the text is none of them
 */
export function readMoment(
  text: string,
  { now, times }: { readonly now: Instant; readonly times: Times },
): Instant {
  if (isDay(text)) return times.startOf(text);
  const [, count = '', unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit === 'd') return times.startOf(times.iso(now), -Number(count));
  if (unit !== undefined) return now - BigInt(count) * lengths[unit as keyof typeof lengths];
  const at = parseInstant(text.replace(/(T\d{2}:\d{2})(?=Z$|[+-])/, '$1:00'));
  if (at !== null) return at;
  throw new OptionError(
    text,
    'a day or a time in ISO 8601 with Z or an offset, such as 2026-01-31 or 2026-01-31T12:00:00Z, or 90d for the last 90 days',
  );
}

/** @throws {OptionError} when the text is no time, or one in the future */
export function readPastTime(text: string, moment: Parameters<typeof readMoment>[1]): Instant {
  const at = readMoment(text, moment);
  if (at <= moment.now) return at;
  throw new OptionError(text, 'a time that is not in the future; is the year right?');
}

/** Whether a text is a day such as `2026-01-31`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== null;

/**
 * From a time up to and without another one; without an end, up to the present.
 * @param usual the beginning where none is given, such as `30d`; the beginning of what was read where absent
 */
export const periodOptions = (usual?: string) => ({
  since: {
    help: `changes at or after this time: 2026-01-31, 2026-01-31T12:00:00Z, or 90d for the last 90 days${usual === undefined ? '' : `; default: ${usual}`}`,
    takes: 'TIME',
    field: { kind: 'day', label: 'Changed on or after' },
    read([text = usual]: readonly string[], moment: { readonly now: Instant; readonly times: Times }) {
      return text === undefined ? undefined : readPastTime(text, moment);
    },
  } satisfies Option<Instant | undefined>,
  until: {
    help: 'changes before this time',
    takes: 'TIME',
    field: { kind: 'day', label: 'Changed before' },
    read: ([text]: readonly string[], moment: { readonly now: Instant; readonly times: Times }) =>
      text === undefined ? undefined : readMoment(text, moment),
  } satisfies Option<Instant | undefined>,
});

/** @throws {OptionError} when it ends before it begins */
export function periodOf(
  { since, until }: { readonly since: Instant | undefined; readonly until: Instant | undefined },
  { times }: { readonly times: Times },
) {
  if (since !== undefined && until !== undefined && until <= since)
    throw new OptionError(times.iso(until), `a time after its begin, ${times.iso(since)}`, 'until');
  return { ...(since !== undefined && { since }), ...(until !== undefined && { until }) };
}
