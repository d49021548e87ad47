import { type Instant, minutes } from '../../run/instant.ts';
import type { ReadPart } from './read-part.ts';
import { unreadSentences } from './read-part-words.ts';

/**
 * A sentence where the end of the log was not read for an hour or has no rows: what is kept as the newest version of a
 * panel may not be the newest one.
 * @param moment how the view writes an instant
 */
export const unreadEnd = (parts: readonly ReadPart[], moment: (at: Instant) => string): readonly string[] =>
  unreadSentences(
    parts
      .filter(({ openSince, until }) => openSince !== null && until - openSince > minutes(60))
      .map((part) => ({ ...part, gaps: [] })),
    moment,
  );
