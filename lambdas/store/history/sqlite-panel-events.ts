import type { EventKindName } from '../../events/changes.ts';
import type { PanelEvent } from '../../events/schemas.ts';
import type { StateFile } from '../sqlite-file.ts';
import { NO_PANEL } from '../sqlite-schema.ts';
import { attemptOn } from './sqlite-attempt.ts';
import { hasKey } from './sqlite-event-index.ts';
import { jsonWithoutRows } from './sqlite-find.ts';

/** Which events a history had: those from one number to another. */
export interface EventSpan {
  readonly first: number;
  readonly last: number;
}

/** The events of each panel, and which panels have new ones; a panel is a number, one of them that of events without a panel. */
interface PanelEvents {
  /** The events that the history has now. */
  span(): EventSpan;
  panels(): readonly number[];
  /** The panels of the events after a number; what corrects an event is of its panel. */
  panelsAfter(last: number): readonly number[];
  /** The events of a panel that no other corrects, oldest first, with empty `activities`. */
  eventsOf(panel: number): Iterable<PanelEvent>;
}

/** Reads the events of some kinds in a state file, panel by panel. */
export function createSqlitePanelEvents(file: StateFile, kinds: readonly EventKindName[]): PanelEvents {
  const { database } = file;
  const attempt = attemptOn(file);
  const ofKinds = `kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
  const panel = `SELECT DISTINCT coalesce(panel, ${NO_PANEL}) AS panel FROM event`;
  const statements = attempt('Reading', () => ({
    first: database.prepare('SELECT min(seq) AS seq FROM event'),
    last: database.prepare('SELECT max(seq) AS seq FROM event'),
    panels: database.prepare(`${panel} WHERE ${ofKinds}`),
    after: database.prepare(`${panel} WHERE seq > ? AND ${ofKinds}`),
    events: database.prepare(
      `SELECT ${jsonWithoutRows} AS json FROM event WHERE ${hasKey('panel', '?')} AND ${ofKinds}
       AND event.id NOT IN (SELECT id FROM corrected_event) ORDER BY event.at, event.id`,
    ),
  }));
  const numbers = (rows: readonly Readonly<Record<string, unknown>>[]): readonly number[] =>
    rows.map((row) => Number(row.panel));
  return {
    span: () =>
      attempt('Reading', () => ({
        first: Number(statements.first.get()?.seq ?? 0),
        last: Number(statements.last.get()?.seq ?? 0),
      })),
    panels: () => attempt('Reading', () => numbers(statements.panels.all())),
    panelsAfter: (last) => attempt('Reading', () => numbers(statements.after.all(last))),
    eventsOf: (wanted) =>
      attempt('Reading', () =>
        statements.events.all(wanted, wanted).map(({ json }) => JSON.parse(String(json)) as PanelEvent),
      ),
  };
}
