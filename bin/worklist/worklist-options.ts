import { asOfOptions } from '../as-of.ts';
import { flag, inSection, type OptionValues, text, texts } from '../declare-command.ts';
import { filterOptions } from '../filter-options.ts';
import { historyOptions, placeOptions } from '../history-options.ts';
import { caseFormOptions } from '../impact/case-file.ts';
import { replacedFile } from '../output.ts';

const {
  panel,
  'panel-type': type,
  'r-code': code,
  gene,
  'genes-file': genes,
  'entity-type': entity,
} = filterOptions;

/** The options of every verb of the command. */
export const worklistOptions = {
  ...placeOptions,
  name: historyOptions.name,
  status: texts(
    'STATE',
    'list, export: only entries in this state (may be repeated), or all (default of list: open, re-analyse and wait-for-sign-off; of export: all); decide: the state that you decide for',
  ),
  overdue: flag('list, export: only what is overdue'),
  assigned: text(
    'NAME',
    'list, export: only what is assigned to this person, or none for what is assigned to nobody',
  ),
  since: historyOptions.since,
  until: historyOptions.until,
  ...inSection(
    { heading: 'Only these panels, genes, STRs and regions, of those that the settings ask for:' },
    {
      ...{ panel, 'panel-type': type, 'r-code': code },
      ...{ gene, 'genes-file': genes, 'entity-type': entity },
    },
  ),
  ...inSection(
    { heading: 'Cases, for list and export:' },
    {
      cases: text(
        'FILE',
        'also count the cases that each entry concerns, in a file as "impact" reads it; the counts alone are shown, and nothing of the file is kept',
      ),
      ...caseFormOptions,
      catalogue: text('URL', 'with --cases: ask this catalogue for versions that are not kept'),
    },
  ),
  ...inSection({ heading: 'For list and export:' }, asOfOptions),
  ...inSection(
    { heading: 'Output of list and export:' },
    {
      format: text('FORMAT', 'list: table (default), csv or ndjson; export: html (default), csv or ndjson'),
      output: replacedFile,
    },
  ),
  ...inSection(
    { heading: 'To decide, comment, assign and read:' },
    {
      why: text('TEXT', 'the reason for a decision'),
      text: text('TEXT', 'the words of a comment'),
      to: text('NAME', 'assign: the person who is to deal with it from now on, or none'),
      by: text(
        'NAME',
        'who decides, comments, assigns or reads (default: the name of the account on this machine)',
      ),
      revision: text(
        'N',
        'how many decisions an entry had when you saw it (default: your own, if nobody else decided, otherwise 0); the decision is refused if there are more by now',
      ),
    },
  ),
};

/** What was given for them. */
export type WorklistValues = OptionValues<typeof worklistOptions>;
