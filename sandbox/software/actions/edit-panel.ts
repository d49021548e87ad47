import {
  type EditSession,
  type Outcome,
  type Recording,
  startRecording,
  type WrittenRow,
} from '../recording.ts';
import type { LineToWrite } from '../row-text.ts';
import type { PanelStatus } from '../slots.ts';
import {
  dayOf,
  type Panel,
  type PanelType,
  raiseVersion,
  type SignOff,
  type Stated,
  type StatedField,
  versionOf,
} from '../state.ts';
import { editedPanelRow } from '../wordings/row-shape.ts';
import { fieldFrom } from './facts.ts';
import { isPublic } from './panel.ts';

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
