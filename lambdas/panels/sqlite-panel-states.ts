import type { Clock } from '../run/clock.ts';
import { createSqliteHistory } from '../store/history/sqlite.ts';
import { createSqliteDocuments, createSqliteItems } from '../store/items-sqlite.ts';
import { createSqliteStore } from '../store/sqlite.ts';
import type { StateFile } from '../store/sqlite-file.ts';
import { holdingRows } from '../store/sqlite-schema.ts';
import { type AnswerStore, createAnswers } from './answer-store.ts';
import {
  createPanelStates,
  type PanelItems,
  type PanelStateStore,
  type StateRetention,
} from './panel-state-store.ts';
import { type Identified, identityOf } from './version-state.ts';

interface SqlitePanelStatesOptions extends StateRetention {
  readonly file: StateFile;
  readonly catalogue: string;
}

/** The states of the panels of one catalogue, in the state file of a local run. */
export const createSqlitePanelStates = ({
  file,
  catalogue,
  ...retention
}: SqlitePanelStatesOptions): PanelStateStore => createPanelStates(itemsIn(file, catalogue), retention);

/** The answers of one catalogue, in the state file of a local run. */
export const createSqliteAnswers = (file: StateFile, catalogue: string): AnswerStore =>
  createAnswers(itemsIn(file, catalogue));

/** The kind comes first, so that one range of the table has the items of a kind (`sqlite-schema.ts`). They never expire. */
const itemsIn = (file: StateFile, catalogue: string): PanelItems => ({
  items: createSqliteItems(file, {
    what: `the panel states of catalogue "${catalogue}"`,
    table: 'panel_item',
    now: () => 0,
  }),
  within: (kind) => `${kind}#${catalogue}`,
});

/**
 * Returns the identities that panels hold under one of the names, as `identityOf` makes them. An STR may be named as a
 * gene is, so a name may have several.
 * @param names in the form of `nameKey`
 */
export function identitiesCalled(
  { database }: Pick<StateFile, 'database'>,
  names: readonly string[],
): readonly string[] {
  const held = database
    .prepare(
      `SELECT DISTINCT type, name, hgnc_id AS hgncId FROM ${holdingRows} WHERE lower(name) IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(names)) as unknown as readonly Identified[];
  return [...new Set(held.map(identityOf))].sort();
}

/** What a state file keeps of a catalogue. */
export const keptInFile = (file: StateFile, catalogue: string, { now }: Pick<Clock, 'now'>) => ({
  catalogue,
  states: createSqlitePanelStates({ file, catalogue, now }),
  answers: createSqliteAnswers(file, catalogue),
  documents: createSqliteDocuments(file, catalogue),
  state: createSqliteStore(file, catalogue),
  history: createSqliteHistory(file),
});

/** What a state file, or the tables of a stage, keep of a catalogue. */
export type KeptOfCatalogue = ReturnType<typeof keptInFile>;
