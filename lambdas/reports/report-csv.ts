import { formatInstant } from '../clock/instant.ts';
import { byteOrderMark, csvLine } from '../messages/csv.ts';
import type { Report } from './report.ts';

const columns = [
  'change',
  'catalogue',
  'panel id',
  'panel',
  'version',
  'entity type',
  'entity',
  'from',
  'to',
  'steps',
  'at',
  'actor',
] as const;
const lists = ['nowGreen', 'noLongerGreen', 'otherRatings', 'added', 'removed', 'changedBack'] as const;

/** A report as CSV, one line for each change of an entity or panel; an entity that is added and green has two. */
export function csvOf({ changes, read, warnings }: Report): string {
  const lines = changes.panels.flatMap((panel) => {
    const where = [panel.catalogue, panel.id, panel.name, panel.version] as const;
    const entities = lists.flatMap((list) =>
      panel[list].map(({ entity, from, to, steps, at, actor }) =>
        csvLine([list, ...where, entity.type, entity.name, from, to, steps.join(' > '), at, actor]),
      ),
    );
    const own = [
      panel.promoted && csvLine(['promoted', ...where, null, null, panel.promoted.from, panel.promoted.to]),
      panel.signedOff !== null && csvLine([panel.signedOff ? 'signedOff' : 'signOffWithdrawn', ...where]),
      panel.renamed && csvLine(['renamed', ...where, null, null, panel.renamed.from, panel.renamed.to]),
    ];
    return [...entities, ...own.filter((line) => typeof line === 'string')];
  });
  return byteOrderMark + csvLine(columns) + lines.join('') + limitLines(read, warnings);
}

/** What limits the answer, below the changes: a line for each time that was not read, and for each unknown name. */
function limitLines(read: Report['read'], warnings: Report['warnings']): string {
  const unread = read.flatMap(({ catalogue, gaps }) =>
    gaps.map(({ since, until }) =>
      limitLine(catalogue, `not read from ${formatInstant(since)} to ${formatInstant(until)}`),
    ),
  );
  const nothing = read.length === 0 ? [limitLine('', 'nothing of this period was read')] : [];
  return [...unread, ...nothing, ...warnings.map((warning) => limitLine('', warning))].join('');
}

const limitLine = (catalogue: string, what: string): string =>
  csvLine(columns.map((column) => (column === 'change' ? what : column === 'catalogue' ? catalogue : null)));
