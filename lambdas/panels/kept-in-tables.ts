import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Clock } from '../run/clock.ts';
import { createStateStore } from '../store/dynamodb.ts';
import { createDynamoHistory } from '../store/history/dynamodb.ts';
import { createDynamoDocuments } from '../store/items-dynamodb.ts';
import { createDynamoAnswers, createDynamoPanelStates } from './dynamodb-panel-states.ts';
import type { KeptOfCatalogue } from './kept-in-file.ts';

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
