import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { Log } from '../../lambdas/run/log.ts';
import { type ItemStore, type KeptItem, readValue } from '../../lambdas/store/items.ts';
import { type Person, personSchema } from './access.ts';
import { expiry, partitions } from './people-file.ts';

/** How long a session lasts, in milliseconds. */
export interface SessionLengths {
  /** From the sign-in. */
  readonly longest: number;
  /** From the last request. */
  readonly idle: number;
}

/** The sessions of people who signed in. A cookie holds a random text that says nothing; the rest is kept here. */
export type Sessions = ReturnType<typeof createSessions>;

/** Whose sessions end. */
export interface SessionsOf {
  readonly person?: string | undefined;
  /** The provider's own session. With a person, those of the person that name no session of the provider end too. */
  readonly providerSession?: string | undefined;
}

interface SessionOptions extends SessionLengths {
  readonly clock: Pick<Clock, 'now'>;
  /** Where a damaged session is noted. */
  readonly log?: Pick<Log, 'warn'>;
}

/** A request within so many milliseconds of the last one is not noted: a tenth of the idle time, and a minute at most. */
const notedAfter = (idle: number): number => Math.min(60_000, idle / 10);

const sessionSchema = z.object({
  person: personSchema,
  providerSession: z.string().nullable(),
  /** In milliseconds since the epoch, as `seen`. */
  began: z.number(),
  seen: z.number(),
});
type Session = z.infer<typeof sessionSchema>;

/** The sessions in a store of items: one that is ended is ended at once for every process that uses the store. */
export function createSessions(items: ItemStore, { clock, longest, idle, log }: SessionOptions) {
  const partition = partitions.sessions;
  const isOver = ({ began, seen }: Session): boolean =>
    began <= clock.now() - longest || seen <= clock.now() - idle;

  /** Notes that a session is in use; false where it was ended meanwhile, and must not begin again. */
  async function noteUse(item: KeptItem, session: Session): Promise<boolean> {
    const value: Session = { ...session, seen: clock.now() };
    // Where the item is another one now, another request noted the use, or the session was ended.
    return (await items.replace({ ...item, value })) || (await items.get(partition, item.id)) !== null;
  }

  return {
    /** Begins a session, and returns what the cookie holds. */
    async begin(person: Person, providerSession: string | null) {
      const now = clock.now();
      const cookie = randomBytes(32).toString('base64url');
      const value: Session = { person, providerSession, began: now, seen: now };
      await items.put({ partition, id: hashOf(cookie), expires: expiry(now + longest), value });
      return cookie;
    },
    /**
     * The person of a session; null where there is none, it has ended, or what is kept of it is damaged, which is logged.
     * @param isUse whether the person did something: then the time without a request begins again
     */
    async find(cookie: string, { isUse }: { readonly isUse: boolean } = { isUse: true }) {
      const item = await items.get(partition, hashOf(cookie));
      if (!item) return null;
      const session = sessionIn(item);
      if (!session) {
        log?.warn('What is kept of a session is damaged: its person signs in again', { session: item.id });
        await items.remove(partition, item.id);
        return null;
      }
      if (isOver(session)) return null;
      const isNoted = isUse && clock.now() - session.seen > notedAfter(idle);
      return !isNoted || (await noteUse(item, session)) ? session.person : null;
    },
    end: (cookie: string) => items.remove(partition, hashOf(cookie)),
    /** Ends the sessions of a person or of everybody, and returns how many there were. */
    async endAll(whose: SessionsOf = {}) {
      const kept = (await items.list(partition)).map((item) => ({ id: item.id, session: sessionIn(item) }));
      // A damaged one signs in no person, and may be that of any.
      const ended = kept.filter(({ session }) => !session || isOf(session, whose));
      if (ended.length > 0) await items.remove(partition, ...ended.map(({ id }) => id));
      return ended.filter(({ session }) => session && !isOver(session)).length;
    },
  };
}

function isOf(session: Session, { person, providerSession }: SessionsOf): boolean {
  const isPerson = session.person.id === person;
  if (providerSession === undefined) return person === undefined || isPerson;
  return session.providerSession === providerSession || (session.providerSession === null && isPerson);
}

/** The session of an item; null where it is damaged. */
function sessionIn({ value }: KeptItem): Session | null {
  const read = sessionSchema.safeParse(value);
  return read.success ? read.data : null;
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** What may be used once only, such as a sign-in that has begun or a token of the provider. */
export type OneTimeUses = ReturnType<typeof createOneTimeUses>;

/** What was used stays used when the page is started again; of two that use the same thing at once, one is first. */
export function createOneTimeUses(items: ItemStore) {
  return {
    /** Whether it was used already. */
    isUsed: async (id: string) => (await items.get(partitions.used, id)) !== null,
    /**
     * Uses it up, and returns whether this is its first use.
     * @param ends when it can no longer be used anyway, in milliseconds since the epoch: it is forgotten then
     */
    use: (id: string, ends: number) =>
      items.create({ partition: partitions.used, id, expires: expiry(ends), value: null }),
  };
}

/** A token as its person sees it: what it is for, and when it ends. Times are in milliseconds since the epoch. */
export type ListedToken = Omit<z.infer<typeof tokenSchema>, 'person'> & {
  /** Names it; it opens nothing. */
  readonly id: string;
};

/**
 * Tokens by which programs read the page in the name of a person. What is kept of a token opens nothing; the person's role is
 * that of their last sign-in.
 */
export type ProgramTokens = ReturnType<typeof createProgramTokens>;

const DAY = 86_400_000;
const HOUR = 3_600_000;

const tokenSchema = z.object({
  person: z.string(),
  name: z.string(),
  made: z.number(),
  ends: z.number(),
  /** When it was last used, to the hour; null where never. */
  used: z.number().nullable(),
});

/** What programs send begins so: searches for leaked secrets find it. */
const PREFIX = 'gpn_';

/** The tokens in a store of items: one that is ended is ended at once for every process that uses the store. */
export function createProgramTokens(items: ItemStore, clock: Pick<Clock, 'now'>) {
  const { place } = items;
  const partition = partitions.tokens;
  const tokenIn = (item: Pick<KeptItem, 'id' | 'value'>) => readValue(item, { schema: tokenSchema, place });

  async function kept(person?: string) {
    const all = (await items.list(partition)).map((item) => ({ id: item.id, ...tokenIn(item) }));
    return all.filter(
      (token) => token.ends > clock.now() && (person === undefined || token.person === person),
    );
  }

  return {
    /** Makes a token, and returns it: it is shown this once. */
    async make({ id: person }: Person, { name, days }: { readonly name: string; readonly days: number }) {
      const token = `${PREFIX}${randomBytes(32).toString('base64url')}`;
      const made = clock.now();
      const value = { person, name, made, ends: made + days * DAY, used: null };
      await items.put({ partition, id: hashOf(token), expires: expiry(value.ends), value });
      return token;
    },
    /** The person of a token, and its id; null where there is no such token, or it has ended. */
    async find(token: string) {
      const item = token.startsWith(PREFIX) ? await items.get(partition, hashOf(token)) : null;
      if (!item) return null;
      const value = tokenIn(item);
      const now = clock.now();
      if (value.ends <= now) return null;
      if (now - (value.used ?? 0) > HOUR) {
        // Where the item is another one now, it was used at the same time, or it was ended, and must not begin again.
        const isNoted = await items.replace({ ...item, value: { ...value, used: now } });
        if (!isNoted && !(await items.get(partition, item.id))) return null;
      }
      const person = await items.get(partitions.people, value.person);
      return person && { id: item.id, person: readValue(person, { schema: personSchema, place }) };
    },
    /** The tokens of a person that have not ended, the oldest first. */
    async of(person: string) {
      return (await kept(person)).sort((one, other) => one.made - other.made);
    },
    /** Ends a token of a person; null where they have none of this id. */
    async end(person: string, id: string) {
      const token = (await kept(person)).find((each) => each.id === id);
      if (token) await items.remove(partition, id);
      return token ?? null;
    },
    /** Ends every token of a person, or of everybody, and returns how many there were. */
    async endAll(person?: string) {
      const ended = await kept(person);
      if (ended.length > 0) await items.remove(partition, ...ended.map(({ id }) => id));
      return ended.length;
    },
  };
}
