import * as z from 'zod';
import type { Filter } from '../lambdas/subscriptions/filter.ts';
import { filterSchema } from '../lambdas/subscriptions/filter-schema.ts';
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
  tag: some,
  actor: some,
  late: { type: 'boolean' },
} as const;

export const filterUsage = `Filter: all options must match. An option may be given several times; then any of its values may match. All but --panel,
--tag and --actor also take a list with commas.
  --panel ID|NAME      a panel; a renamed panel matches by both names
  --panel-type SLUG    a type of panels, such as gms-signed-off
  --r-code CODE        a code of the National Genomic Test Directory; R59 matches R59.3 too
  --gene NAME          a gene, STR or region, in any letter case
  --genes-file FILE    the names in a file, one a line ("-": standard input); lines that begin with # are ignored
  --entity-type TYPE   gene, str or region
  --topic TOPIC        classifications, promotions, tags, membership, annotations, reviews, panels, unclassified
  --type TYPE          a type of events, such as entity.classified
  --to RATING          the rating after the change: green, amber, red, none (unrated) or unknown
  --from-rating RATING the rating before the change
  --direction WORD     upgraded, downgraded, new, unchanged or unknown
  --tag TAG            a tag that was added or removed
  --actor NAME         the curator or reviewer
  --late               only changes that the log showed late`;

export type FilterValues = {
  readonly [Name in keyof typeof filterOptions]?: readonly string[] | string | boolean | undefined;
};

/** Which key of a filter an option gives, and whether a comma separates values: names can hold commas. */
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
  tag: ['tags', false],
  actor: ['actors', false],
} as const;

/**
 * The filter that the options state.
 * @throws {UsageError} when a value is not one that the option takes
 * @throws {InputError} when the file of genes cannot be read
 */
export async function readFilter(values: FilterValues, io: Io): Promise<Filter> {
  const file = values['genes-file'];
  return readFilterValues(values, typeof file === 'string' ? await genesIn(file, io) : []);
}

/**
 * The filter that the options other than `--genes-file` state.
 * @param genes names besides those of `--gene`
 * @throws {UsageError} when a value is not one that the option takes
 */
export function readFilterValues(values: FilterValues, genes: readonly string[] = []): Filter {
  const given: Record<string, unknown> = {};
  for (const [option, [key, splits]] of Object.entries(keys)) {
    const texts = values[option as keyof typeof keys];
    if (!Array.isArray(texts)) continue;
    given[key] = texts
      .flatMap((text: string) => (splits ? text.split(',') : [text]))
      .map((text) => text.trim());
  }
  // A panel of digits is an id: the stores have an index of ids.
  if (Array.isArray(given.panels)) {
    given.panels = given.panels.map((text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text));
  }
  if (genes.length > 0) given.genes = [...((given.genes as string[] | undefined) ?? []), ...genes];
  if (values.late === true) given.late = true;
  const filter = filterSchema.safeParse(given);
  if (filter.success) return filter.data;
  throw problemOf(filter.error, given);
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

function problemOf({ issues }: z.ZodError, given: Readonly<Record<string, unknown>>): UsageError {
  const [issue] = issues;
  const [key = '', index] = issue?.path ?? [];
  const [option] = Object.entries(keys).find(([, [name]]) => name === key) ?? [String(key)];
  const value = (given[String(key)] as readonly unknown[] | undefined)?.[Number(index)];
  const allowed = allowedIn(String(key));
  const expected = allowed ? allowed.join(', ') : issue?.message;
  return new UsageError(`--${option} ${JSON.stringify(value ?? '')}: expected ${expected}`);
}

/** The values that a key takes, where they are few; types in their short form. */
function allowedIn(key: string): readonly string[] | undefined {
  const schema = z.toJSONSchema(filterSchema).properties?.[key];
  const items = typeof schema === 'object' ? schema.items : undefined;
  const values = typeof items === 'object' && 'enum' in items ? items.enum : undefined;
  return values?.map(String).filter((value) => !value.startsWith('gene-panel.'));
}
