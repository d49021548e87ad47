import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../run/clock.ts';
import { createStateStore } from '../store/dynamodb.ts';
import type { TableOptions } from '../store/dynamodb-table.ts';
import { createDynamoHistory } from '../store/history/dynamodb.ts';
import { createDynamoDocuments, createDynamoItems } from '../store/items-dynamodb.ts';
import { historyPartitions } from '../store/table-keys.ts';
import { type AnswerStore, createAnswers } from './answer-store.ts';
import {
  createPanelStates,
  type PanelItems,
  type PanelStateStore,
  type StateRetention,
} from './panel-state-store.ts';
import type { KeptOfCatalogue } from './sqlite-panel-states.ts';

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

interface StageTables {
  readonly dynamodb: DynamoDBClient;
  readonly stateTable: string;
  readonly historyTable: string;
  readonly runId: string;
  readonly clock: Clock;
}

/** What the tables of a stage keep of a catalogue. */
export function keptInTables(
  catalogue: string,
  { dynamodb, stateTable, historyTable, runId, clock }: StageTables,
): KeptOfCatalogue {
  const inState = { dynamodb, table: stateTable, catalogue, runId, clock };
  const inHistory = { dynamodb, table: historyTable, catalogue, clock };
  return {
    catalogue,
    states: createDynamoPanelStates(inHistory),
    answers: createDynamoAnswers(inHistory),
    documents: createDynamoDocuments(inState),
    state: createStateStore(inState),
    history: createDynamoHistory(inHistory),
  };
}
