import { Feed } from 'feed';
import { cleanLine } from './clean-text.ts';
import { htmlText } from './html-text.ts';
import { mailText } from './mail-text.ts';
import { headlineText, type Notice } from './notice.ts';

/** One message in a feed. */
export interface FeedEntry {
  /** Stable: a reader that has seen it does not show it again. */
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly notice: Notice;
}

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
  for (const { id: entryId, at, notice } of entries) {
    feed.addItem({
      id: entryId,
      title: htmlText(headlineText(notice.headline)),
      link: notice.links[0]?.address ?? NO_LINK,
      date: new Date(at),
      content: `<pre>${htmlText(mailText(notice))}</pre>`,
    });
  }
  return feed.atom1().replaceAll(`<link href="${NO_LINK}"/>`, '');
}

/** The library wants a link for each entry. */
const NO_LINK = 'urn:no-link';
