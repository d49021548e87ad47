import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type * as z from 'zod';
import { type Item, number, text } from '../dynamodb/attribute-values.ts';
import { queryItems } from '../dynamodb/query-items.ts';
import { wasWritten } from '../dynamodb/was-written.ts';
import { damagedState } from '../state/damaged-state.ts';
import { dynamodbCall } from '../state/dynamodb-call.ts';
import {
  assignmentSchema,
  commentSchema,
  decisionSchema,
  readingSchema,
  type WorklistStore,
} from './worklist-record.ts';

interface DynamoWorklistOptions {
  readonly dynamodb: DynamoDBClient;
  readonly table: string;
}

/** The partitions of the table. An entry's id begins every sort key. */
const DECISIONS = 'decisions';
const READINGS = 'readings';
const COMMENTS = 'comments';
const ASSIGNMENTS = 'assignments';

/** Nothing is ever written over. */
const ABSENT = 'attribute_not_exists(pk)';

/** The worklist's decisions, readings, comments and assignments in a table of their own. Every read is strongly consistent: people decide by it. */
export function createDynamoWorklist({ dynamodb, table }: DynamoWorklistOptions): WorklistStore {
  const attempt = <Reply>(action: 'Reading' | 'Writing', send: () => Promise<Reply>): Promise<Reply> =>
    dynamodbCall(send, {
      action: `${action} the worklist in table "${table}"`,
      unchanged: 'What was decided before is unchanged',
    });

  const read = <Schema extends z.ZodType>(schema: Schema, pk: string, prefix?: string) =>
    attempt('Reading', async () => {
      const found: z.infer<Schema>[] = [];
      const items = queryItems(dynamodb, {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: `pk = :pk${prefix === undefined ? '' : ' AND begins_with(sk, :prefix)'}`,
        ExpressionAttributeValues: {
          ':pk': text(pk),
          ...(prefix !== undefined && { ':prefix': text(prefix) }),
        },
      });
      for await (const item of items) found.push(parsed(schema, item));
      return found;
    });

  const parsed = <Schema extends z.ZodType>(schema: Schema, { sk, body }: Item): z.infer<Schema> => {
    try {
      return schema.parse(JSON.parse(body?.S ?? ''));
    } catch (cause) {
      throw damagedState(
        `"${sk?.S}" of the worklist in table "${table}"`,
        cause,
        'Restore the table to an earlier time (point-in-time recovery).',
      );
    }
  };

  /** Writes an item where there is none of its keys; says whether it did. */
  const putNew = async (pk: string, sk: string, value: object): Promise<boolean> => {
    const Item: Item = { pk: text(pk), sk: text(sk), body: text(JSON.stringify(value)), format: number(1) };
    const command = new PutItemCommand({ TableName: table, Item, ConditionExpression: ABSENT });
    return wasWritten(() => attempt('Writing', () => dynamodb.send(command)));
  };

  const decisionsOf = (entry: string) => read(decisionSchema, DECISIONS, `${entry}#`);
  const commentsOf = (entry: string) => read(commentSchema, COMMENTS, `${entry}#`);
  const assignmentsOf = (entry: string) => read(assignmentSchema, ASSIGNMENTS, `${entry}#`);
  const placed = (entry: string, place: number): string => `${entry}#${String(place).padStart(6, '0')}`;

  return {
    async record() {
      const [decisions, readings, comments, assignments] = await Promise.all([
        read(decisionSchema, DECISIONS),
        read(readingSchema, READINGS),
        read(commentSchema, COMMENTS),
        read(assignmentSchema, ASSIGNMENTS),
      ]);
      return { decisions, readings, comments, assignments };
    },
    decisionsOf,
    async append(decision) {
      const { entry, number: place } = decision;
      if (await putNew(DECISIONS, placed(entry, place), decision)) return decision;
      // Somebody was first, or the reply to an earlier attempt of this one was lost.
      const there = (await decisionsOf(entry)).find((each) => each.number === place);
      return there ?? decision;
    },
    commentsOf,
    async addComment(comment) {
      const { entry, id } = comment;
      if (await putNew(COMMENTS, `${entry}#${id}`, comment)) return comment;
      return (await commentsOf(entry)).find((each) => each.id === id) ?? comment;
    },
    assignmentsOf,
    async addAssignment(assignment) {
      const { entry, number: place } = assignment;
      if (await putNew(ASSIGNMENTS, placed(entry, place), assignment)) return assignment;
      return (await assignmentsOf(entry)).find((each) => each.number === place) ?? assignment;
    },
    async noteReading(reading) {
      await putNew(READINGS, `${reading.entry}#${reading.by}`, reading);
    },
  };
}
