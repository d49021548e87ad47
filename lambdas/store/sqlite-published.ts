import { withoutRows } from '../events/split-body.ts';
import { entitySchema, panelSchema, positionSchema } from './json-schemas.ts';
import { entityAfter, type Learnt, panelAfter, silentAfter } from './learnt.ts';
import { packText, unpackText } from './packed.ts';
import { panelKey } from './panel-key.ts';
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
import { toJson } from './to-json.ts';

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
  silent(ids: readonly number[]): Awaited<ReturnType<StateStore['silent']>>;
  /** Takes over what was found without a row, in one transaction. */
  learn(learnt: Learnt): void;
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

const silentKey = (id: number): string => `silent#${id}`;
const nameOf = (version: number): string => PUBLISHED + String(version).padStart(12, '0');

/** What the poller published, and what was found without a row, in the file of a local run. */
export function createSqlitePublished(
  { database, transaction }: StateFile,
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
    state: database.prepare('SELECT value FROM entity_state WHERE catalogue = ? AND entity = ?'),
    saveState: database.prepare(
      'INSERT INTO entity_state (catalogue, entity, value) VALUES (?, ?, ?) ON CONFLICT (catalogue, entity) DO UPDATE SET value = excluded.value',
    ),
    position: database.prepare('SELECT position, pending FROM position WHERE catalogue = ?'),
    movePosition: database.prepare('UPDATE position SET version = ?, position = ? WHERE catalogue = ?'),
  };

  const orDamaged = <Value>(read: () => Value): Value => {
    try {
      return read();
    } catch (cause) {
      throw damagedState(where, cause, 'Restore a copy of the directory.');
    }
  };
  const storedValue = (key: string): Record<string, unknown> | undefined => {
    const found = statements.state.get(catalogue, key);
    return found && orDamaged(() => JSON.parse(String(found.value)) as Record<string, unknown>);
  };
  const save = (key: string, value: unknown): void =>
    void statements.saveState.run(catalogue, key, toJson(value));
  const eventsIn = (body: string) =>
    eventsSchema.parse(JSON.parse(eventsOfRows({ database }, body) ?? unpackText(body)));
  const silentOf = (id: number) =>
    orDamaged(() => eventsSchema.parse(storedValue(silentKey(id))?.events ?? []));

  /** A poll that has read what was known before stops before it records anything, and begins again. */
  const outdateReaders = (): void => {
    const found = statements.position.get(catalogue);
    if (!found || found.pending !== null) return;
    const position = orDamaged(() => positionSchema.parse(JSON.parse(String(found.position))));
    const version = position.version + 1;
    statements.movePosition.run(version, toJson({ ...position, version }), catalogue);
  };

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

    silent: (ids) => new Map(ids.map((id) => [id, silentOf(id)])),

    learn(learnt) {
      const { ratings, versions, silent, asOf } = learnt;
      const isOld = (value: Record<string, unknown> | undefined): boolean =>
        Number(value?.savedAt ?? 0) <= asOf;
      transaction(() => {
        // No poll has begun: what it begins with is for it to decide.
        if (!statements.position.get(catalogue)) return;
        for (const [key, rating] of ratings) {
          const before = storedValue(key);
          if (!isOld(before)) continue;
          const state = before && orDamaged(() => entitySchema.parse(before));
          save(key, { ...entityAfter(state, [key, rating], learnt), savedAt: asOf });
        }
        for (const [id, version] of versions) {
          const before = storedValue(panelKey(id));
          if (!isOld(before)) continue;
          const state = before && orDamaged(() => panelSchema.parse(before));
          save(panelKey(id), { ...panelAfter(state, version, learnt), savedAt: asOf });
        }
        for (const [id, events] of silent) {
          save(silentKey(id), { events: silentAfter(silentOf(id), events) });
        }
        if (ratings.size + versions.size > 0) outdateReaders();
      });
    },
  };
}
