import { readRow } from '../store/items-sqlite.ts';
import type { StateFile } from '../store/sqlite-file.ts';
import { sqliteCall } from '../store/sqlite-problem.ts';
import { type Delivery, itemValue, outboxValues } from './delivery.ts';

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

const begun = `
SELECT partition, id, version, expires, value FROM item
WHERE partition GLOB 'notify#*' AND (id GLOB 'open#*' OR id GLOB 'failed#*') AND (expires IS NULL OR expires > :now)
ORDER BY partition, id
`;

/**
 * The messages whose last attempt failed, and those that were set aside after a day of attempts; the oldest first. A delivery
 * that is marked as sent is left out: its run ended before it deleted the item.
 * @param now milliseconds since the epoch
 * @throws {StateError} when the file cannot be read
 */
export function unsentMessages(
  { database, path }: Pick<StateFile, 'database' | 'path'>,
  now: number,
): readonly UnsentMessage[] {
  const place = { name: `the messages in ${path}`, repair: 'Restore a copy of the directory.' };
  return sqliteCall(`Reading ${place.name}`, () => {
    const mark = database.prepare('SELECT 1 FROM item WHERE partition = ? AND id = ?');
    return database
      .prepare(begun)
      .all({ now: Math.floor(now / 1000) })
      .flatMap((row): readonly UnsentMessage[] => {
        const item = readRow(row, place);
        const { id, content, begun, attempts, notBefore } = itemValue(item, outboxValues.delivery);
        const outbox = item.partition.replace(/#aside$/, '');
        if (attempts === 0 || mark.get(`${outbox}#marks`, `sent#${id}`)) return [];
        const [, subscription = '', ...channel] = outbox.split('#');
        return [
          {
            ...{ subscription, channel: channel.join('#'), content, begun, attempts },
            nextAttempt: notBefore,
            setAside: item.id.startsWith('failed#'),
          },
        ];
      })
      .sort((one, other) => one.begun - other.begun);
  });
}
