import { parseInstant } from '../clock/instant.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { splitBody, withoutRows } from '../events/split-body.ts';
import type { StateFile } from '../state/sqlite-file.ts';
import { type InsertEvents, keepUnpublishedLast } from '../state/sqlite-recorded.ts';
import { factsOf } from '../subscriptions/event-facts.ts';
import { createGivenNames } from './sqlite-given-names.ts';
import { createSqliteStatedValues } from './sqlite-stated-values.ts';

/** What inserts events into the history of a state file, with the names and values that they state. */
export function createSqliteInsert({ database }: Pick<StateFile, 'database'>): InsertEvents {
  const stated = createSqliteStatedValues({ database });
  const insertEvent = database.prepare(
    `INSERT INTO recorded_event (id, catalogue, at, kind, panel, entity_type, rating_from, rating_to, direction, late, head, tail)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const insertRows = database.prepare('INSERT INTO event_rows (seq, rows) VALUES (?, ?)');
  const insertName = database.prepare('INSERT OR IGNORE INTO event_name (name, at, seq) VALUES (?, ?, ?)');

  return (events, untimed) => {
    const numbers: (number | null)[] = [];
    const given = createGivenNames();
    stated.keep((learn) => {
      for (const { id, body } of events) {
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
        const seq = changes === 0 ? null : Number(lastInsertRowid);
        numbers.push(seq);
        if (seq === null) continue;
        if (split.rows !== '') insertRows.run(seq, split.rows);
        for (const name of facts.entityNames) insertName.run(name, at, seq);
        learn(facts, seq);
        given.note(event, at);
      }
    });
    given.write({ database });
    if (numbers.some((seq) => seq !== null)) keepUnpublishedLast({ database });
    return numbers;
  };
}
