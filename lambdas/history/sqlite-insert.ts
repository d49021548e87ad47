import { type Instant, parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { splitBody, withoutRows } from '../events/split-body.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import { type EventFacts, factsOf } from '../subscriptions/event-facts.ts';
import type { HistoryRecord } from './history.ts';

/**
 * Inserts an event, unless one of its id is kept.
 * @param untimed the instant of an event without a time
 * @param learn gets an event that is new, its time in microseconds since 1970, and its number
 */
type InsertEvent = (
  record: HistoryRecord,
  untimed: Instant,
  learn: (event: PanelEvent, facts: EventFacts, place: { readonly at: number; readonly seq: number }) => void,
) => void;

/** What inserts events into the history of a state file, in a transaction of the caller. */
export function createSqliteInsert({ database }: Pick<StateFile, 'database'>): InsertEvent {
  const insertEvent = database.prepare(
    `INSERT INTO event (id, catalogue, at, kind, panel, entity_type, rating_from, rating_to, direction, late, head, tail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
  );
  const insertRows = database.prepare('INSERT INTO event_rows (seq, rows) VALUES (?, ?)');
  const insertName = database.prepare('INSERT OR IGNORE INTO event_name (name, at, seq) VALUES (?, ?, ?)');

  return ({ id, body }, untimed, learn) => {
    const split = splitBody(body);
    // The rows need not be parsed.
    const event = JSON.parse(withoutRows(split)) as PanelEvent;
    const facts = factsOf(event);
    const at = Number(parseInstant(event.time) ?? untimed);
    const { changes, lastInsertRowid } = insertEvent.run(
      id,
      facts.catalogue,
      at,
      facts.kind,
      facts.panelId,
      facts.entityType,
      facts.from,
      facts.to,
      facts.direction,
      Number(facts.late),
      split.head,
      split.tail,
    );
    if (changes === 0) return;
    if (split.rows !== '') insertRows.run(lastInsertRowid, split.rows);
    for (const name of facts.entityNames) insertName.run(name, at, lastInsertRowid);
    learn(event, facts, { at, seq: Number(lastInsertRowid) });
  };
}
