import { changeListWords } from '../filters/green-turn.ts';
import type { PanelChanges } from '../filters/net-changes.ts';
import { formatInstant } from '../run/instant.ts';
import { unreadSentences } from '../store/history/read-part-words.ts';
import { type ChangeLine, changeCsv, netColumns, panelColumns, versionCell } from '../words/change-csv.ts';
import { cleanLine } from '../words/clean-text.ts';
import { panelStepWords } from '../words/panel-words.ts';
import { signOffChangeWords } from '../words/sign-off-words.ts';
import { INHERITANCE_CHANGED, inheritanceWords, ratedAsWords } from '../words/value-words.ts';
import type { ComparedStates, Report } from './read-report.ts';

/**
 * A report as CSV: a line for each gene, STR or region that changed; then one for each
 * change of a panel, and one for each thing that limits the answer.
 */
export function csvOf({ changes, read, filter, warnings, compared }: Report): string {
  const note = (what: string, sentence: string): ChangeLine => ({ what, panel: sentence });
  return changeCsv([
    ...changes.panels.flatMap((panel) => [
      ...entityLines(panel),
      ...inheritanceLines(panel),
      ...panelLines(panel),
    ]),
    ...(filter === '' ? [] : [note('only', filter)]),
    ...unreadSentences(read, formatInstant).map((sentence) => note('not read', sentence)),
    ...(compared ? [note('compared', comparedSentence(compared))] : []),
    ...(read.length === 0 && !compared ? [note('not read', 'Nothing of this period was read.')] : []),
    ...warnings.map((warning) => note('warning', warning)),
  ]);
}

const comparedSentence = ({ before, after }: ComparedStates): string =>
  `Version ${before.version} (SHA-256 ${before.sha256}) with version ${after.version} (SHA-256 ${after.sha256}).`;

function entityLines(panel: PanelChanges): readonly ChangeLine[] {
  const dayOf = (time: string): string => time.slice(0, 10);
  return changeListWords.flatMap((what) =>
    panel.lists[what].map((change) => ({ what, ...panelColumns(panel), ...netColumns(change, dayOf) })),
  );
}

/** Modes of inheritance are in the columns of before and now, as the catalogue writes them. */
const inheritanceLines = (panel: PanelChanges): readonly ChangeLine[] =>
  panel.inheritance.map(({ entity, from, to, rating, at, version, actor }) => ({
    what: INHERITANCE_CHANGED,
    ...panelColumns(panel),
    type: entity.type,
    'gene, STR or region': cleanLine(entity.name),
    'HGNC id': entity.hgncId ?? null,
    before: inheritanceWords(from),
    now: inheritanceWords(to),
    on: at.slice(0, 10),
    'version of the change': versionCell(version),
    by: cleanLine(actor ?? ''),
    inheritance: inheritanceWords(to),
    details: ratedAsWords(rating),
  }));

function panelLines(panel: PanelChanges): readonly ChangeLine[] {
  const { promoted, signOff, renamed, renamedEntities } = panel;
  const line = (what: string, before: string | null = null, now: string | null = null): ChangeLine => ({
    what,
    ...panelColumns(panel),
    before,
    now,
  });
  return [
    ...renamedEntities.map(({ from, to }) => line('renamed or replaced', from, to)),
    ...(promoted ? [line('promoted', versionCell(promoted.from), versionCell(promoted.to))] : []),
    ...(signOff ? [{ ...line('sign-off'), details: signOffChangeWords(signOff) }] : []),
    ...(renamed ? [line('panel renamed', renamed.from, renamed.to)] : []),
    ...panel.panel.map((what) => line(`panel: ${panelStepWords[what]}`)),
  ];
}
