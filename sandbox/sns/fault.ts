import type { SnsEntry } from './calls.ts';
import type { EntryFailure, Refusal } from './refusals.ts';
import type { Reply } from './replies.ts';

/** What goes wrong with one request. */
export type SnsFault =
  /** SNS refuses the whole request; no message is accepted. */
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  /** The response is 200, and the entries for which a failure is given are not accepted. */
  | { readonly kind: 'fail-entries'; readonly failureOf: (entry: SnsEntry) => EntryFailure | undefined }
  /** All messages are accepted and the connection is closed before the response. */
  | { readonly kind: 'lose-reply' }
  /** The connection is closed; no message is accepted. */
  | { readonly kind: 'cut' }
  /** No message is accepted and no response is sent. */
  | { readonly kind: 'silence' }
  /** Another server responds instead of SNS; no message is accepted. */
  | { readonly kind: 'answer'; readonly reply: Reply };
