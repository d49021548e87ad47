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
export function csvOf({ changes }: Report): string {
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
  return byteOrderMark + csvLine(columns) + lines.join('');
}
