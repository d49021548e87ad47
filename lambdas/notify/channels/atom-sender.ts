import * as z from 'zod';
import { atomFeed, type FeedEntry, feedEntry } from '../../messages/atom.ts';
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
      const entry = feedEntry(notice, { id: `urn:gene-panel-notifier:message:${id}`, at });
      const earlier = storedEntries(item?.value).filter((each) => each.id !== entry.id);
      const entries: FeedEntry[] = [];
      let characters = 0;
      for (const each of [entry, ...earlier].slice(0, MOST_ENTRIES)) {
        characters += JSON.stringify(each).length;
        if (entries.length > 0 && characters > MOST_CHARACTERS) break;
        entries.push(each);
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

const entrySchema = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  title: z.string(),
  text: z.string(),
  address: z.string().nullable(),
});

/** An entry as version 0.2 stored it: of its message, the headline is kept. */
const earlierEntry = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    notice: z.object({
      headline: z.object({ start: z.string(), name: z.string(), end: z.string() }),
      links: z.array(z.object({ address: z.string() })),
    }),
  })
  .transform(({ id, at, notice: { headline, links } }): FeedEntry => {
    const title = `${headline.start}${headline.name}${headline.end}`;
    return { id, at, title, text: title, address: links[0]?.address ?? null };
  });

const feedSchema = z.object({ entries: z.array(z.union([entrySchema, earlierEntry])) });

/** The entries of a stored feed; none where there is no feed yet, or none that can be read. */
const storedEntries = (value: unknown): readonly FeedEntry[] =>
  feedSchema.safeParse(value).data?.entries ?? [];
