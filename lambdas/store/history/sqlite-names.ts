import { type PanelEvent, withoutRows } from '../../events/schemas.ts';
import type { EventFacts } from '../../filters/filter.ts';
import { createNameBook, type NameBook } from '../../filters/names.ts';
import { formatInstant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import { holdingRows } from '../sqlite-schema.ts';
import type { StatedKey } from './history.ts';

/** The events that rename a panel or an entity: those of the index `event_renaming`. */
const RENAMING = "kind IN ('panel.changed', 'entity.renamed')";

/** @param whose `panels`: the symbols that states give genes are not needed, which saves reading those that are new */
export type ReadNames = (whose?: 'panels') => NameBook;

/**
 * Reads the names that the events of a state file give: of each event's panel, and of what renames. Each call adds what
 * was appended since the one before.
 */
export function createSqliteNames({ database }: Pick<StateFile, 'database'>): ReadNames {
  const newest = database.prepare('SELECT coalesce(max(seq), 0) AS seq FROM event');
  const book = createNameBook();
  let read = 0;
  let states = -1;

  /** Symbols of genes by HGNC id, as the newest states of the panels have them: also of genes without an event. */
  const learnIdentities = (): void => {
    const count = Number(
      database.prepare("SELECT count(*) AS n FROM panel_item WHERE partition GLOB 'states#*'").get()?.n,
    );
    if (count === states) return;
    states = count;
    const genes = database.prepare(
      `SELECT DISTINCT catalogue, name, hgnc_id FROM ${holdingRows} WHERE hgnc_id IS NOT NULL AND type = 'gene'`,
    );
    for (const { catalogue, name, hgnc_id } of genes.all()) {
      book.learnIdentity({ catalogue: String(catalogue), name: String(name), hgncId: String(hgnc_id) });
    }
  };

  return (whose) => {
    if (whose !== 'panels') learnIdentities();
    const last = Number(newest.get()?.seq ?? 0);
    if (last === read) return book;
    const named = database.prepare('SELECT catalogue, panel, name, at FROM panel_name');
    const catalogues = new Set<string>();
    for (const { catalogue, panel, name, at } of named.all()) {
      catalogues.add(String(catalogue));
      book.learnPanel({
        catalogue: String(catalogue),
        id: Number(panel),
        name: String(name),
        at: formatInstant(BigInt(Number(at))),
      });
    }
    const renaming = database.prepare(`SELECT head, tail FROM event WHERE seq > ? AND ${RENAMING}`);
    for (const { head, tail } of renaming.all(read)) {
      const body = withoutRows({ head: String(head), tail: String(tail) });
      book.learnEvent(JSON.parse(body) as PanelEvent);
    }
    const symbols = database.prepare('SELECT symbol, hgnc_id FROM gene_symbol');
    // The table of symbols does not say which catalogue states one: with several, it may be any.
    const [catalogue, ...others] = catalogues;
    const stating = catalogue !== undefined && others.length === 0 ? { catalogue } : {};
    for (const { symbol, hgnc_id } of symbols.all()) {
      book.learnIdentity({ ...stating, name: String(symbol), hgncId: String(hgnc_id) });
    }
    read = last;
    return book;
  };
}

/** A value's newest event is noted again once it is so many events further. */
const NOTED_AFTER = 1_000;

type LearnValues = (facts: EventFacts, seq: number) => void;

/** The values that events have of those keys of a filter for which the file has no index. */
export function createSqliteStatedValues({ database }: Pick<StateFile, 'database'>) {
  /** The event that the file has with each value, as far as this process knows, so that most events cost no statement. */
  const known = new Map<string, number>();
  let noted = 0;

  const numberIn = (sql: string): number => Number(database.prepare(sql).get()?.seq ?? 0);

  const learn: LearnValues = (facts, seq) => {
    const { catalogue } = facts;
    const note = (key: StatedKey, value: string): void => {
      const place = `${catalogue} ${key} ${value}`;
      if (seq - (known.get(place) ?? Number.NEGATIVE_INFINITY) < NOTED_AFTER) return;
      database
        .prepare(
          'INSERT INTO stated_value (catalogue, key, value, first, seq) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET seq = max(seq, excluded.seq)',
        )
        .run(catalogue, key, value, seq, seq);
      known.set(place, seq);
    };
    for (const key of ['panelTypes', 'rCodes', 'tags'] as const)
      for (const value of facts[key]) note(key, value);
    if (facts.actor !== null) note('actors', facts.actor);
  };

  return {
    keep(append: (learn: LearnValues) => void): void {
      // Where the file says otherwise, what was added last was undone.
      if (numberIn('SELECT seq FROM stated_up_to') !== noted) known.clear();
      append(learn);
      // Those of a recorded chunk are among them, which `event` does not show yet.
      noted = numberIn('SELECT max(seq) AS seq FROM recorded_event');
      database
        .prepare(
          'INSERT INTO stated_up_to (only, seq) VALUES (1, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq',
        )
        .run(noted);
    },
    has(key: StatedKey, value: string, catalogue: string | undefined): boolean {
      const found = database
        .prepare(
          'SELECT 1 FROM stated_value WHERE key = ? AND value = ? AND catalogue = coalesce(?, catalogue)',
        )
        .get(key, value, catalogue ?? null);
      return found !== undefined;
    },
  };
}

/** Forgets the values that no event has from a number on, in a transaction of the caller. */
export function forgetStatedValues({ database }: Pick<StateFile, 'database'>, seq: number): void {
  database.prepare('DELETE FROM stated_value WHERE seq < ?').run(seq - NOTED_AFTER);
}
