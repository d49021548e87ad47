import { createSqliteItems } from '../store/items-sqlite.ts';
import type { StateFile } from '../store/sqlite-file.ts';
import { type AnswerStore, createAnswers } from './answer-store.ts';
import {
  createPanelStates,
  type PanelItems,
  type PanelStateStore,
  type StateRetention,
} from './panel-state-store.ts';

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
