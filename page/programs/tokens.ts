import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import { type ItemStore, type KeptItem, readValue } from '../../lambdas/store/items.ts';
import { type Person, personSchema } from '../sign-in/access.ts';
import { expiry, partitions } from '../sign-in/people-file.ts';

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

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
