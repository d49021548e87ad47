import type { Rating } from '../../lambdas/events/changes.ts';
import type { EntityStatus } from '../../lambdas/filters/entity-history.ts';
import { statusWord } from '../../lambdas/words/change-csv.ts';
import type { Block } from '../../lambdas/words/notice.ts';
import { type Phrase, type PieceRenderers, ratingWord, renderPhrase } from '../../lambdas/words/phrase.ts';
import { ratingColours } from '../../lambdas/words/rating-colours.ts';
import { type Html, html } from './html.ts';

const ratingNames: ReadonlySet<string> = new Set(['green', 'amber', 'red', 'none']);

const ratingOf = (status: EntityStatus | null): Rating | null =>
  status !== null && ratingNames.has(status) ? (status as Rating) : null;

/** A rating by its word, in its colour, with a symbol whose shape differs too. */
export function ratingView(rating: EntityStatus | null): Html {
  if (rating === 'absent') return html`<span class="rating absent">${statusWord(rating)}</span>`;
  const name = ratingOf(rating);
  return html`<span class="rating ${name ?? 'unknown'}">${ratingWord(name)}</span>`;
}

/** The words of a phrase, each rating as `ratingView` shows it. */
export const phraseView = (phrase: Phrase): Html => html`${renderPhrase(phrase, pieces)}`;

const pieces: PieceRenderers<string | Html> = {
  text: ({ text }) => withArrow(text),
  rating: ({ rating }) => ratingView(rating),
  name: ({ text }) => text,
  // An address of the page itself begins with a slash.
  link: ({ text, address }) =>
    address.startsWith('/')
      ? html`<a href="${address}">${text}</a>`
      : html`<a href="${address}" rel="noreferrer" target="_blank">${text}</a>`,
};

/** An arrow is read aloud as "to". */
function withArrow(text: string): string | Html {
  const [first = '', ...others] = text.split(' → ');
  if (others.length === 0) return text;
  return html`${first}${others.map((part) => html`${arrow}${part}`)}`;
}

const arrow = html` <span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> `;

/** One block of a notice below its title; the words are those of every message about the event. */
export function blockView(block: Block): Html {
  switch (block.kind) {
    case 'change':
      return html``;
    case 'place':
      return html`${[block.text, block.below ?? []]
        .filter((line) => line.length > 0)
        .map((line) => html`<p class="place">${phraseView(line)}</p>`)}`;
    case 'byline':
      return html`<p class="byline">${phraseView(block.text)}</p>`;
    case 'text':
      return html`<p>${phraseView(block.text)}</p>`;
    case 'quote':
      return html`<blockquote>${linesView(block.text)}</blockquote>`;
    case 'facts':
      return html`<dl class="known">${block.facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${phraseView(value)}</dd></div>`)}</dl>`;
    case 'group':
      return html``;
  }
}

/** A text with its breaks. */
export const linesView = (text: string): Html =>
  html`${text.split('\n').map((line, index) => (index === 0 ? line : html`<br>${line}`))}`;

/** The colours of ratings as variables of CSS, in light and dark: `--green-text: #14532d; --green-ground: …`. */
export const ratingVariables = (): string =>
  `:root { ${of('light')} }\n@media (prefers-color-scheme: dark) { :root { ${of('dark')} } }\n`;

const of = (scheme: keyof typeof ratingColours): string =>
  Object.entries(ratingColours[scheme])
    .flatMap(([rating, colours]) =>
      Object.entries(colours).map(([part, colour]) => `--${rating}-${part}: ${colour};`),
    )
    .join(' ');
