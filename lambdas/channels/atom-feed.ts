import { Feed } from 'feed';
import { cleanLine } from '../words/clean-text.ts';
import { htmlText } from '../words/html-text.ts';
import type { Notice } from '../words/notice.ts';
import { phraseText } from '../words/phrase.ts';
import { wholeText } from '../words/whole-text.ts';

/** Of one entry, in bytes: a feed reader shows all of it. */
const LONGEST_TEXT = 100_000;

/** One message in a feed. */
export interface FeedEntry {
  /** Stable: a reader that has seen it does not show it again. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly title: string;
  readonly text: string;
  /** The catalogue's page; null where it is unknown. */
  readonly address: string | null;
}

/** The entry of a message. */
export const feedEntry = (notice: Notice, { id, at }: Pick<FeedEntry, 'id' | 'at'>): FeedEntry => ({
  id,
  at,
  title: phraseText(notice.headline),
  text: wholeText(notice, LONGEST_TEXT),
  address: notice.links[0]?.address ?? null,
});

interface FeedFacts {
  /** Name of the subscription. */
  readonly name: string;
  /** Stable and unique in the world, such as a URN. */
  readonly id: string;
  /** ISO 8601; when the feed last changed. */
  readonly updated: string;
}

/** An Atom feed of messages, newest first. */
export function atomFeed(entries: readonly FeedEntry[], { name, id, updated }: FeedFacts): string {
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
