import type { Rating } from '../../lambdas/events/changes.ts';
import type { Row } from '../../lambdas/messages/notice.ts';
import { ratingWord } from '../../lambdas/messages/rating-words.ts';
import { ratingIn } from '../../lambdas/messages/with-colours.ts';
import type { EntityStatus } from '../../lambdas/subscriptions/entity-history.ts';
import { type Html, html } from './html.ts';

const ratingNames: ReadonlySet<string> = new Set(['green', 'amber', 'red', 'none']);

/** A rating by its word, in its colour, with a symbol whose shape differs too. */
export function ratingView(rating: EntityStatus | null): Html {
  if (rating === 'absent') return html`<span class="rating absent">not on the panel</span>`;
  const name = rating !== null && ratingNames.has(rating) ? (rating as Rating) : null;
  return html`<span class="rating ${name ?? 'unknown'}">${ratingWord(name)}</span>`;
}

/** The words of a row, each rating that they state as `ratingView` shows it. */
export function wordsView({ words, ratings = [] }: Pick<Row, 'words' | 'ratings'>): Html {
  const found = ratings
    .flatMap((rating) =>
      [...words.matchAll(new RegExp(ratingIn(rating, words), 'g'))]
        .slice(0, words.includes('→') ? undefined : 1)
        .map(({ index }) => ({ index, rating, length: ratingWord(rating).length })),
    )
    .sort((one, other) => one.index - other.index);
  const parts: (string | Html)[] = [];
  let end = 0;
  for (const { index, rating, length } of found) {
    if (index < end) continue;
    parts.push(withArrow(words.slice(end, index)), ratingView(rating));
    end = index + length;
  }
  return html`${[...parts, withArrow(words.slice(end))]}`;
}

/** An arrow is read aloud as "to". */
function withArrow(text: string): string | Html {
  if (text !== ' → ') return text;
  return html` <span class="arrow" aria-hidden="true">→</span><span class="unseen"> to </span> `;
}
