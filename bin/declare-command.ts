import { readAsked } from '../lambdas/questions/options.ts';
import type { Asked, Option, Options, Texts } from '../lambdas/questions/question.ts';
import { momentOf, orUsage, type Read, readArguments } from './arguments.ts';
import { type Command, type Io, UsageError } from './command.ts';

interface Section {
  readonly heading: string;
  /** Lines below the options. */
  readonly note?: string;
  /** Whether the heading and the note say all, and the options are listed in another help. */
  readonly isBrief?: true;
}

interface Described {
  /** What it does, for the help, without a full stop. */
  readonly help: string;
  /** What its value is, as the help writes it: `URL`. */
  readonly takes?: string;
  /** `Options` where absent. */
  readonly section?: Section;
}

interface ValueOption<Value> extends Described {
  readonly type: 'string';
  readonly read: Read<Value>;
}

interface ValuesOption<Value> extends ValueOption<Value> {
  readonly multiple: true;
}

/** Options of a command, by their names; the help and what is read of the command line follow from them. */
type DeclaredOptions = Readonly<
  Record<
    string,
    Described & {
      readonly type: 'string' | 'boolean';
      readonly multiple?: boolean;
      readonly default?: string | boolean;
      readonly isRequired?: boolean;
      readonly read?: Read<unknown>;
    }
  >
>;

type Value<Option extends DeclaredOptions[string]> = Option extends { readonly read: Read<infer Value> }
  ? Option extends { readonly multiple: true }
    ? readonly Value[]
    : Value
  : boolean;

type Always<Options extends DeclaredOptions> = {
  [Name in keyof Options]: Options[Name] extends { readonly default: unknown } | { readonly isRequired: true }
    ? Name
    : never;
}[keyof Options];

/** The values of declared options: each is undefined where it was not given, has no default and is not required. */
export type OptionValues<Options extends DeclaredOptions> = {
  readonly [Name in Always<Options>]: Value<Options[Name]>;
} & {
  readonly [Name in Exclude<keyof Options, Always<Options>>]?: Value<Options[Name]> | undefined;
};

/** Declares an option whose value `read` understands; `usual` is the text where none is given. */
export const value = <Value, Usual extends string | undefined = undefined>(
  takes: string,
  help: string,
  read: Read<Value>,
  usual?: Usual,
) =>
  ({
    ...{ type: 'string', takes, help, read },
    ...(usual !== undefined && { default: usual }),
  }) as Usual extends string ? ValueOption<Value> & { readonly default: string } : ValueOption<Value>;

const asGiven: Read<string> = (text) => text;

/** Declares an option that takes any text. */
export const text = <Usual extends string | undefined = undefined>(
  takes: string,
  help: string,
  usual?: Usual,
) => value(takes, help, asGiven, usual);

/** Declares an option that may come several times. */
export const values = <Value>(takes: string, help: string, read: Read<Value>): ValuesOption<Value> => ({
  ...value(takes, help, read),
  multiple: true,
});

/** Declares an option that takes any text, and may come several times. */
export const texts = (takes: string, help: string): ValuesOption<string> => values(takes, help, asGiven);

/** Declares that the command needs an option. */
export const needed = <Option extends ValueOption<unknown>>(option: Option) =>
  ({ ...option, isRequired: true }) as const;

/** Declares an option that is set or not. */
export const flag = (help: string) => ({ type: 'boolean', default: false, help }) as const;

/** An option of a question on the command line, by what it reads: set or not, one value, or several. */
type OfQuestion<Declared extends Pick<Option<unknown>, 'read'>> =
  ReturnType<Declared['read']> extends boolean
    ? ReturnType<typeof flag>
    : ReturnType<Declared['read']> extends readonly string[]
      ? ValuesOption<string>
      : ValueOption<string>;

/** Options of a question as those of a command. */
export const asCommandOptions = <Options extends Readonly<Record<string, Option<unknown>>>>(
  options: Options,
): { readonly [Name in keyof Options]: OfQuestion<Options[Name]> } =>
  Object.fromEntries(
    Object.entries<Option<unknown>>(options).map(([name, { takes, help, isMultiple }]) => {
      if (takes === undefined) return [name, flag(help)];
      return [name, isMultiple ? texts(takes, help) : text(takes, help)];
    }),
  ) as { readonly [Name in keyof Options]: OfQuestion<Options[Name]> };

/**
 * What the values of such options mean.
 * @throws {UsageError} when one is not one that its option takes
 */
export function readOptions<Declared extends Options>(
  options: Declared,
  values: Readonly<Record<string, unknown>>,
  io: Pick<Io, 'clock'>,
): Asked<Declared> {
  return orUsage(() => readAsked(options, textsOf(values, Object.keys(options)), momentOf(io)));
}

/** The values of options as a question reads them: a flag is `yes`. */
export function textsOf(values: Readonly<Record<string, unknown>>, names: readonly string[]): Texts {
  const given = names.flatMap((name) => {
    const value = values[name];
    if (value === undefined || value === false) return [];
    return [[name, value === true ? ['yes'] : [value].flat().map(String)]] as const;
  });
  return Object.fromEntries(given);
}

/** Puts options into a section of the help. */
export const inSection = <Options extends DeclaredOptions>(section: Section, options: Options): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [name, { ...option, section }]),
  ) as Options;

interface CommandHelp {
  readonly name: string;
  /** What follows the name of the command, a line each; `[options]` where absent. */
  readonly synopsis?: readonly string[];
  /** Paragraphs above the options. */
  readonly about: readonly string[];
  /** Paragraphs below the options. */
  readonly notes?: readonly string[];
  readonly exitCodes: string;
  /** What follows the name of the program. */
  readonly examples: readonly string[];
}

interface Declared<Options extends DeclaredOptions> extends CommandHelp {
  readonly options: Options;
  readonly run: (values: OptionValues<Options>, io: Io) => Promise<number>;
}

/** What a command with operands does. */
export type Run<Options extends DeclaredOptions> = (
  values: OptionValues<Options>,
  operands: readonly string[],
  io: Io,
) => Promise<number>;

const PROGRAM = 'gene-panel-notifier';

/** A command that takes options only. */
export const declareCommand = <Options extends DeclaredOptions>({
  run,
  ...help
}: Declared<Options>): Command =>
  declareWithOperands({
    ...help,
    run(values, [operand], io) {
      if (operand === undefined) return run(values, io);
      throw new UsageError(`saw ${JSON.stringify(operand)}; expected options only`);
    },
  });

/** A command that takes operands beside its options. */
export function declareWithOperands<Options extends DeclaredOptions>({
  name,
  options,
  run,
  ...help
}: Omit<Declared<Options>, 'run'> & {
  readonly run: Run<Options>;
}): Command {
  return {
    name,
    usage: usageOf({ name, options, ...help }),
    async run(args, io) {
      const { values, positionals } = readArguments(args, options);
      return run(readValues(options, values, io), positionals, io);
    },
  };
}

/** @throws {UsageError} when a value is not one that its option takes, or a required one is missing */
function readValues<Options extends DeclaredOptions>(
  options: Options,
  given: Readonly<Record<string, unknown>>,
  io: Pick<Io, 'clock'>,
): OptionValues<Options> {
  const moment = momentOf(io);
  const read = Object.entries(options).flatMap(([name, { takes, isRequired, read = asGiven, multiple }]) => {
    const { [name]: value } = given;
    if (value === undefined && isRequired) throw new UsageError(`--${name} ${takes} is missing`);
    if (value === undefined || typeof value === 'boolean') return value === undefined ? [] : [[name, value]];
    const values = [value].flat().map((text) => orUsage(() => read(String(text), moment), `--${name}`));
    return [[name, multiple ? values : values[0]]];
  });
  return Object.fromEntries(read);
}

function usageOf({
  name,
  synopsis = ['[options]'],
  about,
  options,
  notes = [],
  exitCodes,
  examples,
}: CommandHelp & { readonly options: DeclaredOptions }): string {
  const plural = examples.length > 1 ? 's' : '';
  return [
    synopsis.map((line) => `${PROGRAM} ${name} ${line}`.trimEnd()).join('\n'),
    ...about.map((paragraph) => wrapped(paragraph).join('\n')),
    usageOfOptions(options),
    ...notes.map((paragraph) => wrapped(paragraph).join('\n')),
    wrapped(`Exit codes: ${exitCodes}.`).join('\n'),
    `Example${plural}:\n${examples.map((line) => `  ${line.replaceAll('$0', PROGRAM)}`).join('\n')}`,
  ].join('\n\n');
}

const usageOfOptions = (options: DeclaredOptions): string =>
  [...Map.groupBy(Object.entries(options), ([, { section }]) => section)]
    .map(([section, entries]) =>
      [
        ...wrapped(section?.heading ?? 'Options:'),
        ...(section?.isBrief ? [] : [optionLines(Object.fromEntries(entries))]),
        ...(section?.note === undefined ? [] : [section.note]),
      ].join('\n'),
    )
    .join('\n\n');

const optionLines = (options: Readonly<Record<string, Described & { readonly default?: unknown }>>): string =>
  Object.entries(options)
    .flatMap(([option, { takes, help, default: usual }]) => {
      const start = `  --${option}${takes === undefined ? '' : ` ${takes}`}`.padEnd(22);
      const text = typeof usual === 'string' ? `${help} (default: ${usual})` : help;
      return wrapped(`${start} ${text}`, ' '.repeat(23));
    })
    .join('\n');

const WIDTH = 120;

/** Text in lines of the width of a help, all but the first indented. */
function wrapped(paragraph: string, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(/(?<=\S) /)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= WIDTH) line = longer;
    else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line];
}
