import type { Rating } from '../events/changes.ts';
import type { TimeWords } from './time-words.ts';

/** What the words of a message depend on besides its events. */
export interface MessageContext {
  readonly times: TimeWords;
  /** When the message is made; ISO 8601. */
  readonly now: string;
  /** Why the reader receives it; one sentence. */
  readonly reason: string | null;
  /** How to change or stop the messages, as lines. */
  readonly help?: readonly string[];
  /** Whether the reader gets messages about several catalogues, and so must see which one a panel is of. */
  readonly namesCatalogue?: boolean;
  /** What the history states about an event. */
  readonly background?: (eventId: string) => Background | undefined;
}

/** What the history says about an event. */
export interface Background {
  /** The rating before, since when, and on which version of the panel. */
  readonly before?: { readonly rating: Rating; readonly since: string; readonly version: string | null };
  /** What the same person wrote in the same action. */
  readonly comment?: string;
}
