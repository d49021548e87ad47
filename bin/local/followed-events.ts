import * as z from 'zod';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Notifier } from '../../lambdas/notify/notifier.ts';
import { createSqlitePages } from '../../lambdas/store/history/sqlite-pages.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import type { StateFile } from '../../lambdas/store/sqlite-file.ts';

/** How far each subscription has followed the events of the state. */
const PARTITION = 'notify#followed';

const followedSchema = z.object({
  /** The number of the last event of the history that the subscription was asked about. */
  to: z.number(),
});

/** Events that are looked at before the next stop. */
const AT_ONCE = 500;

interface FollowedEventsOptions {
  readonly file: StateFile;
  readonly store: ItemStore;
  /** The names of the subscriptions. */
  readonly subscriptions: readonly string[];
  readonly notifier: Pick<Notifier, 'receive'>;
  /** Once it is aborted, what is left waits for the next start. */
  readonly signal: AbortSignal;
}

/**
 * Returns what hands the events of the history to their subscriptions, each once, whichever command published it. A subscription
 * follows the events that are published after it was first seen here: how far it has come is kept in the file of the events, so that
 * a state that is set back is followed from there.
 * @throws {StateError | HistoryError} here and later, when the file cannot be used
 */
export async function followEvents({
  file,
  store,
  subscriptions,
  notifier,
  signal,
}: FollowedEventsOptions): Promise<() => Promise<void>> {
  const pages = createSqlitePages(file);
  const last = pages.lastAppended();
  const kept = new Map((await store.list(PARTITION, '')).map((item) => [item.id, item]));
  for (const name of kept.keys()) if (!subscriptions.includes(name)) await store.remove(PARTITION, name);
  const followed = new Map<string, number>();
  for (const name of subscriptions) {
    const item = kept.get(name);
    followed.set(name, item ? followedSchema.parse(item.value).to : last);
    if (!item) await store.create({ partition: PARTITION, id: name, value: { to: last } });
  }

  const note = async (to: number): Promise<void> => {
    for (const [name, before] of followed) {
      if (before >= to) continue;
      const item = await store.get(PARTITION, name);
      if (item) await store.replace({ ...item, value: { to } });
      followed.set(name, to);
    }
  };

  return async () => {
    const newest = pages.lastAppended();
    let from = Math.min(newest, ...followed.values());
    while (from < newest) {
      const to = Math.min(from + AT_ONCE, newest);
      const numbers = Array.from({ length: to - from }, (_, index) => from + index + 1);
      const events = pages.numbered(numbers).toSorted((one, other) => one.number - other.number);
      for (const placed of events) {
        const event = JSON.parse(pages.bodyAt(placed) ?? 'null') as PanelEvent | null;
        if (event) await notifier.receive(event, (name) => (followed.get(name) ?? 0) < placed.number);
      }
      await note(to);
      from = to;
      if (signal.aborted) return;
    }
  };
}
