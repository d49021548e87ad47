import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/clock/clock.ts';
import { type Person, personSchema } from '../access/person.ts';

/** How long a session lasts, in milliseconds. */
export interface SessionLengths {
  /** From the sign-in. */
  readonly longest: number;
  /** From the last request. */
  readonly idle: number;
}

/** The sessions of people who signed in. A cookie holds a random text that says nothing; the rest is kept here. */
export interface Sessions {
  /** Begins a session, and returns what the cookie holds. */
  begin(person: Person, providerSession: string | null): Promise<string>;
  /** The person of a session; null where there is none, or it has ended. */
  find(cookie: string): Promise<Person | null>;
  end(cookie: string): Promise<void>;
  /** Ends the sessions of a person or of everybody, and returns how many there were. */
  endAll(whose?: SessionsOf): Promise<number>;
}

/** Whose sessions end: one or both are stated. */
export interface SessionsOf {
  readonly person?: string | undefined;
  /** The provider's own session. */
  readonly providerSession?: string | undefined;
}

/** A request within so many milliseconds of the last one is not noted. */
export const NOTED_MS = 60_000;

/** Creates the sessions in the file of people. */
export function createSessions(
  database: DatabaseSync,
  { clock, longest, idle }: SessionLengths & { readonly clock: Pick<Clock, 'now'> },
): Sessions {
  const insert = database.prepare(
    'INSERT INTO session (hash, person, name, account, role, provider_session, began, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const select = database.prepare(
    'SELECT person AS id, name, account, role, seen FROM session WHERE hash = ? AND began > ? AND seen > ?',
  );
  const note = database.prepare('UPDATE session SET seen = ? WHERE hash = ?');
  const remove = database.prepare('DELETE FROM session WHERE hash = ?');
  const removeEnded = database.prepare('DELETE FROM session WHERE began <= ? OR seen <= ?');
  const bounds = (now: number): [number, number] => [now - longest, now - idle];
  return {
    async begin({ id, name, account, role }, providerSession) {
      const now = clock.now();
      removeEnded.run(...bounds(now));
      const cookie = randomBytes(32).toString('base64url');
      insert.run(hashOf(cookie), id, name, account, role, providerSession, now, now);
      return cookie;
    },
    async find(cookie) {
      const now = clock.now();
      const hash = hashOf(cookie);
      const row = select.get(hash, ...bounds(now));
      if (!row) return null;
      if (now - Number(row.seen) > NOTED_MS) note.run(now, hash);
      return personSchema.parse(row);
    },
    end: async (cookie) => {
      remove.run(hashOf(cookie));
    },
    async endAll({ person, providerSession } = {}) {
      const { changes } = database
        .prepare(
          'DELETE FROM session WHERE (? IS NULL OR person = ?) AND (? IS NULL OR provider_session = ?)',
        )
        .run(person ?? null, person ?? null, providerSession ?? null, providerSession ?? null);
      return Number(changes);
    },
  };
}

const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url');
