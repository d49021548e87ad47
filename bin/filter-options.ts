import { topics } from '../lambdas/events/topics.ts';
import type { Filter } from '../lambdas/filters/filter.ts';
import { FilterTextError, type FilterTexts, readFilterTexts } from '../lambdas/filters/filter-values.ts';
import type { Io } from './command.ts';
import { UsageError } from './command.ts';
import { flag, inSection, text, texts, usageOfOptions } from './declare-command.ts';
import { readInput } from './input.ts';

/** The filter options, the same on every command. */
export const filterOptions = inSection(
  {
    heading:
      'Filter: all options must match. An option may be given several times; then any of its values may match. All but --panel, --tag, --actor, --inheritance-from and --inheritance-to also take a list with commas.',
  },
  {
    panel: texts('ID|NAME', 'a panel; any name that it ever had finds all its events'),
    'panel-type': texts('SLUG', 'a type of panels, such as gms-signed-off'),
    'r-code': texts('CODE', 'a code of the National Genomic Test Directory; R59 matches R59.3 too'),
    gene: texts(
      'NAME|HGNC:ID',
      'a gene, STR or region, in any letter case, by any name that it had; an HGNC id finds its gene under every symbol',
    ),
    'genes-file': text(
      'FILE',
      'the names or ids in a file, one a line ("-": standard input); lines that begin with # are ignored',
    ),
    'entity-type': texts('TYPE', 'gene, str or region'),
    topic: texts('TOPIC', topics.join(', ')),
    type: texts('TYPE', 'a type of events, such as entity.classified'),
    to: texts('RATING', 'the rating after the change: green, amber, red, none (unrated) or unknown'),
    'from-rating': texts('RATING', 'the rating before the change'),
    direction: texts('WORD', 'upgraded, downgraded, new, unchanged or unknown'),
    green: texts(
      'WHAT',
      'now, maybe-now (perhaps green before), no-longer (downgraded, unrated or removed) or maybe-no-longer',
    ),
    'inheritance-from': texts(
      'MODE',
      "the mode of inheritance before a change of it: mono, bi, both, x, mitochondrial, other, unknown, or the catalogue's text",
    ),
    'inheritance-to': texts('MODE', 'the mode of inheritance after it'),
    tag: texts('TAG', 'a tag that was added or removed'),
    actor: texts('NAME', 'the curator or reviewer'),
    late: flag('only changes that the log showed late'),
  },
);

export const filterUsage = usageOfOptions(filterOptions);

/** The values of the filter options, as they were given. */
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
