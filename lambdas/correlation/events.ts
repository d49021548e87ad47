import type { Activity } from '../catalogue/schemas.ts';
import type { Changes, EventKindName } from '../events/changes.ts';
import { toEvent } from '../events/envelope.ts';
import type { EventPanel, PanelEvent, PanelFacts, Row } from '../events/schemas.ts';
import type { Entry, ReadEntry } from './entry.ts';
import { shapeOf } from './shape.ts';

/** What events say beyond the rows they come from. */
export interface Background {
  readonly catalogue: { readonly name: string; readonly url: string };
  /** By panel id, as `/panels/` said last; a panel that is not there is told without these facts. */
  readonly panels: ReadonlyMap<number, PanelFacts>;
}

/** An event of rows that belong together; the first in time leads and gives the event its identity. */
export function tellRows<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  rows: readonly ReadEntry[],
  background: Background,
): PanelEvent {
  const lead = rows.find(({ reading }) => reading?.draft[kind]) ?? rows[0];
  if (!lead) throw new Error(`an event "${kind}" without a row`);
  return toEvent({
    kind,
    change,
    catalogue: background.catalogue,
    key: lead.key,
    at: lead.at,
    panel: panelOf(lead.activity, background),
    entity: lead.reading?.entity ?? null,
    actor: lead.activity.user_name,
    late: rows.some(({ late }) => late),
    rows: rows.map(({ row }) => row as Row),
  });
}

/** A row whose wording is not known. */
export function unknownText(entry: ReadEntry, background: Background): PanelEvent {
  const change = { reason: 'unknown-text', shape: shapeOf(entry.activity), row: entry.row } as const;
  return tellRows('activity.unclassified', change, [entry], background);
}

/** A row of which some lines are not known; what is known of it is told beside. */
export function partlyUnknown(
  entry: ReadEntry,
  lines: readonly string[],
  background: Background,
): PanelEvent {
  const detail = `Not understood: ${lines.map((line) => JSON.stringify(line)).join(', ')}`;
  const shape = shapeOf({ ...entry.activity, text: lines.join('\n') });
  const change = { reason: 'unknown-text', detail, shape, row: entry.row } as const;
  return tellRows('activity.unclassified', change, [entry], background);
}

/** A row that is not an activity. */
export function invalidRow(entry: Entry, { catalogue }: Background): PanelEvent {
  const isObject = typeof entry.row === 'object' && entry.row !== null && !Array.isArray(entry.row);
  return toEvent({
    kind: 'activity.unclassified',
    change: { reason: 'invalid-row', ...(entry.problem && { detail: entry.problem }), row: entry.row },
    catalogue,
    key: entry.key,
    at: null,
    panel: null,
    entity: null,
    actor: null,
    late: entry.late,
    rows: isObject ? [entry.row as Row] : [],
  });
}

function panelOf({ panel_id, panel_name, panel_version }: Activity, { panels }: Background): EventPanel {
  return { id: panel_id, name: panel_name, version: panel_version, ...panels.get(panel_id) };
}
