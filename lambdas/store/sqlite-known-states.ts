import type * as z from 'zod';
import type { Instant } from '../run/instant.ts';
import { entitySchema, panelSchema } from './json-schemas.ts';
import type { KnownStates } from './known-states.ts';
import { panelIdOf, panelKey } from './panel-key.ts';
import { readStored } from './read-stored.ts';
import type { StateFile } from './sqlite-file.ts';
import type { StateStore } from './store.ts';
import { toJson } from './to-json.ts';

interface SqliteKnownStates {
  /** @param savedAt the version of the position that saves the states */
  save(states: KnownStates, savedAt: number): void;
  entities(keys: readonly string[]): Awaited<ReturnType<StateStore['entities']>>;
  panels(ids: readonly number[]): Awaited<ReturnType<StateStore['panels']>>;
  /** Forgets what rows before an instant stated of entities that have no rating and no row that waits for its pair. */
  forgetBefore(at: Instant): void;
}

/** What rows stated of the entities and panels of one catalogue, in a state file. Who calls it opens the transaction. */
export function createSqliteKnownStates(
  { database }: StateFile,
  { catalogue, where }: { readonly catalogue: string; readonly where: string },
): SqliteKnownStates {
  const select = database.prepare('SELECT value FROM entity_state WHERE catalogue = ? AND entity = ?');
  const insert = database.prepare(
    'INSERT INTO entity_state (catalogue, entity, value) VALUES (?, ?, ?) ON CONFLICT (catalogue, entity) DO UPDATE SET value = excluded.value',
  );
  // A panel's state has no rating at all.
  const forget = database.prepare(
    "DELETE FROM entity_state WHERE catalogue = ? AND json_type(value, '$.rating') = 'null' AND json_array_length(value, '$.unpaired') = 0 AND CAST(value ->> '$.at' AS INTEGER) < ?",
  );

  const known = <Shape extends z.ZodType>(
    keys: readonly string[],
    schema: Shape,
  ): Map<string, z.output<Shape>> => {
    const states = new Map<string, z.output<Shape>>();
    for (const key of keys) {
      const found = select.get(catalogue, key);
      if (found) states.set(key, readStored(where, schema, found.value));
    }
    return states;
  };

  return {
    save({ entities, panels }, savedAt) {
      const save = (key: string, state: object): void =>
        void insert.run(catalogue, key, toJson({ ...state, savedAt }));
      for (const [key, state] of entities) save(key, state);
      for (const [id, state] of panels) save(panelKey(id), state);
    },
    entities: (keys) => known(keys, entitySchema),
    panels: (ids) =>
      new Map([...known(ids.map(panelKey), panelSchema)].map(([key, state]) => [panelIdOf(key), state])),
    forgetBefore: (at) => void forget.run(catalogue, Number(at)),
  };
}
