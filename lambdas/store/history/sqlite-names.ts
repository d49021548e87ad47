import type { PanelEvent } from '../../events/schemas.ts';
import { withoutRows } from '../../events/split-body.ts';
import { createNameBook, type NameBook } from '../../filters/names.ts';
import { formatInstant } from '../../run/instant.ts';
import type { StateFile } from '../sqlite-file.ts';
import { holdingRows } from '../sqlite-schema.ts';

/** The events that rename a panel or an entity: those of the index `event_renaming`. */
const RENAMING = "kind IN ('panel.changed', 'entity.renamed')";

/** @param whose `panels`: the symbols that states give genes are not needed, which saves reading those that are new */
export type ReadNames = (whose?: 'panels' | 'panels and genes') => NameBook;

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

  return (whose = 'panels and genes') => {
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
