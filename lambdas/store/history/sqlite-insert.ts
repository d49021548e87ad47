import type { PanelEvent } from '../../events/schemas.ts';
import { type SplitBody, splitBody, withoutRows } from '../../events/split-body.ts';
import { factsOf } from '../../filters/event-facts.ts';
import { parseInstant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import type { InsertEvents } from '../sqlite-recorded.ts';
import { createGivenNames } from './sqlite-given-names.ts';
import { createSqliteStatedValues } from './sqlite-stated-values.ts';
import { hasOpenTime } from './time-is-open.ts';

/** Whether a body has rows, of which `event` was read without. */
const hasRows = ({ data }: PanelEvent, { rows }: SplitBody): boolean =>
  rows === '' ? data.activities.length > 0 : rows !== '[]';

/** What inserts events into the history of a state file, with the names and values that they state. */
export function createSqliteInsert({ database }: Pick<StateFile, 'database'>): InsertEvents {
  const stated = createSqliteStatedValues({ database });

  return (events, untimed) => {
    const insertEvent = database.prepare(
      `INSERT INTO recorded_event (id, catalogue, at, time_is_open, kind, panel, entity_type, rating_from, rating_to, direction, late, names, head, tail)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    const insertCorrected = database.prepare(
      'INSERT OR IGNORE INTO corrected_event (id, correction) VALUES (?, ?)',
    );
    const insertRows = database.prepare('INSERT INTO event_rows (seq, rows) VALUES (?, ?)');
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
          Number(hasOpenTime(event, hasRows(event, split))),
          facts.kind,
          facts.panelId,
          facts.entityType,
          facts.from,
          facts.to,
          facts.direction,
          Number(facts.late),
          facts.entityNames.length === 0 ? null : JSON.stringify(facts.entityNames),
          split.head,
          split.tail,
        );
        if (event.data.corrects !== undefined) insertCorrected.run(event.data.corrects, id);
        const seq = changes === 0 ? null : Number(lastInsertRowid);
        numbers.push(seq);
        if (seq === null) continue;
        if (split.rows !== '') insertRows.run(seq, split.rows);
        learn(facts, seq);
        given.note(event, at);
      }
    });
    given.write({ database });
    return numbers;
  };
}
