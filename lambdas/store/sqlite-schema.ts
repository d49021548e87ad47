/** Format of the file. A version that changes it raises it. */
export const FORMAT = 1;

/** The names of panels and the events that rename; the symbols that genes have or had, by HGNC id. */
const names = `
CREATE TABLE panel_name (
  catalogue TEXT NOT NULL,
  panel INTEGER NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (catalogue, panel, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_renaming ON recorded_event (seq) WHERE kind IN ('panel.changed', 'entity.renamed');
CREATE TABLE gene_symbol (
  symbol TEXT NOT NULL,
  hgnc_id TEXT NOT NULL,
  PRIMARY KEY (symbol, hgnc_id)
) STRICT, WITHOUT ROWID;
`;

/** Rows with a time lie in its order: those of a chunk go to the end of the table, and change few of its pages. */
const ledgerTables = `
CREATE TABLE ledger (
  catalogue TEXT NOT NULL,
  at INTEGER NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (catalogue, at, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE unplaced_row (
  seq INTEGER PRIMARY KEY,
  catalogue TEXT NOT NULL,
  key TEXT NOT NULL,
  UNIQUE (catalogue, key)
) STRICT;
`;

/** The panel of an event without one, or of a panel without an id, in `event_panel`. */
export const NO_PANEL = -1;

/**
 * Where the events lie of an id, of a name and of a panel. Each entry has a place of its own among those of all events: to
 * write the entries of some events changes nearly every page. So they are written for many events together, in their order,
 * up to the event of `indexed_up_to`; the views give the entries of the events after it. `+at` uses no index of time, which
 * would lead through all events of a period to these few.
 */
const eventIndexes = `
CREATE TABLE event_id (
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE event_panel (
  panel INTEGER NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (panel, at, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE indexed_up_to (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL
) STRICT;
INSERT INTO indexed_up_to (only, seq) SELECT 1, coalesce(max(seq), 0) FROM event;
CREATE VIEW unindexed_id AS
  SELECT id, seq FROM event WHERE seq > (SELECT seq FROM indexed_up_to);
CREATE VIEW unindexed_name AS
  SELECT value AS name, +at AS at, seq FROM event, json_each(names) WHERE seq > (SELECT seq FROM indexed_up_to);
CREATE VIEW unindexed_panel AS
  SELECT coalesce(panel, ${NO_PANEL}) AS panel, +at AS at, seq FROM event WHERE seq > (SELECT seq FROM indexed_up_to);
`;

/**
 * `recorded_event` has every event, `recorded` the numbers of those of a chunk that is recorded, in the order of the chunk, and
 * `unpublished` rows that may not be published yet. Who reads events reads `event`.
 */
const recordedTables = `
CREATE TABLE recorded (
  place INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  catalogue TEXT NOT NULL
) STRICT;
CREATE TABLE unpublished (seq INTEGER PRIMARY KEY) STRICT;
CREATE VIEW event AS SELECT * FROM recorded_event WHERE seq NOT IN (SELECT seq FROM unpublished);
`;

/**
 * The values that events have of the keys of a filter for which there is no index. `first` is the first event with a value, and
 * `seq` about the newest one.
 */
const statedTables = `
CREATE TABLE stated_value (
  catalogue TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  first INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (key, value, catalogue)
) STRICT, WITHOUT ROWID;
CREATE TABLE stated_up_to (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL
) STRICT;
`;

/**
 * Which file the state of each catalogue was written to. A file that was restored or copied is another one, also where it
 * lies at the same place: then events may be published again.
 */
const placeTable = `
CREATE TABLE place (
  catalogue TEXT PRIMARY KEY,
  identity TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Items of `createSqliteItems`: `value` is JSON, compressed where it is long, and `expires` in seconds since the epoch. */
const itemsIn = (table: string, more = ''): string => `
CREATE TABLE IF NOT EXISTS ${table} (
  partition TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  expires INTEGER,
  value ANY NOT NULL,
  ${more}PRIMARY KEY (partition, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ${table}_by_expiry ON ${table} (expires) WHERE expires IS NOT NULL;
`;

/** What panels held and hold (`panels/panel-state-store.ts`): with the time since when each item is as it is. */
const panelTable = itemsIn('panel_item', 'since INTEGER NOT NULL DEFAULT (recording_time()),\n  ');

/** What panels hold now, as rows to select from. */
export const holdingRows = `(SELECT substr(partition, 9, instr(substr(partition, 9), '#') - 1) AS catalogue, value ->> 'panelId' AS panel,
  value ->> 'type' AS type, value ->> 'name' AS name, value ->> 'hgncId' AS hgnc_id FROM panel_item WHERE partition GLOB 'holders#*')`;

/** Items of the worklist are never changed or removed: triggers refuse it. */
export const itemTable = `${itemsIn('item')}
CREATE TRIGGER IF NOT EXISTS item_of_worklist_no_update BEFORE UPDATE ON item WHEN old.partition GLOB 'worklist#*'
BEGIN SELECT RAISE(ABORT, 'what was decided, said, assigned and read is never changed or removed'); END;
CREATE TRIGGER IF NOT EXISTS item_of_worklist_no_delete BEFORE DELETE ON item WHEN old.partition GLOB 'worklist#*'
BEGIN SELECT RAISE(ABORT, 'what was decided, said, assigned and read is never changed or removed'); END;
`;

/**
 * What an answer as of an earlier time needs (`sqlite-as-of.ts`). \`appended\` has when the history took events in, the number of the
 * last one then, and the period that was read. The tables of what was before have what each change replaced, and when: as listing null
 * where nothing was kept before. \`recording_time()\` is the clock of the connection.
 */
const pastTables = `
CREATE TABLE appended (
  n INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  catalogue TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
CREATE TABLE followed (catalogue TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE forgotten (only INTEGER PRIMARY KEY CHECK (only = 1), at INTEGER NOT NULL) STRICT;
CREATE TABLE listing_before (
  n INTEGER PRIMARY KEY,
  until INTEGER NOT NULL,
  catalogue TEXT NOT NULL,
  listing BLOB
) STRICT;
CREATE TABLE panel_item_before (
  n INTEGER PRIMARY KEY,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  partition TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  value ANY NOT NULL
) STRICT;
CREATE INDEX panel_item_before_by_key ON panel_item_before (partition, id);
CREATE TRIGGER followed_position AFTER INSERT ON position BEGIN
  INSERT OR IGNORE INTO followed VALUES (new.catalogue, recording_time());
END;
CREATE TRIGGER followed_documents AFTER INSERT ON item WHEN new.partition GLOB 'catalogue#*#documents' BEGIN
  INSERT OR IGNORE INTO followed VALUES (substr(new.partition, 11, length(new.partition) - 20), recording_time());
END;
CREATE TRIGGER panel_item_changes AFTER UPDATE OF value ON panel_item WHEN old.value IS NOT new.value BEGIN
  INSERT INTO panel_item_before (since, until, partition, id, version, value)
  VALUES (old.since, recording_time(), old.partition, old.id, old.version, old.value);
  UPDATE panel_item SET since = recording_time() WHERE partition = new.partition AND id = new.id;
END;
CREATE TRIGGER panel_item_ends AFTER DELETE ON panel_item
WHEN old.partition NOT GLOB 'states#*' AND (old.partition NOT GLOB 'state-entities#*' OR EXISTS (
  SELECT 1 FROM panel_item AS state WHERE state.partition = 'states#' || substr(old.partition, 16)
  AND substr(old.id, 1, length(state.id) + 1) = state.id || '#'))
BEGIN
  INSERT INTO panel_item_before (since, until, partition, id, version, value)
  VALUES (old.since, recording_time(), old.partition, old.id, old.version, old.value);
END;
CREATE TRIGGER panel_state_ends AFTER DELETE ON panel_item WHEN old.partition GLOB 'states#*' BEGIN
  DELETE FROM panel_item_before WHERE partition = old.partition AND id = old.id;
  DELETE FROM panel_item_before WHERE partition = 'state-entities#' || substr(old.partition, 8)
    AND id > old.id || '#' AND id < old.id || '$';
  INSERT OR REPLACE INTO forgotten VALUES (1, recording_time());
END;
`;

/**
 * The changes of a worklist of green, of the events from `first` to `last`: a row each, and what else the panel's events give the
 * worklist, as JSON. A place is what a filter reads of a change's panel: with another name or R code it is another place.
 */
const worklistTables = `
CREATE TABLE worklist_change (
  id TEXT PRIMARY KEY,
  panel INTEGER NOT NULL,
  kind TEXT NOT NULL,
  catalogue TEXT NOT NULL,
  at TEXT NOT NULL,
  place INTEGER NOT NULL,
  value TEXT NOT NULL
) STRICT;
CREATE INDEX worklist_change_by_panel ON worklist_change (panel);
CREATE INDEX worklist_change_by_time ON worklist_change (at, id, kind, catalogue, panel, place);
CREATE INDEX worklist_change_by_place ON worklist_change (place, at, id, kind, catalogue, panel);
CREATE TABLE worklist_place (
  place INTEGER PRIMARY KEY,
  about TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE worklist_panel (
  panel INTEGER PRIMARY KEY,
  sign_offs TEXT NOT NULL,
  unread TEXT NOT NULL
) STRICT;
CREATE TABLE worklist_span (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  first INTEGER NOT NULL,
  last INTEGER NOT NULL,
  derivation INTEGER NOT NULL
) STRICT;
`;

/** On which day an event of a number was the first: events are kept by when they were appended, as on AWS. */
const dayTable = `
CREATE TABLE first_of_day (
  day INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT;
`;

/**
 * The tables of a local run. Instants are microseconds since 1970; a body is `head`, the rows of `event_rows`, and
 * `tail`, so that reports need not read the rows. `names` has every name of an event's entity, in lower case. Each id is kept
 * once: it gives the time of its event too, or `time_is_open` is 1. `corrected_event` has the events that others correct,
 * each with the id of its correction.
 */
export const schema = `
CREATE TABLE position (
  catalogue TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  position TEXT NOT NULL,
  pending TEXT
) STRICT;
${ledgerTables}
CREATE TABLE entity_state (
  catalogue TEXT NOT NULL REFERENCES position ON DELETE CASCADE,
  entity TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (catalogue, entity)
) STRICT, WITHOUT ROWID;
CREATE TABLE listing (
  catalogue TEXT PRIMARY KEY,
  listing TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE published_chunk (
  catalogue TEXT NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (catalogue, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE recorded_event (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  catalogue TEXT NOT NULL,
  at INTEGER NOT NULL,
  time_is_open INTEGER NOT NULL,
  kind TEXT NOT NULL,
  panel INTEGER,
  entity_type TEXT,
  rating_from TEXT,
  rating_to TEXT,
  direction TEXT,
  late INTEGER NOT NULL,
  names TEXT,
  head TEXT NOT NULL,
  tail TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX event_by_time ON recorded_event (at, id);
CREATE UNIQUE INDEX event_of_open_time ON recorded_event (id) WHERE time_is_open = 1;
CREATE TABLE event_rows (
  seq INTEGER PRIMARY KEY REFERENCES recorded_event ON DELETE CASCADE,
  rows TEXT NOT NULL
) STRICT;
CREATE TABLE event_name (
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (name, at, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE coverage (
  catalogue TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (catalogue, since)
) STRICT, WITHOUT ROWID;
CREATE TABLE corrected_event (id TEXT PRIMARY KEY, correction TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE search USING fts5 (words, content = '', detail = none, tokenize = 'ascii');
${names}${recordedTables}${eventIndexes}${statedTables}${placeTable}${panelTable}${itemTable}${worklistTables}${dayTable}${pastTables}`;
