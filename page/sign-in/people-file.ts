import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import { inGroups } from '../../lambdas/run/in-groups.ts';
import { type ItemStore, readValue } from '../../lambdas/store/items.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { makeDirectory, makeOwnFile, openWholeLines } from '../../lambdas/store/own-files.ts';
import { transactionsOf } from '../../lambdas/store/sqlite-file.ts';
import { itemTable } from '../../lambdas/store/sqlite-schema.ts';
import { StateError, sqliteCall } from '../../lambdas/store/state-error.ts';
import { type Person, personSchema } from './access.ts';

/** What errors call what is kept of people. */
export const PEOPLE = 'what the page keeps of people';

/** Partitions of what is kept of people. Each audit line lies in that of its month; each person's panels in one of their own. */
export const partitions = {
  sessions: 'sessions',
  used: 'used',
  visits: 'visits',
  people: 'people',
  tokens: 'tokens',
  panelsOf: (person: string) => `panels#${person}`,
  auditOf: (month: string) => `audit#${month}`,
} as const;

/** When an item may be forgotten, in seconds since the epoch. */
export const expiry = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

const BUSY_MS = 10_000;

interface PeopleFile {
  readonly items: ItemStore;
  close(): void;
}

/**
 * Opens the file that holds what the page keeps of people, and creates it where it is missing, for this user alone.
 * @param now milliseconds since the epoch
 * @param folder kept in memory where absent
 * @throws {StateError} when it cannot be used
 */
export function openPeopleFile(now: () => number, folder?: string): PeopleFile {
  const path = folder === undefined ? ':memory:' : join(folder, 'people.sqlite');
  return sqliteCall(`Opening ${PEOPLE} in ${path}`, () => {
    if (folder !== undefined) {
      makeDirectory(folder);
      makeOwnFile(path);
    }
    const database = new DatabaseSync(path, { timeout: BUSY_MS });
    database.exec(`PRAGMA journal_mode = WAL; ${itemTable}`);
    const file = { database, path, transaction: transactionsOf(database, () => {}) };
    return { items: createSqliteItems(file, { what: PEOPLE, now }), close: () => database.close() };
  });
}

type Noted<Action extends string, Texts extends string> = { readonly action: Action } & Readonly<
  Record<Texts, string>
>;

/**
 * What is noted of people, for those who have to account for it. What a person is about to do is noted before; what follows says what
 * became of it.
 */
export type AuditEntry =
  | Noted<'signed-in' | 'signed-out', 'person' | 'name' | 'role'>
  | (Noted<'sign-in-refused', 'why'> & { readonly person?: string })
  /** By the provider or the operator, with the number of the sessions, and of the tokens of programs that ended with them. */
  | (Noted<'sessions-ended', 'person'> & {
      readonly by: 'provider' | 'operator';
      readonly sessions: number;
      readonly tokens?: number;
    })
  /** The token is named by what it is for; never by itself. */
  | Noted<'token-made' | 'token-ended', 'person' | 'name' | 'token'>
  | Noted<'decides', 'person' | 'name' | 'entry' | 'state' | 'revision'>
  /** The comment's words are in the worklist alone. */
  | Noted<'comments', 'person' | 'name' | 'entry'>
  /** To the person who gets the entry; null where it is freed. */
  | (Noted<'assigns', 'person' | 'name' | 'entry'> & { readonly to: string | null })
  | Noted<'decided' | 'commented' | 'assigned', 'person' | 'entry' | 'outcome'>;

/** A log that lines are only added to. */
export interface AuditLog {
  /**
   * Adds lines, all of them or none.
   * @throws {StateError} when they cannot be written: then nothing that they note may happen
   */
  write(...entries: readonly AuditEntry[]): Promise<void>;
  close(): void;
}

const AUDIT_FILE = 'audit.ndjson';

/**
 * Opens the audit log of a folder: one JSON object a line, each whole and on the disk before `write` returns.
 * @throws {StateError} when it cannot be written
 */
export function openAuditLog(folder: string, clock: Pick<Clock, 'now'>): AuditLog {
  const path = join(folder, AUDIT_FILE);
  const attempt = <Value>(work: () => Value): Value => {
    try {
      return work();
    } catch (cause) {
      const seen = cause instanceof Error ? cause.message : String(cause);
      throw new StateError(
        'STATE_UNAVAILABLE',
        `Writing the audit log ${path}: ${seen}. Nothing was done. Make the folder writable, with free space.`,
        { cause },
      );
    }
  };
  const file = attempt(() => {
    makeDirectory(folder);
    makeOwnFile(path);
    return openWholeLines(path, { syncs: true });
  });
  return {
    async write(...entries) {
      const time = new Date(clock.now()).toISOString();
      attempt(() => file.write(entries.map((entry) => `${JSON.stringify({ time, ...entry })}\n`).join('')));
    },
    close: () => file.close(),
  };
}

const AT_ONCE = 50;

/** The audit log of a deployed page: each line is an item of its own, written only where none is. */
export function createItemAuditLog(items: ItemStore, clock: Pick<Clock, 'now'>): Pick<AuditLog, 'write'> {
  return {
    async write(...entries) {
      const time = new Date(clock.now()).toISOString();
      const partition = partitions.auditOf(time.slice(0, 7));
      // False where the reply to a first attempt of the SDK was lost: the random id is of this line alone.
      await inGroups(AT_ONCE, entries, (entry) =>
        items.create({ partition, id: `${time}#${randomUUID()}`, value: { time, ...entry } }),
      );
    },
  };
}

/** What the page keeps for each person: their name, the panels that they chose, and when they came. */
export type PersonalNotes = ReturnType<typeof createPersonalNotes>;

/** A request that comes later than this after the last one begins another visit. */
const VISIT_MS = 1_800_000;

/** The last request of a person, and when the visit before that one ended; null at the first time. */
const visitSchema = z.object({ last: z.number(), before: z.number().nullable() });
const choiceSchema = z.object({ chosen: z.number() });

/** When a person who is here now was here before; null at the first time. In milliseconds since the epoch. */
function visitAt(now: number, known: z.infer<typeof visitSchema> | null): number | null {
  if (!known) return null;
  return now - known.last > VISIT_MS ? known.last : known.before;
}

/** What is kept of each person, in a store of items. */
export function createPersonalNotes(items: ItemStore, clock: Pick<Clock, 'now'>) {
  const { place } = items;
  const met = new Map<string, string>();
  return {
    /** Keeps the name, account and role of a person: so others can assign entries to them. */
    async meet(person: Person) {
      const value = personSchema.parse(person);
      const seen = JSON.stringify(value);
      if (met.get(person.id) === seen) return;
      await items.put({ partition: partitions.people, id: person.id, value });
      met.set(person.id, seen);
    },
    /** Everybody who was met, as they were last. */
    async people() {
      const kept = await items.list(partitions.people);
      return kept.map((item) => readValue(item, { schema: personSchema, place }));
    },
    /** The panels of a person, as they chose them, in the order of the choice. */
    async panelsOf(person: string) {
      const kept = await items.list(partitions.panelsOf(person));
      return kept
        .map((item) => ({ panel: item.id, ...readValue(item, { schema: choiceSchema, place }) }))
        .sort((one, other) => one.chosen - other.chosen)
        .map(({ panel }) => panel);
    },
    /** Adds a panel; nothing happens where the person has it. */
    async addPanel(person: string, panel: string) {
      await items.create({
        ...{ partition: partitions.panelsOf(person), id: panel, value: { chosen: clock.now() } },
      });
    },
    removePanel: (person: string, panel: string) => items.remove(partitions.panelsOf(person), panel),
    /**
     * Notes that a person is here, unless it is only asked, and returns when they were here before, in milliseconds since the epoch; null at the first
     * time. Requests within half an hour of each other are one visit.
     */
    async visit(person: string, isHere = true) {
      const known = await items.get(partitions.visits, person);
      const last = clock.now();
      const before = visitAt(last, known && readValue(known, { schema: visitSchema, place }));
      if (isHere) await items.put({ partition: partitions.visits, id: person, value: { last, before } });
      return before;
    },
  };
}
