import {
  type EditSession,
  type LineToWrite,
  type Outcome,
  type Recording,
  startRecording,
  type WrittenRow,
} from '../recording.ts';
import type { PanelStatus } from '../slots.ts';
import {
  dayOf,
  isOneOf,
  type Panel,
  type PanelType,
  raiseMajorVersion,
  raiseVersion,
  type SignOff,
  type Stated,
  type StatedField,
  versionOf,
} from '../state.ts';
import { createdPanelRow, editedPanelRow, panelRows } from '../wordings/row-shape.ts';
import { fieldFrom } from './facts.ts';

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

/** What is entered in a panel's form; what is absent stays as it was. */
export interface PanelEdit {
  readonly name?: string;
  readonly hpoTerms?: string[];
  readonly relatedPanels?: string[];
  readonly status?: PanelStatus;
  readonly childPanels?: Panel[];
  readonly types?: PanelType[];
  readonly signedOff?: boolean;
  /** What was signed off, and from when; the present version and day by default. */
  readonly signOff?: Partial<SignOff>;
}

type PanelLine = keyof typeof editedPanelRow.lines;

/** Edits a panel: one row, lines in the order of the table. */
export function editPanel(session: EditSession, edit: PanelEdit): Outcome {
  const { panel, at } = session;
  const before = { ...panel };
  const lines: LineToWrite<PanelLine>[] = [];
  if (edit.name !== undefined) lines.push(['name', { from: before.name }]);
  if (edit.hpoTerms) lines.push(['hpoTerms', { from: before.hpoTerms, to: edit.hpoTerms }]);
  if (edit.relatedPanels) {
    lines.push(['relatedPanels', { from: before.relevantDisorders, to: edit.relatedPanels }]);
  }
  if (edit.status && edit.status !== before.status)
    lines.push(['status', { from: before.status, to: edit.status }]);
  if (edit.childPanels) lines.push(['childPanels', { to: edit.childPanels.map(({ name }) => name) }]);
  if (edit.types) lines.push(['types', { to: edit.types.map(({ name }) => name) }]);
  if (edit.signedOff !== undefined) lines.push([edit.signedOff ? 'signed off' : 'sign-off removed']);
  if (lines.length === 0) return { rows: [], truth: [], ambiguous: false };

  const signedOffVersion = versionOf(panel);
  raiseVersion(panel, at);
  panel.name = edit.name ?? panel.name;
  panel.hpoTerms = edit.hpoTerms ?? panel.hpoTerms;
  panel.relevantDisorders = edit.relatedPanels ?? panel.relevantDisorders;
  panel.status = edit.status ?? panel.status;
  panel.childPanels = edit.childPanels ?? panel.childPanels;
  panel.types = edit.types ?? panel.types;
  if (edit.signedOff === false) panel.signOffs = [];
  else if (edit.signedOff) {
    const signOff = { version: signedOffVersion, day: dayOf(at), ...edit.signOff };
    panel.signOffs = [...panel.signOffs, signOff];
  }
  const recording = startRecording(session);
  const row = recording.panelRow(editedPanelRow, lines);
  stateEdit(recording, { panel, before, lines, row });
  return recording.outcome();
}

interface EditedPanel {
  readonly panel: Panel;
  readonly before: Panel;
  readonly lines: readonly LineToWrite<PanelLine>[];
  readonly row: WrittenRow;
}

function stateEdit(recording: Recording, { panel, before, lines, row }: EditedPanel): void {
  // Publishing and withdrawing are kinds of their own.
  const elsewhere = [
    'signed off',
    'sign-off removed',
    ...(isPublic(before) === isPublic(panel) ? [] : ['status']),
  ];
  const changes = lines.flatMap(([key], index) =>
    elsewhere.includes(key) ? [] : [panelChange(key, row.stated[index], panel)],
  );
  if (changes.length > 0) recording.fact('panel.changed', null, { changes }, [row]);
  const signOff = lines.find(([key]) => key === 'signed off' || key === 'sign-off removed');
  if (signOff) {
    recording.fact('panel.signed-off', null, { signedOff: panel.signOffs.length > 0, via: 'activity' }, [
      row,
    ]);
  }
  if (isPublic(before) === isPublic(panel)) return;
  recording.fact(isPublic(panel) ? 'panel.published' : 'panel.withdrawn', null, { via: 'activity' }, [row]);
}

function panelChange(
  key: PanelLine,
  stated: Readonly<Record<string, Stated>> | undefined,
  panel: Panel,
): StatedField {
  const change = fieldFrom(key, stated);
  return key === 'name' ? { ...change, to: panel.name } : change;
}
