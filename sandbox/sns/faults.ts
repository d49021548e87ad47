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

export const loseReply: SnsFault = { kind: 'lose-reply' };
export const cut: SnsFault = { kind: 'cut' };
export const silence: SnsFault = { kind: 'silence' };

export const throttled = refuse(429, 'Throttled', 'Rate exceeded');
export const internalError = refuse(500, 'InternalError', 'Internal error');
export const accessDenied = refuse(403, 'AuthorizationError', 'Not authorised to perform SNS:Publish');

/** SNS refuses the whole request. */
export function refuse(status: number, code: string, message: string): SnsFault {
  return { kind: 'refuse', refusal: { status, code, message } };
}

/** The entries whose body is among `bodies` fail by a transient error inside SNS. */
export function failByService(...bodies: readonly string[]): SnsFault {
  const failure = { code: 'InternalError', message: 'Internal error', senderFault: false };
  return { kind: 'fail-entries', failureOf: ({ body }) => (bodies.includes(body) ? failure : undefined) };
}

/** The entries whose body is among `bodies` fail by a fault of their sender. */
export function failBySender(...bodies: readonly string[]): SnsFault {
  const failure = { code: 'InvalidParameter', message: 'Invalid parameter: Message', senderFault: true };
  return { kind: 'fail-entries', failureOf: ({ body }) => (bodies.includes(body) ? failure : undefined) };
}

/** Gives each request the next fault. `undefined` lets a request succeed, as after the last fault. */
export function inTurn(...faults: readonly (SnsFault | undefined)[]): () => SnsFault | undefined {
  const left = [...faults];
  return () => left.shift();
}
