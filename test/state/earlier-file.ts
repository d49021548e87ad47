import type { StateFile } from '../../lambdas/state/sqlite-file.ts';

/** Turns a file into one of version 3, where each event was indexed when it was appended. */
export function asVersion3({ database }: Pick<StateFile, 'database'>): void {
  database.exec(`
    PRAGMA foreign_keys = OFF;
    INSERT OR IGNORE INTO event_name (name, at, seq) SELECT name, at, seq FROM unindexed_name;
    DROP VIEW unindexed_id;
    DROP VIEW unindexed_name;
    DROP VIEW unindexed_panel;
    DROP TABLE event_id;
    DROP TABLE event_panel;
    DROP TABLE indexed_up_to;
    DROP VIEW event;
    DROP TABLE recorded;
    DROP TABLE unpublished;
    ALTER TABLE recorded_event RENAME TO event;
    CREATE TABLE former (
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      catalogue TEXT NOT NULL,
      at INTEGER NOT NULL,
      kind TEXT NOT NULL,
      panel INTEGER,
      entity_type TEXT,
      rating_from TEXT,
      rating_to TEXT,
      direction TEXT,
      late INTEGER NOT NULL,
      head TEXT NOT NULL,
      tail TEXT NOT NULL
    ) STRICT;
    INSERT INTO former SELECT seq, id, catalogue, at, kind, panel, entity_type, rating_from, rating_to, direction, late, head, tail FROM event;
    DROP TABLE event;
    ALTER TABLE former RENAME TO event;
    CREATE INDEX event_by_time ON event (at, id);
    CREATE INDEX event_by_panel ON event (panel, at);
    CREATE INDEX event_renaming ON event (seq) WHERE kind IN ('panel.changed', 'entity.renamed');
    PRAGMA user_version = 3;
    PRAGMA foreign_keys = ON;
  `);
}
