import { withoutRows } from '../events/split-body.ts';
import { packText, unpackText } from './packed.ts';
import type { Position } from './position.ts';
import {
  eventsJson,
  eventsSchema,
  LEAST_PUBLISHED,
  PUBLISHED_SECONDS,
  type PublishedEvent,
} from './published.ts';
import type { StateFile } from './sqlite-file.ts';
import { damagedState } from './state-error.ts';
import type { Chunk, StateStore } from './store.ts';

interface SqlitePublished {
  /**
   * Keeps the events of a chunk under the version of the position that recorded it, within a transaction. Their age is
   * the way of the mark since.
   * @param rows the rows of the history that they all are; null where they are not
   */
  keep(
    messages: Chunk['messages'],
    { version, mark }: Pick<Position, 'version' | 'mark'>,
    rows: RowRange | null,
  ): void;
  published(after: number): Awaited<ReturnType<StateStore['published']>>;
}

const PUBLISHED = 'published#';

/** Rows of the history, by their first and last number. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

const rangeText = ({ first, last }: RowRange): string => `${first}-${last}`;

/** The events of the rows that a text names, as JSON, without the rows of their log; null where it names none. */
function eventsOfRows({ database }: Pick<StateFile, 'database'>, text: string): string | null {
  const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return null;
  const rows = database
    .prepare('SELECT head, tail FROM recorded_event WHERE seq BETWEEN ? AND ? ORDER BY seq')
    .all(Number(first), Number(last));
  const wanted = Number(last) - Number(first) + 1;
  if (rows.length !== wanted) throw new Error(`${rows.length} of ${wanted} published events are there`);
  return `[${rows.map(({ head, tail }) => withoutRows({ head: String(head), tail: String(tail) })).join(',')}]`;
}

/** Keeps the events that sweeps may still read apart from the rows of the history up to a number, which are to be deleted. */
export function keepApart({ database }: Pick<StateFile, 'database'>, upTo: number): void {
  const replace = database.prepare('UPDATE published_chunk SET body = ? WHERE catalogue = ? AND name = ?');
  const named = database.prepare(
    `SELECT catalogue, name, body FROM published_chunk WHERE name >= '${PUBLISHED}' AND name < '${PUBLISHED}~'
     AND body GLOB '[0-9]*-[0-9]*' AND CAST(body AS INTEGER) <= ?`,
  );
  for (const { catalogue, name, body } of named.all(upTo)) {
    const json = eventsOfRows({ database }, String(body));
    if (json !== null) replace.run(packText(json), catalogue ?? null, name ?? null);
  }
}

const nameOf = (version: number): string => PUBLISHED + String(version).padStart(12, '0');

/** What the poller published, in the file of a local run. */
export function createSqlitePublished(
  { database }: StateFile,
  { catalogue, where }: { readonly catalogue: string; readonly where: string },
): SqlitePublished {
  const statements = {
    keep: database.prepare(
      // Their version is the mark, in seconds.
      'INSERT INTO published_chunk (catalogue, name, version, body) VALUES (?, ?, ?, ?) ON CONFLICT (catalogue, name) DO UPDATE SET version = excluded.version, body = excluded.body',
    ),
    prune: database.prepare(
      `DELETE FROM published_chunk WHERE catalogue = ? AND name >= '${PUBLISHED}'
       AND name < (SELECT name FROM published_chunk WHERE catalogue = ? AND name >= '${PUBLISHED}' AND name < '${PUBLISHED}~' ORDER BY name DESC LIMIT 1 OFFSET ${LEAST_PUBLISHED})
       AND name < (SELECT name FROM published_chunk WHERE catalogue = ? AND name >= '${PUBLISHED}' AND name < '${PUBLISHED}~' AND version >= ? ORDER BY name LIMIT 1)`,
    ),
    after: database.prepare(
      `SELECT name, body FROM published_chunk WHERE catalogue = ? AND name > ? AND name < '${PUBLISHED}~' ORDER BY name`,
    ),
  };

  const orDamaged = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      throw damagedState(where, cause, 'Restore a copy of the directory.');
    }
  };
  const eventsIn = (body: string) =>
    eventsSchema.parse(JSON.parse(eventsOfRows({ database }, body) ?? unpackText(body)));

  return {
    keep(messages, { version, mark }, rows) {
      if (messages.length === 0) return;
      const seconds = Number(mark / 1_000_000n);
      const body = rows ? rangeText(rows) : packText(eventsJson(messages));
      statements.keep.run(catalogue, nameOf(version), seconds, body);
      statements.prune.run(catalogue, catalogue, catalogue, seconds - PUBLISHED_SECONDS);
    },

    published(after) {
      const events: PublishedEvent[] = [];
      let last = after;
      for (const { name, body } of statements.after.iterate(catalogue, nameOf(after))) {
        const version = Number(String(name).slice(PUBLISHED.length));
        last = version;
        for (const event of orDamaged(() => eventsIn(String(body)))) {
          events.push({ version, event });
        }
      }
      return { version: last, events };
    },
  };
}
