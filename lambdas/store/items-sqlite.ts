import { onceForText } from '../run/text.ts';
import { createDocuments, type Documents } from './documents.ts';
import { type ItemStore, type KeptItem, type NewItem, packBody, unpackBody } from './items.ts';
import type { StateFile } from './sqlite-file.ts';
import { orDamaged, sqliteCall } from './state-error.ts';

export interface SqliteItemsOptions {
  /** What is kept, as errors name it: `the messages`. */
  readonly what: string;
  readonly table?: 'item' | 'panel_item';
  readonly now: () => number;
}

/** The least time between two deletions of expired items, in milliseconds. */
const CLEANED_EVERY = 60 * 60 * 1000;

/** As many as there are. */
const MOST_STATEMENTS = 8;

/** Twice what a catalogue has of short items that most runs read: panels, sign-offs, and documents. */
const MOST_REMEMBERED = 2000;

/** The columns of an item that is read, in a partition. Arrays cost less to make than objects. */
type Row = readonly [id: string, version: number, expires: number | null, value: unknown];

/** Sorts after every other character. */
const LAST = '\u{10FFFF}';

const live = '(expires IS NULL OR expires > :now)';

/**
 * Items in a file of SQLite that has their table.
 * @throws {StateError} when the file cannot be used
 */
export function createSqliteItems(
  { database, path, transaction }: Pick<StateFile, 'database' | 'path' | 'transaction'>,
  { what, table = 'item', now }: SqliteItemsOptions,
): ItemStore {
  const place = { name: `${what} in ${path}`, repair: 'Restore a copy of the directory.' };
  const attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value): Value =>
    sqliteCall(`${action} ${place.name}`, work);
  const write = async <Value>(work: () => Value): Promise<Value> =>
    attempt('Writing', () => transaction(work));
  // Of a file as it was before, nothing can be written.
  const prepare = onceForText(MOST_STATEMENTS, (sql) => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  });
  const itemIn = itemsOfRows(place);
  const found = `SELECT id, version, expires, value FROM ${table} WHERE partition = :partition AND ${live}`;
  const put = `INSERT INTO ${table} (partition, id, version, expires, value) VALUES (:partition, :id, 1, :expires, :value)
    ON CONFLICT (partition, id) DO UPDATE SET version = 1, expires = excluded.expires, value = excluded.value`;
  const sql = {
    get: `${found} AND id = :id`,
    list: `${found} AND id >= :prefix AND id < :prefix || '${LAST}' ORDER BY id`,
    newest: `${found} AND id <= :upTo ORDER BY id DESC LIMIT :last`,
    create: `${put} WHERE ${table}.expires <= :now`,
    replace: `UPDATE ${table} SET version = version + 1, expires = :expires, value = :value
      WHERE partition = :partition AND id = :id AND version = :version AND ${live}`,
    put,
    remove: `DELETE FROM ${table} WHERE partition = :partition AND id = :id`,
    clean: `DELETE FROM ${table} WHERE expires <= :now`,
  };
  const seconds = (): number => Math.floor(now() / 1000);
  let cleaned = Number.NEGATIVE_INFINITY;
  const clean = (): void => {
    if (now() - cleaned <= CLEANED_EVERY) return;
    cleaned = now();
    prepare(sql.clean).run({ now: seconds() });
  };
  const written = ({ partition, id, expires, value }: NewItem) => ({
    ...{ partition, id, expires: expires ?? null, value: packBody(value) },
  });

  return {
    place,
    async get(partition, id) {
      const row = attempt('Reading', () => prepare(sql.get).get({ partition, id, now: seconds() }));
      return row ? itemIn(partition, row as unknown as Row) : null;
    },
    async list(partition, range = '') {
      const asked = { partition, now: seconds() };
      const rows = attempt('Reading', () =>
        typeof range === 'string'
          ? prepare(sql.list).all({ ...asked, prefix: range })
          : prepare(sql.newest)
              .all({ ...asked, upTo: range.upTo ?? LAST, last: range.last })
              .reverse(),
      );
      return (rows as unknown as readonly Row[]).map((row) => itemIn(partition, row));
    },
    create: (item) =>
      write(() => {
        clean();
        return prepare(sql.create).run({ ...written(item), now: seconds() }).changes > 0;
      }),
    replace: (item) =>
      write(
        () =>
          prepare(sql.replace).run({ ...written(item), version: item.version, now: seconds() }).changes > 0,
      ),
    put: (...items) =>
      write(() => {
        clean();
        for (const item of items) prepare(sql.put).run(written(item));
      }),
    remove: (partition, ...ids) =>
      write(() => {
        for (const id of ids) prepare(sql.remove).run({ partition, id });
      }),
  };
}

/**
 * Returns what makes the items of rows, and gives the same one again where a row has not changed: most runs read the same.
 * It throws {StateError} `STATE_CORRUPT` where a value is damaged.
 */
function itemsOfRows({ name, repair }: ItemStore['place']): (partition: string, row: Row) => KeptItem {
  const remembered = new Map<string, Map<string, { readonly text: string; readonly item: KeptItem }>>();
  let count = 0;
  const remember = (item: KeptItem, text: string): void => {
    if (count >= MOST_REMEMBERED) {
      remembered.clear();
      count = 0;
    }
    const { partition, id } = item;
    const items = remembered.get(partition) ?? new Map<string, { text: string; item: KeptItem }>();
    if (!items.has(id)) count += 1;
    remembered.set(partition, items.set(id, { text, item }));
  };
  return (partition, [id, version, expires, value]) => {
    const before = remembered.get(partition)?.get(id);
    const isSame = before?.text === value && before?.item.version === version;
    if (before && isSame && before.item.expires === (expires ?? undefined)) return before.item;
    const unpacked = orDamaged(`"${id}" of ${name}`, repair, () => unpackBody(value));
    const item = { partition, id, version, ...(expires !== null && { expires }), value: unpacked };
    if (typeof value === 'string') remember(item, value);
    return item;
  };
}

/** The documents of one catalogue in the file of a local run. They never expire. */
export function createSqliteDocuments(file: StateFile, catalogue: string): Documents {
  const what = `the documents of catalogue "${catalogue}"`;
  return createDocuments(createSqliteItems(file, { what, now: () => 0 }), { catalogue });
}
