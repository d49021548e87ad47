import type { LagRow } from '../../lambdas/questions/lag-rows.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { inheritanceWords } from '../../lambdas/words/value-words.ts';
import { textTable } from '../text-table.ts';

const heading = ['name', 'panel', 'signed-off version', 'newest version', 'since', 'days'] as const;

const groups = [
  ['signed off as green, no longer green', 'SIGNED OFF AS GREEN, NO LONGER GREEN'],
  ['green, not signed off yet', 'GREEN, NOT SIGNED OFF YET'],
  ['green in both, mode of inheritance changed', 'GREEN IN BOTH, MODE OF INHERITANCE CHANGED'],
] as const;

/** What waits for a sign-off, for a person. `panels`: how many were compared. */
export function lagTable(rows: readonly LagRow[], panels: number): string {
  const parts = groups.flatMap(([what, title]) => {
    const own = rows.filter((row) => row.what === what);
    return own.length === 0
      ? []
      : ['', `${title} (${own.length})`, ...textTable([heading, ...own.map(cellsOf)])];
  });
  const nothing = `Of ${counted(panels, 'panel')}, the newest version that is known has the same green genes, STRs and regions as the signed-off one.`;
  if (parts.length === 0) return panels === 0 ? '' : `${nothing}\n`;
  return [
    `${counted(panels, 'panel')} compared with ${panels === 1 ? 'its' : 'their'} signed-off version.`,
    ...parts,
    '',
  ].join('\n');
}

function cellsOf(row: LagRow): readonly string[] {
  const codes = Array.isArray(row.rCodes) && row.rCodes.length > 0 ? ` (${row.rCodes.join(', ')})` : '';
  return [
    row.type === 'gene' ? String(row.name) : `${row.name} (${row.type})`,
    `${row.panelName}${codes}`,
    `${row.signedOffVersion} of ${row.signedOffDate}: ${modeOf(row.inheritanceSignedOff) ?? ratingAt(row.ratingSignedOff)}`,
    `${row.workingVersion}: ${modeOf(row.inheritanceNow) ?? ratingAt(row.ratingNow)}`,
    `${row.sinceIsExact === true ? '' : 'by '}${String(row.since).slice(0, 10)}, ${row.sinceVersion}`,
    `${row.sinceIsExact === true ? '' : '≥ '}${row.days}`,
  ];
}

/** A mode of inheritance; null in a row of a rating. */
const modeOf = (mode: LagRow['inheritanceNow']): string | null =>
  typeof mode === 'string' ? inheritanceWords(mode) : null;

function ratingAt(rating: LagRow['ratingNow']): string {
  if (rating === 'absent') return 'not on it';
  return rating === 'none' ? 'unrated' : String(rating);
}
