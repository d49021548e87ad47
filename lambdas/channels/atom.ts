import * as z from 'zod';
import { cleanLine } from '../words/clean-text.ts';
import { htmlText } from '../words/html-page.ts';
import { wholeText } from '../words/mail.ts';
import type { Notice } from '../words/notice.ts';
import { phraseText } from '../words/phrase.ts';
import { type ChannelType, notFromHere } from './channel.ts';

/** Of one entry, in bytes: a feed reader shows all of it. */
const LONGEST_TEXT = 100_000;

const entrySchema = z.lazy(() =>
  z.object({
    /** Stable: a reader that has seen it does not show it again. */
    id: z.string(),
    at: z.iso.datetime(),
    title: z.string(),
    text: z.string(),
    /** The catalogue's page; null where it is unknown. */
    address: z.string().nullable(),
  }),
);
type FeedEntry = Readonly<z.output<typeof entrySchema>>;

const feedSchema = z.lazy(() => z.object({ entries: z.array(entrySchema) }));

/** The entries of a stored feed; none where there is no feed yet, or none that can be read. */
const storedEntries = (value: unknown): readonly FeedEntry[] =>
  feedSchema.safeParse(value).data?.entries ?? [];

/** The entry of a message. */
export const feedEntry = (notice: Notice, { id, at }: Pick<FeedEntry, 'id' | 'at'>): FeedEntry => ({
  id,
  at,
  title: phraseText(notice.headline),
  text: wholeText(notice, LONGEST_TEXT),
  address: notice.links[0]?.address ?? null,
});

interface FeedFacts {
  readonly name: string;
  /** Stable and unique in the world, such as a URN. */
  readonly id: string;
  /** ISO 8601; when the feed last changed. */
  readonly updated: string;
}

/** An Atom feed of messages, newest first. */
export async function atomFeed(
  entries: readonly FeedEntry[],
  { name, id, updated }: FeedFacts,
): Promise<string> {
  // Loaded at need: most runs write no feed.
  const { Feed } = await import('feed');
  const feed = new Feed({
    id,
    title: `Gene panel changes: ${cleanLine(name)}`,
    updated: new Date(updated),
    copyright: '',
    generator: 'gene-panel-notifier',
  });
  for (const { id: entryId, at, title, text, address } of entries) {
    feed.addItem({
      id: entryId,
      title: htmlText(title),
      link: address ?? NO_LINK,
      date: new Date(at),
      content: `<pre>${htmlText(text)}</pre>`,
    });
  }
  return feed.atom1().replaceAll(`<link href="${NO_LINK}"/>`, '');
}

/** The library wants a link for each entry. */
const NO_LINK = 'urn:no-link';

const MOST_ENTRIES = 50;
/** Of all entries as JSON; a table's item holds 400 KB. */
const MOST_CHARACTERS = 250_000;

/** The key of the feed's entries. */
const FEED = 'feed';

/** An Atom feed for each subscription, with its newest messages. A message that is sent again is there once. */
export const atom: ChannelType<'atom'> = {
  kind: 'atom',
  title: 'Atom feed',
  setUp:
    'The file `<subscription>.xml` in the bucket printed as `FeedBucket`, or in the folder of `local.feeds`.',
  pauseMs: 0,
  dropsRepeats: true,
  afterTrial: '',
  preview: async ({ id, subscription, notice, at }) => [
    { ending: '.xml', content: await feedOf([feedEntry(notice, { id: urnOf(id), at })], subscription, at) },
  ],
  async send({ id, subscription, notice, at }, { memory, context: { writeFeed } }) {
    if (!writeFeed) throw notFromHere('atom');
    const entry = feedEntry(notice, { id: urnOf(id), at });
    const earlier = storedEntries(await memory.get(FEED)).filter((each) => each.id !== entry.id);
    const entries: FeedEntry[] = [];
    let characters = 0;
    for (const each of [entry, ...earlier].slice(0, MOST_ENTRIES)) {
      characters += JSON.stringify(each).length;
      if (entries.length > 0 && characters > MOST_CHARACTERS) break;
      entries.push(each);
    }
    await writeFeed(`${subscription}.xml`, await feedOf(entries, subscription, at));
    await memory.set(FEED, { entries });
    return `written to ${subscription}.xml`;
  },
};

const urnOf = (id: string): string => `urn:gene-panel-notifier:message:${id}`;

const feedOf = (entries: readonly FeedEntry[], name: string, updated: string): Promise<string> =>
  atomFeed(entries, { name, id: `urn:gene-panel-notifier:feed:${name}`, updated });
