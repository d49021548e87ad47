import type { Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { cleanLine } from './clean-text.ts';
import { type Phrase, phrase, ratingPiece, statusPiece } from './phrase.ts';

/** A rating that was found late and holds no longer: it is said as past, never as something new. */
interface PastRating {
  readonly rating: Rating;
  /** The versions of the panel at which it began and ended; null where they are unknown. */
  readonly from: string | null;
  readonly until: string | null;
  /** What has held since. */
  readonly since: EntityStatus;
}

type Classified = PanelEvent<'entity.classified'>;
type PastChange = Classified['data']['change'] & { readonly past?: PastRating };

/** The event of a rating that holds no longer, for the words of a message. */
export const asPast = (event: Classified, past: PastRating): Classified => ({
  ...event,
  data: { ...event.data, change: { ...event.data.change, past } as PastChange },
});

/** What holds no longer of a change of rating; undefined where it holds. */
export const pastIn = (change: Classified['data']['change']): PastRating | undefined =>
  (change as PastChange).past;

/** Whether an event states a rating that holds no longer. */
export const isPast = (event: PanelEvent): boolean =>
  event.type === 'gene-panel.entity.classified.v1' && pastIn(event.data.change) !== undefined;

/** ` from 0.9 to 0.11; green since`, after `was red`. */
export function pastSpan({ from, until, since }: PastRating): Phrase {
  const [first, last] = [cleanLine(from ?? ''), cleanLine(until ?? '')];
  const span =
    first === '' || last === ''
      ? ' for a time'
      : first === last
        ? ` in ${first}`
        : ` from ${first} to ${last}`;
  return phrase`${span}; ${since === 'absent' ? 'removed' : [statusPiece(since)]} since`;
}

/** `was red from 0.9 to 0.11; green since`. */
export const pastWords = (past: PastRating): Phrase =>
  phrase`was ${ratingPiece(past.rating)}${pastSpan(past)}`;
