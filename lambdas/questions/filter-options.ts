import { topics } from '../events/kinds.ts';
import type { Filter } from '../filters/filter.ts';
import { FilterTextError, type FilterTexts, readFilterTexts } from '../filters/filter-values.ts';
import { OptionError, panelOptions } from './options.ts';
import type { Field, Option } from './question.ts';

interface Declared {
  readonly takes: string;
  readonly help: string;
  readonly field?: Field;
  readonly holdsCommas?: true;
}

const declared = {
  'panel-type': {
    takes: 'SLUG',
    help: 'a type of panels, such as gms-signed-off',
    field: { kind: 'flag', label: 'only panels with a signed-off version', value: 'gms-signed-off' },
  },
  gene: {
    takes: 'NAME|HGNC:ID',
    help: 'a gene, STR or region, in any letter case, by any name that it had; an HGNC id finds its gene under every symbol',
    field: { kind: 'names', label: 'Gene, STR or region', of: 'gene' },
  },
  'entity-type': { takes: 'TYPE', help: 'gene, str or region' },
  topic: {
    takes: 'TOPIC',
    help: topics.join(', '),
  },
  type: { takes: 'TYPE', help: 'a type of events, such as entity.classified' },
  to: {
    takes: 'RATING',
    help: 'the rating after the change: green, amber, red, none (unrated) or unknown',
  },
  'from-rating': { takes: 'RATING', help: 'the rating before the change' },
  direction: { takes: 'WORD', help: 'upgraded, downgraded, new, unchanged or unknown' },
  green: {
    takes: 'WHAT',
    help: 'now, maybe-now (perhaps green before), no-longer (downgraded, unrated or removed) or maybe-no-longer',
  },
  'inheritance-from': {
    takes: 'MODE',
    help: "the mode of inheritance before a change of it: mono, bi, both, x, mitochondrial, other, unknown, or the catalogue's text",
    holdsCommas: true,
  },
  'inheritance-to': { takes: 'MODE', help: 'the mode of inheritance after it', holdsCommas: true },
  tag: { takes: 'TAG', help: 'a tag that was added or removed', holdsCommas: true },
  actor: { takes: 'NAME', help: 'the curator or reviewer', holdsCommas: true },
} as const satisfies { readonly [Name in keyof FilterTexts]?: Declared };

type FilterOptions = {
  readonly [Name in keyof typeof declared]: Option<readonly string[]>;
};

/** The options that filter events, apart from those of panels. Any value of one may match, and all options must. */
export const filterOptions = Object.fromEntries(
  Object.entries<Declared>(declared).map(([name, { takes, help, field, holdsCommas = false }]) => [
    name,
    {
      ...{ takes, help, isMultiple: true, splits: !holdsCommas },
      ...(field && { field }),
      read(texts: readonly string[]) {
        readAll({ [name]: texts });
        return texts;
      },
    } satisfies Option<readonly string[]>,
  ]),
) as Readonly<Record<string, Option<readonly string[]>>> as FilterOptions;

/** The filter that options state. Each is one of `panelOptions` and `filterOptions`, or no part of it. */
export function filterOf(asked: Readonly<Record<string, unknown>>): Filter {
  const names = [...Object.keys(panelOptions), ...Object.keys(declared)];
  const texts = names.flatMap((name) => {
    const values = asked[name];
    return Array.isArray(values) && values.length > 0 ? [[name, values]] : [];
  });
  return readAll(Object.fromEntries(texts));
}

function readAll(texts: FilterTexts): Filter {
  try {
    return readFilterTexts(
      Object.fromEntries(Object.entries(texts).filter(([, values = []]) => values.length > 0)),
    );
  } catch (error) {
    if (!(error instanceof FilterTextError)) throw error;
    throw new OptionError(String(JSON.parse(error.seen)), error.expected, error.option);
  }
}
