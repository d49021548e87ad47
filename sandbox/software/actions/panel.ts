import type { LineToWrite } from '../row-text.ts';
import { type Desk, type Outcome, openSheet } from '../sheet.ts';
import { type Panel, versionOf } from '../state.ts';
import { createdPanelRow, panelRows } from '../wordings/panel.ts';

/** Creating, promoting and deleting panels (section 2). */

/** A new panel by the form, with what was chosen there. */
export function createPanel(desk: Desk): Outcome {
  const { panel } = desk;
  const lines: LineToWrite<keyof typeof createdPanelRow.lines>[] = [['created']];
  if (panel.relevantDisorders.length > 0) lines.push(['relatedPanels', { to: panel.relevantDisorders }]);
  if (panel.childPanels.length > 0)
    lines.push(['childPanels', { to: panel.childPanels.map(({ name }) => name) }]);
  if (panel.types.length > 0) lines.push(['types', { to: panel.types.map(({ name }) => name) }]);
  const sheet = openSheet(desk);
  const row = sheet.panelRow(createdPanelRow, lines);
  const lists = Object.fromEntries(lines.slice(1).map(([key], index) => [key, row.stated[index + 1]?.to]));
  sheet.fact('panel.created', null, { name: panel.name, ...lists }, [row]);
  return sheet.outcome();
}

/** A new panel by bulk import: internal, version 0.0, with a small p in its row. */
export function importPanel(desk: Desk): Outcome {
  const sheet = openSheet(desk);
  const row = sheet.panelRow(panelRows['created by import'], [['created by import']]);
  sheet.fact('panel.created', null, { name: desk.panel.name }, [row]);
  return sheet.outcome();
}

/** A new major version; the promotion's comment is not in the log. */
export function promotePanel(desk: Desk): Outcome {
  const { panel, at } = desk;
  const previousVersion = { oneOf: [null, versionOf(panel)] };
  panel.major += 1;
  panel.minor = 0;
  panel.versionCreated = at;
  const sheet = openSheet(desk);
  const row = sheet.panelRow(panelRows.promoted, [['promoted', { version: versionOf(panel) }]]);
  sheet.fact('panel.promoted', null, { version: versionOf(panel), previousVersion, via: 'activity' }, [row]);
  return sheet.outcome();
}

/** The row is written, and with it all rows of the panel leave the public log. */
export function deletePanel(desk: Desk): Outcome {
  const { panel } = desk;
  panel.status = 'deleted';
  const sheet = openSheet(desk);
  const row = sheet.panelRow(panelRows.deleted, [['deleted']]);
  sheet.fact('panel.deleted', null, { name: panel.name }, [row]);
  return sheet.outcome();
}

/** Whether the panel's rows are in the public log. */
export function isPublic({ status }: Panel): boolean {
  return status === 'public' || status === 'promoted';
}
