import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { type Item, number, text } from '../dynamodb/attribute-values.ts';
import type { Documents } from './documents.ts';
import { dynamodbCall } from './dynamodb-call.ts';
import type { StateTableOptions } from './dynamodb-table.ts';
import { partitionOf } from './partition.ts';
import { StateError } from './state-error.ts';

/** An item may have 400 kB, its keys and other attributes included. */
const PART_BYTES = 380_000;

/** The best quality takes ten times as long for a few percent less. */
const QUICKLY = { [constants.BROTLI_PARAM_QUALITY]: 5 };

const WRITE_ITEMS = 25;

/** A writer must have read the version that it replaces. */
const UNCHANGED = 'version = :version';
const ABSENT = 'attribute_not_exists(pk)';

/**
 * Documents of one catalogue in the notifier's table. The item `<name>` holds the version; the body lies in items
 * `<name>#<writer>#<part>`, which are written before it: a reader never sees half a document, nor parts of two.
 */
export function createDocuments(options: Omit<StateTableOptions, 'clock'>): Documents {
  const { dynamodb, table, catalogue, runId } = options;
  const pk = text(`${partitionOf(catalogue)}#documents`);
  const where = (name: string): string =>
    `document "${name}" of catalogue "${catalogue}" in table "${table}"`;

  const attempt = <Reply>(action: string, send: () => Promise<Reply>): Promise<Reply> =>
    dynamodbCall(send, { action, unchanged: 'Nothing was published from it' });

  const get = async (name: string, sk: string): Promise<Item | undefined> => {
    const Key = { pk, sk: text(sk) };
    const command = new GetItemCommand({ TableName: table, Key, ConsistentRead: true });
    return (await attempt(`Reading ${where(name)}`, () => dynamodb.send(command))).Item;
  };

  const headOf = async (name: string): Promise<Head | null> => {
    const item = await get(name, name);
    if (!item) return null;
    return { version: Number(item.version?.N), parts: Number(item.parts?.N), writer: item.writer?.S ?? '' };
  };

  const removeParts = async (
    name: string,
    { writer, parts }: Pick<Head, 'writer' | 'parts'>,
  ): Promise<void> => {
    const requests = Array.from({ length: parts }, (_, part) => ({
      DeleteRequest: { Key: { pk, sk: text(partKey(name, writer, part)) } },
    }));
    for (let at = 0; at < requests.length; at += WRITE_ITEMS) {
      const RequestItems = { [table]: requests.slice(at, at + WRITE_ITEMS) };
      // Parts that stay behind cost their storage and are never read.
      await attempt(`Removing old parts of ${where(name)}`, () =>
        dynamodb.send(new BatchWriteItemCommand({ RequestItems })),
      );
    }
  };

  return {
    async load(name) {
      const head = await headOf(name);
      if (!head) return null;
      const parts: Uint8Array[] = [];
      for (let part = 0; part < head.parts; part += 1) {
        const item = await get(name, partKey(name, head.writer, part));
        if (!item?.body?.B) {
          // Another writer may have replaced the document since its head was read.
          const now = await headOf(name);
          if (now && now.version !== head.version) return this.load(name);
          throw new StateError(
            'STATE_CORRUPT',
            `Reading ${where(name)}: part ${part + 1} of ${head.parts} is missing. Nothing was published. Restore the table to an earlier time (point-in-time recovery).`,
          );
        }
        parts.push(item.body.B);
      }
      return { version: head.version, body: brotliDecompressSync(Buffer.concat(parts)).toString('utf8') };
    },

    async save(name, version, body) {
      const packed = brotliCompressSync(body, { params: QUICKLY });
      const parts = Math.ceil(packed.length / PART_BYTES);
      const before = version === 0 ? null : await headOf(name);
      const next = version + 1;
      const writer = `${runId}/${next}`;
      for (let part = 0; part < parts; part += 1) {
        const piece = packed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES);
        const Item = { pk, sk: text(partKey(name, writer, part)), body: { B: piece } };
        await attempt(`Writing ${where(name)}`, () =>
          dynamodb.send(new PutItemCommand({ TableName: table, Item })),
        );
      }
      try {
        await attempt(`Writing ${where(name)}`, () =>
          dynamodb.send(
            new PutItemCommand({
              TableName: table,
              Item: {
                pk,
                sk: text(name),
                version: number(next),
                parts: number(parts),
                writer: text(writer),
              },
              ConditionExpression: version === 0 ? ABSENT : UNCHANGED,
              ...(version > 0 && { ExpressionAttributeValues: { ':version': number(version) } }),
            }),
          ),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const there = await headOf(name);
        // The reply to an earlier attempt may have been lost: then this run wrote what is there.
        if (there?.version !== next || there.writer !== writer) {
          await removeParts(name, { writer, parts });
          throw new StateError(
            'STATE_CONFLICT',
            `Writing ${where(name)}: another run has replaced version ${version} by ${there?.version ?? 'nothing'}. This run stops; nothing is lost, because the other one continues.`,
            { cause: error },
          );
        }
      }
      if (before) await removeParts(name, before);
      return next;
    },
  };
}

interface Head {
  readonly version: number;
  readonly parts: number;
  readonly writer: string;
}

const partKey = (name: string, writer: string, part: number): string => `${name}#${writer}#${part}`;
