import type { Filter } from '../lambdas/filters/filter.ts';
import { FilterTextError, type FilterTexts, readFilterTexts } from '../lambdas/filters/filter-values.ts';
import { filterOptions as declared } from '../lambdas/questions/filter-options.ts';
import { panelOptions } from '../lambdas/questions/options.ts';
import { readInput } from './arguments.ts';
import type { Io } from './command.ts';
import { UsageError } from './command.ts';
import { asCommandOptions, flag, inSection, text } from './declare-command.ts';

/** A file of genes, beside `--gene`. */
export const genesFile = text(
  'FILE',
  'the names or ids of genes in a file, one a line ("-": standard input); lines that begin with # are ignored',
);

/** The filter options, the same on every command. */
export const filterOptions = inSection(
  {
    heading:
      'Filter: all options must match. An option may be given several times; then any of its values may match. All but --panel, --tag, --actor, --inheritance-from and --inheritance-to also take a list with commas.',
  },
  {
    ...asCommandOptions({ ...panelOptions, ...declared }),
    'genes-file': genesFile,
    late: flag('only changes that the log showed late'),
  },
);

interface FilterValues extends FilterTexts {
  readonly 'genes-file'?: string | undefined;
  readonly late?: boolean | undefined;
}

/**
 * The filter that the options state.
 * @throws {UsageError} when a value is not one that the option takes
 * @throws {InputError} when the file of genes cannot be read
 */
export async function readFilter(values: FilterValues, io: Io): Promise<Filter> {
  const { 'genes-file': file, late, ...texts } = values;
  const genes = file === undefined ? [] : await genesIn(file, io);
  try {
    const filter = readFilterTexts(texts, genes);
    return late === true ? { ...filter, late } : filter;
  } catch (error) {
    if (!(error instanceof FilterTextError)) throw error;
    throw new UsageError(`--${error.message}`, { cause: error });
  }
}

/** The names of genes in a file, one a line. */
export async function genesIn(file: string, io: Io): Promise<readonly string[]> {
  const { name, text } = await readInput(file, io);
  const genes = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (genes.length > 0) return genes;
  throw new UsageError(`--genes-file ${JSON.stringify(name)}: it names no gene; expected one a line`);
}
