import { type EditSession, type Outcome, startRecording } from '../recording.ts';
import type { LineToWrite } from '../row-text.ts';
import { isOneOf, type Panel, raiseMajorVersion, versionOf } from '../state.ts';
import { createdPanelRow, panelRows } from '../wordings/row-shape.ts';

/** Creating, promoting and deleting panels. */

/** A new panel by the form, with what was chosen there. */
export function createPanel(session: EditSession): Outcome {
  const { panel } = session;
  const lines: LineToWrite<keyof typeof createdPanelRow.lines>[] = [['created']];
  if (panel.relevantDisorders.length > 0) lines.push(['relatedPanels', { to: panel.relevantDisorders }]);
  if (panel.childPanels.length > 0)
    lines.push(['childPanels', { to: panel.childPanels.map(({ name }) => name) }]);
  if (panel.types.length > 0) lines.push(['types', { to: panel.types.map(({ name }) => name) }]);
  const recording = startRecording(session);
  const row = recording.panelRow(createdPanelRow, lines);
  const lists = Object.fromEntries(lines.slice(1).map(([key], index) => [key, row.stated[index + 1]?.to]));
  recording.fact('panel.created', null, { name: panel.name, ...lists }, [row]);
  for (const fields of someOf(
    lines
      .slice(1)
      .map(([key]) => key)
      .filter((key) => isOneOf(lists[key])),
  )) {
    recording.fact('panel.changed', null, { changes: fields.map((field) => ({ field })) }, [row], 'optional');
  }
  return recording.outcome();
}

/** Each choice of one or more of these. */
function someOf<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const [first, ...others] = items;
  if (first === undefined) return [];
  const rest = someOf(others);
  return [[first], ...rest, ...rest.map((choice) => [first, ...choice])];
}

/** A new panel by bulk import: internal, version 0.0, with a small p in its row. */
export function importPanel(session: EditSession): Outcome {
  const recording = startRecording(session);
  const row = recording.panelRow(panelRows['created by import'], [['created by import']]);
  recording.fact('panel.created', null, { name: session.panel.name }, [row]);
  return recording.outcome();
}

/** A new major version; the promotion's comment is not in the log. */
export function promotePanel(session: EditSession): Outcome {
  const { panel, at } = session;
  const previousVersion = { oneOf: [null, versionOf(panel)] };
  raiseMajorVersion(panel, at);
  const recording = startRecording(session);
  const row = recording.panelRow(panelRows.promoted, [['promoted', { version: versionOf(panel) }]]);
  recording.fact('panel.promoted', null, { version: versionOf(panel), previousVersion, via: 'activity' }, [
    row,
  ]);
  return recording.outcome();
}

/** The row is written, and with it all rows of the panel leave the public log. */
export function deletePanel(session: EditSession): Outcome {
  const { panel } = session;
  panel.status = 'deleted';
  const recording = startRecording(session);
  const row = recording.panelRow(panelRows.deleted, [['deleted']]);
  recording.fact('panel.deleted', null, { name: panel.name }, [row]);
  return recording.outcome();
}

/** Whether the panel's rows are in the public log. */
export function isPublic({ status }: Panel): boolean {
  return status === 'public' || status === 'promoted';
}
