import * as z from 'zod';
import { topics } from '../events/topics.ts';

/** What is kept as JSON, in DynamoDB and in SQLite: instants as text, maps as lists of entries. */

export const instantSchema = z.string().transform(BigInt);

/** A list that is only read. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item).transform((items): readonly z.output<Item>[] => items);

/** A map that is only read, from its entries. */
export const mapOf = <Key extends z.ZodType, Value extends z.ZodType>(key: Key, value: Value) =>
  z
    .array(z.tuple([key, value]))
    .transform(
      (entries) =>
        new Map(entries as [z.output<Key>, z.output<Value>][]) as ReadonlyMap<z.output<Key>, z.output<Value>>,
    );

export const messageSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    topic: z.enum(topics),
    body: z.string(),
    attributes: z.record(
      z.string(),
      z.object({ type: z.enum(['String', 'Number', 'String.Array']), value: z.string() }),
    ),
  }),
);
