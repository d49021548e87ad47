import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../lambdas/run/clock.ts';
import { inGroups } from '../../lambdas/run/in-groups.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { makeDirectory, makeOwnFile } from '../../lambdas/store/make-directory.ts';
import { StateError } from '../../lambdas/store/state-error.ts';
import { openWholeLines } from '../../lambdas/store/whole-lines.ts';
import { partitions } from './people-file.ts';

/** What is noted of people, for those who have to account for it. */
export type AuditEntry =
  | {
      readonly action: 'signed-in' | 'signed-out';
      readonly person: string;
      readonly name: string;
      readonly role: string;
    }
  | { readonly action: 'sign-in-refused'; readonly why: string; readonly person?: string }
  | {
      readonly action: 'sessions-ended';
      readonly by: 'provider' | 'operator';
      readonly person: string;
      readonly sessions: number;
      /** Tokens of programs that ended with them. */
      readonly tokens?: number;
    }
  /** Written before the token is made. */
  | {
      readonly action: 'token-made' | 'token-ended';
      readonly person: string;
      readonly name: string;
      /** What it is for; never the token itself. */
      readonly token: string;
    }
  /** Written before the decision: what follows says what became of it. */
  | {
      readonly action: 'decides';
      readonly person: string;
      readonly name: string;
      readonly entry: string;
      readonly state: string;
      readonly revision: string;
    }
  /** Written before the comment is kept; the comment's words are in the worklist alone. */
  | {
      readonly action: 'comments';
      readonly person: string;
      readonly name: string;
      readonly entry: string;
    }
  /** Written before the assignment is kept. */
  | {
      readonly action: 'assigns';
      readonly person: string;
      readonly name: string;
      readonly entry: string;
      /** The person who gets the entry; null where it is freed. */
      readonly to: string | null;
    }
  | {
      readonly action: 'decided' | 'commented' | 'assigned';
      readonly person: string;
      readonly entry: string;
      readonly outcome: string;
    };

/** A log that lines are only added to. */
export interface AuditLog {
  /**
   * Adds lines, all of them or none.
   * @throws {StateError} when they cannot be written: then nothing that they note may happen
   */
  write(...entries: readonly AuditEntry[]): Promise<void>;
  close(): void;
}

/** The name of the audit log in its folder. */
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

/** Lines that are written at a time. */
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
