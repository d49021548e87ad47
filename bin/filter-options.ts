import type { Filter } from '../lambdas/filters/filter.ts';
import { FilterTextError, type FilterTexts, readFilterTexts } from '../lambdas/filters/filter-values.ts';
import type { Io } from './command.ts';
import { UsageError } from './command.ts';
import { readInput } from './input.ts';

const some = { type: 'string', multiple: true } as const;

/** The filter options, the same on every command. */
export const filterOptions = {
  panel: some,
  'panel-type': some,
  'r-code': some,
  gene: some,
  'genes-file': { type: 'string' },
  'entity-type': some,
  topic: some,
  type: some,
  'from-rating': some,
  to: some,
  direction: some,
  green: some,
  'inheritance-from': some,
  'inheritance-to': some,
  tag: some,
  actor: some,
  late: { type: 'boolean' },
} as const;

export const filterUsage = `Filter: all options must match. An option may be given several times; then any of its values may match. All but --panel,
--tag, --actor, --inheritance-from and --inheritance-to also take a list with commas.
  --panel ID|NAME      a panel; any name that it ever had finds all its events
  --panel-type SLUG    a type of panels, such as gms-signed-off
  --r-code CODE        a code of the National Genomic Test Directory; R59 matches R59.3 too
  --gene NAME|HGNC:ID  a gene, STR or region, in any letter case, by any name that it had; an HGNC id finds its gene
                       under every symbol
  --genes-file FILE    the names or ids in a file, one a line ("-": standard input); lines that begin with # are ignored
  --entity-type TYPE   gene, str or region
  --topic TOPIC        classifications, promotions, tags, membership, annotations, reviews, panels, unclassified
  --type TYPE          a type of events, such as entity.classified
  --to RATING          the rating after the change: green, amber, red, none (unrated) or unknown
  --from-rating RATING the rating before the change
  --direction WORD     upgraded, downgraded, new, unchanged or unknown
  --green WHAT         now, maybe-now (perhaps green before), no-longer (downgraded, unrated or removed) or maybe-no-longer
  --inheritance-from MODE  the mode of inheritance before a change of it: mono, bi, both, x, mitochondrial, other, unknown,
                       or the catalogue's text
  --inheritance-to MODE  the mode of inheritance after it
  --tag TAG            a tag that was added or removed
  --actor NAME         the curator or reviewer
  --late               only changes that the log showed late`;

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

async function genesIn(file: string, io: Io): Promise<readonly string[]> {
  const { name, text } = await readInput(file, io);
  const genes = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  if (genes.length > 0) return genes;
  throw new UsageError(`--genes-file ${JSON.stringify(name)}: it names no gene; expected one a line`);
}
