import type { TableOptions } from '../store/dynamodb-table.ts';
import { createDynamoItems } from '../store/items-dynamodb.ts';
import { historyPartitions } from '../store/table-keys.ts';
import { type AnswerStore, createAnswers } from './answer-store.ts';
import {
  createPanelStates,
  type PanelItems,
  type PanelStateStore,
  type StateRetention,
} from './panel-state-store.ts';

interface PanelTableOptions extends TableOptions {
  readonly catalogue: string;
}

/** The states of the panels of one catalogue, in the history's table. */
export const createDynamoPanelStates = (
  options: PanelTableOptions & Omit<StateRetention, 'now'>,
): PanelStateStore => createPanelStates(itemsIn(options), { ...options, now: () => options.clock.now() });

/** The answers of one catalogue, in the history's table. */
export const createDynamoAnswers = (options: PanelTableOptions): AnswerStore =>
  createAnswers(itemsIn(options));

const itemsIn = ({ dynamodb, table, clock, catalogue }: PanelTableOptions): PanelItems => ({
  items: createDynamoItems({ dynamodb, table, clock, what: 'panel states' }),
  within: (kind) => `${historyPartitions(catalogue)}${kind}`,
});
