import type { StateFile } from '../state/sqlite-file.ts';
import { sqliteProblem } from '../state/sqlite-problem.ts';
import { StateError } from '../state/state-error.ts';
import type { Delivery } from './delivery.ts';
import { itemValue, outboxValues } from './outbox-values.ts';

/** A message of a local run that could not be sent. Times in milliseconds since the epoch. */
export interface UnsentMessage {
  readonly subscription: string;
  /** As `channelId` names it: `slack:lab`. */
  readonly channel: string;
  readonly content: Delivery['content'];
  readonly begun: number;
  readonly attempts: number;
  /** No attempt before this time. */
  readonly nextAttempt: number;
  /** It failed for a day, and is tried twice a day. */
  readonly setAside: boolean;
}

/** A delivery that is marked as sent is left out: its run ended before it deleted the item. */
const unsent = `
SELECT partition, id, value FROM outbox
WHERE partition GLOB 'notify#*' AND (id GLOB 'open#*' OR id GLOB 'failed#*')
  AND (expires IS NULL OR expires > :now)
  AND json_extract(value, '$.attempts') > 0
  AND NOT EXISTS (
    SELECT 1 FROM outbox AS mark
    WHERE mark.partition = replace(outbox.partition, '#aside', '') || '#marks' AND mark.id = 'sent#' || (outbox.value ->> '$.id')
  )
ORDER BY json_extract(value, '$.begun'), partition, id
`;

/**
 * The messages whose last attempt failed, and those that were set aside after a day of attempts; the oldest first.
 * @param now milliseconds since the epoch
 * @throws {StateError} when the file cannot be read
 */
export function unsentMessages(
  { database, path }: Pick<StateFile, 'database' | 'path'>,
  now: number,
): readonly UnsentMessage[] {
  try {
    const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'outbox'");
    if (!table.get()) return [];
    const rows = database.prepare(unsent).all({ now: Math.floor(now / 1000) });
    return rows.map(({ partition, id, value }): UnsentMessage => {
      const [, subscription = '', ...rest] = String(partition).split('#');
      const channel = rest.filter((part) => part !== 'aside');
      const { content, begun, attempts, notBefore } = itemValue(
        {
          partition: String(partition),
          id: String(id),
          version: 0,
          value: JSON.parse(String(value)) as unknown,
        },
        outboxValues.delivery,
      );
      return {
        subscription,
        channel: channel.join('#'),
        content,
        begun,
        attempts,
        nextAttempt: notBefore,
        setAside: String(id).startsWith('failed#'),
      };
    });
  } catch (cause) {
    const { code, seen, remedy } = sqliteProblem(cause);
    throw new StateError(code, `Reading the messages in ${path}: ${seen}. ${remedy}`, { cause });
  }
}
