import { atomFeed, type FeedEntry } from '../../messages/atom.ts';
import type { OutboxStore } from '../outbox-store.ts';
import type { Sender } from '../sender.ts';

interface AtomSenderOptions {
  readonly store: OutboxStore;
  /** Puts a feed where readers find it: a file, or an object. */
  readonly write: (name: string, xml: string) => Promise<void>;
}

const MOST_ENTRIES = 50;
/** Of all entries as JSON; a table's item holds 400 KB. */
const MOST_CHARACTERS = 250_000;

/** An Atom feed for each subscription, with its newest messages. A message that is sent again is there once. */
export function atomSender({ store, write }: AtomSenderOptions): Sender {
  return {
    pauseMs: 0,
    async send({ id, subscription, notice, at }) {
      const partition = `notify#${subscription}#atom`;
      const item = await store.get(partition, 'feed');
      const earlier = (
        (item?.value as { readonly entries: readonly FeedEntry[] } | undefined)?.entries ?? []
      ).filter((entry) => entry.id !== `urn:gene-panel-notifier:message:${id}`);
      const entries: FeedEntry[] = [];
      let characters = 0;
      for (const entry of [{ id: `urn:gene-panel-notifier:message:${id}`, at, notice }, ...earlier].slice(
        0,
        MOST_ENTRIES,
      )) {
        characters += JSON.stringify(entry).length;
        if (entries.length > 0 && characters > MOST_CHARACTERS) break;
        entries.push(entry);
      }
      await write(
        `${subscription}.xml`,
        atomFeed(entries, {
          name: subscription,
          id: `urn:gene-panel-notifier:feed:${subscription}`,
          updated: at,
        }),
      );
      const value = { entries };
      if (item) await store.replace({ ...item, value });
      else await store.create({ partition, id: 'feed', value });
    },
  };
}
