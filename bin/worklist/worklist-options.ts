import { filterOptions } from '../filter-options.ts';
import { caseFormOptions } from '../impact/case-file.ts';
import type { OptionValues } from '../option-values.ts';

/** The options of every verb of the command. */
export const worklistOptions = {
  state: { type: 'string' },
  stage: { type: 'string' },
  config: { type: 'string' },
  name: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  status: { type: 'string', multiple: true },
  overdue: { type: 'boolean', default: false },
  panel: filterOptions.panel,
  'panel-type': filterOptions['panel-type'],
  'r-code': filterOptions['r-code'],
  gene: filterOptions.gene,
  'genes-file': filterOptions['genes-file'],
  'entity-type': filterOptions['entity-type'],
  cases: { type: 'string' },
  ...caseFormOptions,
  catalogue: { type: 'string' },
  format: { type: 'string' },
  output: { type: 'string' },
  why: { type: 'string' },
  text: { type: 'string' },
  to: { type: 'string' },
  assigned: { type: 'string' },
  by: { type: 'string' },
  revision: { type: 'string' },
} as const;

/** What was given for them. */
export type WorklistValues = OptionValues<typeof worklistOptions>;
