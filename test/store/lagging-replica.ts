import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { createTable } from './create-table.ts';

type Item = Record<string, AttributeValue>;

/** A change that the replica does not show yet; `item` is undefined where the change deleted it. */
interface Change {
  readonly table: string;
  readonly key: Item;
  readonly item: Item | undefined;
}

/** A table and its replica, which answers every read that is not strongly consistent, and every read of an index. */
export interface LaggingReplica {
  readonly dynamodb: DynamoDBClient;
  /** Shows the oldest changes in the replica; all of them where `count` is absent. */
  catchUp(count?: number): Promise<void>;
  /** How many reads the replica answered. */
  readonly replicaReads: number;
}

const replicaOf = (table: string): string => `${table}-replica`;
const keyOf = ({ pk, sk }: Item): Item => ({ pk: pk as AttributeValue, sk: sk as AttributeValue });

/**
 * A client whose weak reads lag behind: they go to a second table, which shows a change only once it caught up. Tables
 * have to be created through it.
 */
export function laggingReplica(dynamodb: DynamoDBClient): LaggingReplica {
  const behind: Change[] = [];
  let replicaReads = 0;

  const changed = async (table: string, key: Item): Promise<void> => {
    const { Item: item } = await dynamodb.send(
      new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true }),
    );
    behind.push({ table, key, item });
  };

  const send = async (command: object): Promise<unknown> => {
    if (command instanceof CreateTableCommand) {
      const { input } = command;
      await createTable(dynamodb, replicaOf(String(input.TableName)), input);
      return dynamodb.send(command);
    }
    if (command instanceof PutItemCommand) {
      const reply = await dynamodb.send(command);
      await changed(String(command.input.TableName), keyOf(command.input.Item ?? {}));
      return reply;
    }
    if (command instanceof UpdateItemCommand || command instanceof DeleteItemCommand) {
      const reply = await dynamodb.send(command as UpdateItemCommand);
      await changed(String(command.input.TableName), command.input.Key ?? {});
      return reply;
    }
    if (command instanceof BatchWriteItemCommand) {
      const reply = await dynamodb.send(command);
      for (const [table, requests] of Object.entries(command.input.RequestItems ?? {})) {
        for (const { PutRequest: put, DeleteRequest: gone } of requests) {
          await changed(table, put ? keyOf(put.Item ?? {}) : (gone?.Key ?? {}));
        }
      }
      return reply;
    }
    if (command instanceof BatchGetItemCommand) {
      const weak = Object.values(command.input.RequestItems ?? {}).some(
        ({ ConsistentRead }) => !ConsistentRead,
      );
      if (weak) throw new Error('a replica answers no weak BatchGetItem');
      return dynamodb.send(command);
    }
    if (command instanceof GetItemCommand || command instanceof QueryCommand) {
      const { input } = command;
      const isWeak = !input.ConsistentRead || ('IndexName' in input && input.IndexName !== undefined);
      if (!isWeak) return dynamodb.send(command as QueryCommand);
      replicaReads += 1;
      const TableName = replicaOf(String(input.TableName));
      return command instanceof GetItemCommand
        ? dynamodb.send(new GetItemCommand({ ...command.input, TableName }))
        : dynamodb.send(new QueryCommand({ ...command.input, TableName }));
    }
    return dynamodb.send(command as QueryCommand);
  };

  const client = Object.create(dynamodb) as DynamoDBClient;
  client.send = send as never;
  return {
    dynamodb: client,
    get replicaReads() {
      return replicaReads;
    },
    async catchUp(count = behind.length) {
      for (const { table, key, item } of behind.splice(0, count)) {
        const TableName = replicaOf(table);
        await (item
          ? dynamodb.send(new PutItemCommand({ TableName, Item: item }))
          : dynamodb.send(new DeleteItemCommand({ TableName, Key: key })));
      }
    },
  };
}
