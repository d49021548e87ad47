import { createHash, randomBytes } from 'node:crypto';
import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type Item, number, text } from '../../lambdas/dynamodb/attribute-values.ts';
import { personSchema } from '../access/person.ts';
import {
  logDamaged,
  notedAfter,
  type SessionOptions,
  type Sessions,
  type SessionsOf,
} from '../sign-in/sessions.ts';
import { askTable, expiry, isKept, itemsOf, type PeopleTable, partitions } from './people-items.ts';

const sessionSchema = z.object({
  person: personSchema,
  providerSession: z.string().nullable(),
  began: z.number(),
  seen: z.number(),
});

/** The sessions in a table, for every instance of a deployed page: one that was ended is ended for all of them at once. */
export function createDynamoSessions(
  place: PeopleTable,
  { clock, longest, idle, log }: SessionOptions,
): Sessions {
  const { dynamodb, table: TableName } = place;
  const keyOf = (cookie: string): Item => ({ pk: text(partitions.sessions), sk: text(hashOf(cookie)) });
  const isOver = ({ began, seen }: { readonly began: number; readonly seen: number }): boolean =>
    began <= clock.now() - longest || seen <= clock.now() - idle;
  const remove = (Key: Item): Promise<boolean> =>
    isKept(place, () =>
      dynamodb.send(new DeleteItemCommand({ TableName, Key, ConditionExpression: 'attribute_exists(pk)' })),
    );
  return {
    async begin(person, providerSession) {
      const now = clock.now();
      const cookie = randomBytes(32).toString('base64url');
      const body = JSON.stringify({ person, providerSession, began: now });
      const Item: Item = {
        ...keyOf(cookie),
        ...{ body: text(body), seen: number(now), expires: number(expiry(now + longest)) },
      };
      await askTable(place, 'Writing', () => dynamodb.send(new PutItemCommand({ TableName, Item })));
      return cookie;
    },
    async find(cookie, { isUse } = { isUse: true }) {
      const Key = keyOf(cookie);
      const { Item } = await askTable(place, 'Reading', () =>
        dynamodb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true })),
      );
      const session = Item && sessionIn(Item);
      if (session === null) {
        logDamaged(log, hashOf(cookie));
        await remove(Key);
      }
      if (!session || isOver(session)) return null;
      const now = clock.now();
      if (isUse && now - session.seen > notedAfter(idle)) {
        const noted = await isKept(place, () =>
          dynamodb.send(
            new UpdateItemCommand({
              TableName,
              Key,
              UpdateExpression: 'SET seen = :now',
              // A session that was ended meanwhile must not begin again.
              ConditionExpression: 'attribute_exists(pk)',
              ExpressionAttributeValues: { ':now': number(now) },
            }),
          ),
        );
        if (!noted) return null;
      }
      return session.person;
    },
    async end(cookie) {
      await remove(keyOf(cookie));
    },
    async endAll({ person, providerSession } = {}) {
      let ended = 0;
      for (const item of await itemsOf(place, partitions.sessions)) {
        const session = sessionIn(item);
        // A damaged one signs in no person, and may be that of any.
        if (session && !isOf(session, { person, providerSession })) continue;
        const { pk, sk } = item;
        if (pk && sk && (await remove({ pk, sk })) && session && !isOver(session)) ended++;
      }
      return ended;
    },
  };
}

type Session = z.infer<typeof sessionSchema>;

function isOf(session: Session, { person, providerSession }: SessionsOf): boolean {
  const isPerson = session.person.id === person;
  if (providerSession === undefined) return person === undefined || isPerson;
  return session.providerSession === providerSession || (session.providerSession === null && isPerson);
}

/** The session of an item; null where it is damaged. */
function sessionIn({ body, seen }: Item): Session | null {
  try {
    return sessionSchema.parse({ ...JSON.parse(body?.S ?? ''), seen: Number(seen?.N) });
  } catch {
    return null;
  }
}

const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url');
