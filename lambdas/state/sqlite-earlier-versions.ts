import {
  eventIndexes,
  geneSymbols,
  ledgerTables,
  NO_PANEL,
  panelNames,
  recordedTables,
} from './sqlite-schema.ts';

/** A value of an event of the table `event`. */
const eventValue = (path: string): string =>
  `json_extract(head || CASE tail WHEN '' THEN '' ELSE '[]' || tail END, '$.data.${path}')`;

/** Every name that the events of a panel give, and the last time at which one does. */
export const namesOfEvents = `
SELECT catalogue, panel, ${eventValue('panel.name')} AS name, max(at) AS at
FROM event WHERE panel IS NOT NULL GROUP BY 1, 2, 3`;

/**
 * The symbols of genes, and the HGNC ids that events state with them, each once. No text of an event holds the key
 * unescaped.
 */
export const symbolsOfEvents = `
SELECT DISTINCT symbol, hgnc_id FROM (
  SELECT ${eventValue('entity.name')} AS symbol, ${eventValue('entity.hgncId')} AS hgnc_id FROM event
  WHERE entity_type = 'gene' AND kind <> 'entity.renamed' AND instr(head, ',"hgncId":"') > 0
) WHERE symbol IS NOT NULL AND hgnc_id IS NOT NULL`;

/** What a file gets that was written before names were kept, by the table that it lacks. */
export const addedNames = {
  panel_name: `${panelNames('event')} INSERT INTO panel_name (catalogue, panel, name, at) ${namesOfEvents};`,
  gene_symbol: `${geneSymbols} INSERT INTO gene_symbol (symbol, hgnc_id) ${symbolsOfEvents};`,
} as const;

/** What a connection gets that reads a file of an earlier version and may not write: there, every event is indexed. */
export const indexesOfEarlierVersions = `
CREATE TEMP VIEW event_id AS SELECT id, seq FROM event;
CREATE TEMP VIEW event_panel AS
  SELECT panel, at, seq FROM event WHERE panel IS NOT NULL
  UNION ALL SELECT ${NO_PANEL}, at, seq FROM event WHERE panel IS NULL;
CREATE TEMP VIEW unindexed_id AS SELECT id, seq FROM event WHERE 0;
CREATE TEMP VIEW unindexed_name AS SELECT name, at, seq FROM event_name WHERE 0;
CREATE TEMP VIEW unindexed_panel AS SELECT panel, at, seq FROM event WHERE 0;
`;

/** Turns a file of an earlier version into one of version 3. */
export const toVersion3 = `
DROP TRIGGER IF EXISTS event_names_panel;
DROP TRIGGER IF EXISTS event_names_gene;
DROP INDEX event_by_panel;
CREATE INDEX event_by_panel ON event (panel, at);
DROP INDEX ledger_by_time;
ALTER TABLE ledger RENAME TO former_ledger;
${ledgerTables}
INSERT INTO ledger (catalogue, at, key) SELECT catalogue, at, key FROM former_ledger WHERE at IS NOT NULL ORDER BY 1, 2, 3;
INSERT INTO unplaced_row (seq, catalogue, key) SELECT seq, catalogue, key FROM former_ledger WHERE at IS NULL;
DROP TABLE former_ledger;
`;

/** Turns a file of version 3 into one of version 4. It keeps its index of unique ids: to leave it out would copy every event. */
export const toVersion4 = `
ALTER TABLE event ADD COLUMN names TEXT;
ALTER TABLE event ADD COLUMN time_is_open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE event RENAME TO recorded_event;
${recordedTables}${eventIndexes}
INSERT INTO event_id (id, seq) SELECT id, seq FROM event ORDER BY 1;
INSERT INTO event_panel (panel, at, seq) SELECT coalesce(panel, ${NO_PANEL}), at, seq FROM event ORDER BY 1, 2, 3;
DROP INDEX event_by_panel;
`;
