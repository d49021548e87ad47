import { type EditSession, fieldFrom, type LineToWrite, type Outcome, record } from '../recording.ts';
import type { PanelStatus } from '../slots.ts';
import {
  dayOf,
  isOneOf,
  type Panel,
  type PanelType,
  raiseMajorVersion,
  raiseVersion,
  type SignOff,
  versionOf,
} from '../state.ts';
import { createdPanelRow, editedPanelRow } from '../wordings/row-shape.ts';

/** A new panel by the form, with what was chosen there. */
export function createPanel(session: EditSession): Outcome {
  const { panel } = session;
  const lines: LineToWrite<keyof typeof createdPanelRow.lines>[] = [['created']];
  if (panel.relevantDisorders.length > 0) lines.push(['relatedPanels', { to: panel.relevantDisorders }]);
  if (panel.childPanels.length > 0)
    lines.push(['childPanels', { to: panel.childPanels.map(({ name }) => name) }]);
  if (panel.types.length > 0) lines.push(['types', { to: panel.types.map(({ name }) => name) }]);
  return record(session, ({ panelRow, fact }) => {
    const row = panelRow(createdPanelRow, lines);
    const lists = lines.slice(1).map(([key], index) => [key, row.stated[index + 1]?.to] as const);
    fact('panel.created', null, { name: panel.name, ...Object.fromEntries(lists) }, [row]);
    for (const fields of someOf(lists.filter(([, list]) => isOneOf(list)))) {
      const changes = fields.map(([field]) => ({ field }));
      fact('panel.changed', null, { changes }, [row], 'optional');
    }
  });
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
  return record(session, ({ panelLine, fact }) =>
    fact('panel.created', null, { name: session.panel.name }, [panelLine('created by import')]),
  );
}

/** A new major version; the promotion's comment is not in the log. */
export function promotePanel(session: EditSession): Outcome {
  const { panel, at } = session;
  const previousVersion = { oneOf: [null, versionOf(panel)] };
  raiseMajorVersion(panel, at);
  const version = versionOf(panel);
  return record(session, ({ panelLine, fact }) => {
    const row = panelLine('promoted', { version });
    fact('panel.promoted', null, { version, previousVersion, via: 'activity' }, [row]);
  });
}

/** The row is written, and with it all rows of the panel leave the public log. */
export function deletePanel(session: EditSession): Outcome {
  const { panel } = session;
  panel.status = 'deleted';
  return record(session, ({ panelLine, fact }) =>
    fact('panel.deleted', null, { name: panel.name }, [panelLine('deleted')]),
  );
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

/** Edits a panel: one row, lines in the order of the table. */
export function editPanel(session: EditSession, edit: PanelEdit): Outcome {
  const { panel, at } = session;
  const before = { ...panel };
  const lines = editedLines(before, edit);
  if (lines.length === 0) return { rows: [], truth: [], ambiguous: false };

  raiseVersion(panel, at);
  panel.name = edit.name ?? panel.name;
  panel.hpoTerms = edit.hpoTerms ?? panel.hpoTerms;
  panel.relevantDisorders = edit.relatedPanels ?? panel.relevantDisorders;
  panel.status = edit.status ?? panel.status;
  panel.childPanels = edit.childPanels ?? panel.childPanels;
  panel.types = edit.types ?? panel.types;
  if (edit.signedOff === false) panel.signOffs = [];
  else if (edit.signedOff) {
    const signOff = { version: versionOf(before), day: dayOf(at), ...edit.signOff };
    panel.signOffs = [...panel.signOffs, signOff];
  }
  return record(session, ({ panelRow, fact }) => {
    const row = panelRow(editedPanelRow, lines);
    // Publishing, withdrawing and signing off are kinds of their own.
    const moved = isPublic(before) !== isPublic(panel);
    const changes = lines.flatMap(([key], index) => {
      if (isSignOff(key) || (key === 'status' && moved)) return [];
      const change = fieldFrom(key, row.stated[index]);
      return [key === 'name' ? { ...change, to: panel.name } : change];
    });
    if (changes.length > 0) fact('panel.changed', null, { changes }, [row]);
    if (lines.some(([key]) => isSignOff(key))) {
      fact('panel.signed-off', null, { signedOff: panel.signOffs.length > 0, via: 'activity' }, [row]);
    }
    if (!moved) return;
    fact(isPublic(panel) ? 'panel.published' : 'panel.withdrawn', null, { via: 'activity' }, [row]);
  });
}

type PanelLine = keyof typeof editedPanelRow.lines;

function editedLines(before: Panel, edit: PanelEdit): readonly LineToWrite<PanelLine>[] {
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
  return lines;
}

const isSignOff = (key: PanelLine): boolean => key === 'signed off' || key === 'sign-off removed';
