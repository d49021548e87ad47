import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../lambdas/clock/clock.ts';
import type { Log } from '../../lambdas/log/log.ts';
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
  /**
   * The person of a session; null where there is none, it has ended, or what is kept of it is damaged, which is logged.
   * @param isUse whether the person did something: then the time without a request begins again
   */
  find(cookie: string, options?: { readonly isUse: boolean }): Promise<Person | null>;
  end(cookie: string): Promise<void>;
  /** Ends the sessions of a person or of everybody, and returns how many there were. */
  endAll(whose?: SessionsOf): Promise<number>;
}

/** Whose sessions end. */
export interface SessionsOf {
  readonly person?: string | undefined;
  /** The provider's own session. With a person, those of the person that name no session of the provider end too. */
  readonly providerSession?: string | undefined;
}

/** What sessions are made with. */
export interface SessionOptions extends SessionLengths {
  readonly clock: Pick<Clock, 'now'>;
  /** Where a damaged session is noted. */
  readonly log?: Pick<Log, 'warn'>;
}

/** A request within so many milliseconds of the last one is not noted: a tenth of the idle time, and a minute at most. */
export const notedAfter = (idle: number): number => Math.min(60_000, idle / 10);

/** Notes that what is kept of a session is damaged: its person signs in again. */
export const logDamaged = (log: SessionOptions['log'], hash: string): void =>
  log?.warn('What is kept of a session is damaged: its person signs in again', { session: hash });

const deleteSessionsOf = `DELETE FROM session WHERE CASE
  WHEN :session IS NULL THEN :person IS NULL OR person = :person
  ELSE provider_session = :session OR (provider_session IS NULL AND person = :person) END`;

/** Creates the sessions in the file of people. */
export function createSessions(
  database: DatabaseSync,
  { clock, longest, idle, log }: SessionOptions,
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
    async find(cookie, { isUse } = { isUse: true }) {
      const now = clock.now();
      const hash = hashOf(cookie);
      const row = select.get(hash, ...bounds(now));
      if (!row) return null;
      const person = personSchema.safeParse(row);
      if (!person.success) {
        logDamaged(log, hash);
        remove.run(hash);
        return null;
      }
      if (isUse && now - Number(row.seen) > notedAfter(idle)) note.run(now, hash);
      return person.data;
    },
    end: async (cookie) => {
      remove.run(hashOf(cookie));
    },
    async endAll({ person, providerSession } = {}) {
      const named = { person: person ?? null, session: providerSession ?? null };
      const { changes } = database.prepare(deleteSessionsOf).run(named);
      return Number(changes);
    },
  };
}

const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url');
