import type { PanelEvent } from '../../events/schemas.ts';
import { type SplitBody, splitBody, withoutRows } from '../../events/split-body.ts';
import { factsOf } from '../../filters/event-facts.ts';
import { parseInstant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import type { InsertEvents } from '../sqlite-recorded.ts';
import { hasOpenTime } from './read-part.ts';
import { createSqliteStatedValues } from './sqlite-stated-values.ts';

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

interface GivenNames {
  /** @param at when the event happened, in microseconds since 1970 */
  note(event: PanelEvent, at: number): void;
  /** Writes what was noted, within a transaction. */
  write(file: Pick<StateFile, 'database'>): void;
}

/** The names that the events of one append give to panels and genes, each once: few of them are new. */
function createGivenNames(): GivenNames {
  const panels = new Map<string, readonly [catalogue: string, panel: number, name: string, at: number]>();
  const genes = new Map<string, readonly [symbol: string, hgncId: string]>();
  return {
    note(event, at) {
      const { catalogue, panel, entity } = event.data;
      if (typeof panel?.id === 'number') {
        const key = `${panel.id} ${catalogue}\n${panel.name}`;
        const [, , , before = at] = panels.get(key) ?? [];
        panels.set(key, [catalogue, panel.id, panel.name, Math.max(at, before)]);
      }
      // The entity of a renaming has one of two names.
      const renames = event.type === 'gene-panel.entity.renamed.v1';
      if (entity?.type === 'gene' && entity.hgncId !== undefined && !renames)
        genes.set(`${entity.hgncId} ${entity.name}`, [entity.name, entity.hgncId]);
    },
    write({ database }) {
      const addPanel = database.prepare(
        'INSERT INTO panel_name (catalogue, panel, name, at) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)',
      );
      for (const values of panels.values()) addPanel.run(...values);
      const addGene = database.prepare(
        'INSERT INTO gene_symbol (symbol, hgnc_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
      );
      for (const values of genes.values()) addGene.run(...values);
    },
  };
}
