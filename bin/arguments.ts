import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { catalogueErrors, catalogueUrl } from '../lambdas/catalogue/http/access.ts';
import { ServiceError } from '../lambdas/catalogue/http/service-error.ts';
import { nearest } from '../lambdas/filters/nearest.ts';
import { type readMoment as momentIn, OptionError } from '../lambdas/questions/options.ts';
import { utcTimes } from '../lambdas/questions/question.ts';
import type { Clock } from '../lambdas/run/clock.ts';
import { instantOf } from '../lambdas/run/instant.ts';
import { type Io, UsageError } from './command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/**
 * The options and operands of a command line.
 * @throws {UsageError} when an option is unknown, lacks its value, or has one and takes none
 */
export function readArguments<const Given extends Options>(args: readonly string[], options: Given) {
  const given = { args: [...args], options, allowPositionals: true };
  for (const token of parseArgs({ ...given, strict: false, tokens: true }).tokens) {
    if (token.kind === 'option') checkOption(token, options);
  }
  return parseArgs({ ...given, strict: true });
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function checkOption({ name, rawName, value, inlineValue }: OptionToken, options: Options): void {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) {
    const near = nearest(name, Object.keys(options));
    throw new UsageError(`unknown option '${rawName}'${near ? `; did you mean '--${near}'?` : ''}`);
  }
  if (option.type === 'boolean' && value !== undefined) throw new UsageError(`'${rawName}' takes no value`);
  if (option.type === 'string' && value === undefined) throw new UsageError(`'${rawName}' needs a value`);
  if (option.type === 'string' && !inlineValue && value && /^-./.test(value)) {
    throw new UsageError(
      `'${rawName}' needs a value; what follows begins with a hyphen: write ${rawName}=… if it is the value`,
    );
  }
}

type Moment = Parameters<typeof momentIn>[1];

/**
 * What a value of an option means.
 * @throws {OptionError} when the option does not take it
 */
export type Read<Value> = (text: string, moment: Moment) => Value;

/** The present, and how a command writes times. */
export const momentOf = ({ clock }: { readonly clock: Pick<Clock, 'now'> }): Moment => ({
  now: instantOf(clock.now()),
  times: utcTimes,
});

/** @throws {UsageError} where the value of an option is refused */
export function orUsage<Value>(read: () => Value, option?: string): Value {
  try {
    return read();
  } catch (error) {
    return asUsage(error, option);
  }
}

/** @throws {UsageError} for a refused value of an option, or an address that is wrong; else the error itself */
export function asUsage(error: unknown, option?: string): never {
  if (error instanceof ServiceError && error.condition === 'ADDRESS_WRONG' && option !== undefined)
    throw new UsageError(`${error.action}: ${error.seen}. Correct ${option}.`, { cause: error });
  if (!(error instanceof OptionError)) throw error;
  const { option: name, seen, expected } = error;
  throw new UsageError(`${option ?? `--${name}`} ${JSON.stringify(seen)}: expected ${expected}`, {
    cause: error,
  });
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const lengths = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof lengths;
const unitNames = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days' } as const satisfies Record<
  Unit,
  string
>;

/** How long something lasts, in milliseconds: `90s`, `15m`, `12h` or `2d`; a number alone is in `unit`, and so are the bounds. */
export const duration =
  ({ unit, min, max }: Bounds & { readonly unit: Unit }): Read<number> =>
  (text) => {
    const [, count, own = unit] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text) ?? [];
    const lasts = Number(count) * lengths[own as Unit];
    if (lasts >= min * lengths[unit] && lasts <= max * lengths[unit]) return lasts;
    throw new OptionError(
      text,
      `a number from ${min} to ${max} (${unitNames[unit]}), or with a unit: 90s, 15m, 12h, 2d`,
    );
  };

/** A number within bounds. */
export const number =
  ({ min, max }: Bounds): Read<number> =>
  (text) => {
    const value = Number(text);
    if (text.trim() !== '' && value >= min && value <= max) return value;
    throw new OptionError(text, `a number from ${min} to ${max}`);
  };

/** A whole number within bounds. */
export const wholeNumber =
  ({ min, max }: Bounds): Read<number> =>
  (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new OptionError(text, `a whole number from ${min} to ${max}`);
  };

/** One of a few words. */
export const oneOf =
  <const Choice extends string>(choices: readonly Choice[]): Read<Choice> =>
  (text) => {
    const choice = choices.find((known) => known === text);
    if (choice !== undefined) return choice;
    throw new OptionError(text, new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices));
  };

/** The name of a catalogue, which is used in keys and file names. */
export const catalogueName: Read<string> = (text) => {
  if (/^[a-z0-9][\w.-]{0,63}$/i.test(text)) return text;
  throw new OptionError(text, "up to 64 letters, digits, '.', '_' and '-', a letter or digit first");
};

/** The `/api/v1/` URL of a catalogue. */
export const catalogueAddress = (text: string): string => catalogueUrl(text, catalogueErrors).href;

/**
 * The value of an option that the command requires.
 * @throws {UsageError} when it is missing
 */
export function required(option: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`${option} is missing`);
}

/** A file cannot be read, or is not what a command reads. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly code = 'INPUT_UNREADABLE';
}

/** A file, or standard input where it is `-`. */
export interface Input {
  /** As messages call it. */
  readonly name: string;
  readonly text: string;
}

/**
 * The text of a file, or of standard input for `-`.
 * @throws {InputError} when it cannot be read.
 */
export async function readInput(file: string, { stdin }: Pick<Io, 'stdin'>): Promise<Input> {
  const name = file === '-' ? 'standard input' : file;
  try {
    return { name, text: file === '-' ? await text(stdin) : await readFile(file, 'utf8') };
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new InputError(`Reading ${name}: ${(code && reasons[code]) ?? message}.`, { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'this user may not read it',
};
