import { howMuchWasRead, type ReadPart } from '../../lambdas/store/history/read-part.ts';
import { unreadSentences } from '../../lambdas/store/history/read-part-words.ts';
import { type Html, html } from './html.ts';
import type { LocalTimes } from './local-times.ts';

const MOST_SENTENCES = 5;

/** What of the period was not read; nothing where all of it was. It stands above what was found. */
export function unreadView(parts: readonly ReadPart[], times: LocalTimes): Html {
  if (parts.length === 0 || howMuchWasRead(parts) === 'all') return html``;
  const sentences = unreadSentences(parts, times.moment);
  if (sentences.length === 0) return html``;
  const more = sentences.length - MOST_SENTENCES;
  return html`<div class="warning unread">${sentences.slice(0, MOST_SENTENCES).map((text) => html`<p>${text}</p>`)}${
    more > 0 ? html`<p>And ${more} more such times: <a href="/watcher">what was read</a>.</p>` : ''
  }</div>`;
}
