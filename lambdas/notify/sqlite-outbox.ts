import type { StateFile } from '../state/sqlite-file.ts';
import { sqliteProblem } from '../state/sqlite-problem.ts';
import { StateError } from '../state/state-error.ts';
import type { OutboxItem, OutboxStore } from './outbox-store.ts';

export interface SqliteOutboxOptions {
  readonly file: Pick<StateFile, 'database' | 'path'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The least time between two deletions of expired items, in milliseconds. */
const CLEANED_EVERY = 60 * 60 * 1000;

interface Row {
  readonly id: string;
  readonly version: number;
  readonly expires: number | null;
  readonly value: string;
}

/**
 * The outbox in the state file of a local run.
 * @throws {StateError} here and from every method, when the file cannot be used
 */
export function sqliteOutbox({ file: { database, path }, now }: SqliteOutboxOptions): OutboxStore {
  const attempt = <Value>(action: 'Reading' | 'Writing', work: () => Value): Value => {
    try {
      return work();
    } catch (cause) {
      const { code, seen, remedy } = sqliteProblem(cause);
      throw new StateError(code, `${action} the messages in ${path}: ${seen}. ${remedy}`, { cause });
    }
  };
  const live = '(expires IS NULL OR expires > :now)';
  const statements = attempt('Reading', () => ({
    get: database.prepare(
      `SELECT id, version, expires, value FROM outbox WHERE partition = :partition AND id = :id AND ${live}`,
    ),
    list: database.prepare(
      `SELECT id, version, expires, value FROM outbox WHERE partition = :partition AND id >= :prefix AND substr(id, 1, length(:prefix)) = :prefix AND ${live} ORDER BY id`,
    ),
    create: database.prepare(
      `INSERT INTO outbox (partition, id, version, expires, value) VALUES (:partition, :id, 1, :expires, :value)
       ON CONFLICT (partition, id) DO UPDATE SET version = 1, expires = excluded.expires, value = excluded.value
       WHERE outbox.expires <= :now`,
    ),
    replace: database.prepare(
      `UPDATE outbox SET version = version + 1, expires = :expires, value = :value
       WHERE partition = :partition AND id = :id AND version = :version AND ${live}`,
    ),
    remove: database.prepare('DELETE FROM outbox WHERE partition = :partition AND id = :id'),
    clean: database.prepare('DELETE FROM outbox WHERE expires <= :now'),
  }));
  const seconds = (): number => Math.floor(now() / 1000);
  let cleaned = Number.NEGATIVE_INFINITY;
  const itemOf =
    (partition: string) =>
    ({ id, version, expires, value }: Row): OutboxItem => ({
      partition,
      id,
      version,
      ...(expires !== null && { expires }),
      value: JSON.parse(value) as unknown,
    });
  const written = ({
    partition,
    id,
    expires = null,
    value,
  }: Omit<OutboxItem, 'version' | 'expires'> & { readonly expires?: number | null }) => ({
    partition,
    id,
    expires,
    value: JSON.stringify(value ?? null),
    now: seconds(),
  });

  return {
    async get(partition, id) {
      const row = attempt('Reading', () => statements.get.get({ partition, id, now: seconds() }));
      return row ? itemOf(partition)(row as unknown as Row) : null;
    },
    async list(partition, prefix) {
      const rows = attempt('Reading', () => statements.list.all({ partition, prefix, now: seconds() }));
      return (rows as unknown as readonly Row[]).map(itemOf(partition));
    },
    async create(item) {
      return attempt('Writing', () => {
        if (now() - cleaned > CLEANED_EVERY) {
          cleaned = now();
          statements.clean.run({ now: seconds() });
        }
        return statements.create.run(written(item)).changes > 0;
      });
    },
    async replace(item) {
      return attempt(
        'Writing',
        () => statements.replace.run({ ...written(item), version: item.version }).changes > 0,
      );
    },
    async remove(partition, id) {
      attempt('Writing', () => statements.remove.run({ partition, id }));
    },
  };
}
