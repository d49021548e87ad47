import type { SnsEntry } from './calls.ts';
import type { EntryFailure, Refusal } from './refusals.ts';
import type { Reply } from './replies.ts';

/** What goes wrong with one call, decided by a test for each call in turn. */
export type SnsFault =
  /** SNS refuses the whole call; nothing is taken. */
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  /** The call answers 200, and the entries for which a failure is given are not taken. */
  | { readonly kind: 'fail-entries'; readonly failureOf: (entry: SnsEntry) => EntryFailure | undefined }
  /** Everything is taken and the connection breaks before the reply. */
  | { readonly kind: 'lose-reply' }
  /** The connection breaks; nothing is taken. */
  | { readonly kind: 'cut' }
  /** Nothing is taken and no reply ever comes. */
  | { readonly kind: 'silence' }
  /** Something on the way answers in place of SNS; nothing is taken. */
  | { readonly kind: 'answer'; readonly reply: Reply };

export const loseReply: SnsFault = { kind: 'lose-reply' };
export const cut: SnsFault = { kind: 'cut' };
export const silence: SnsFault = { kind: 'silence' };

export const throttled = refuse(429, 'Throttled', 'Rate exceeded');
export const internalError = refuse(500, 'InternalError', 'Internal error');
export const accessDenied = refuse(403, 'AuthorizationError', 'Not authorised to perform SNS:Publish');

/** SNS refuses the whole call. */
export function refuse(status: number, code: string, message: string): SnsFault {
  return { kind: 'refuse', refusal: { status, code, message } };
}

/** The entries whose body is among `bodies` fail by the service, as in a passing trouble inside SNS. */
export function failByService(...bodies: readonly string[]): SnsFault {
  const failure = { code: 'InternalError', message: 'Internal error', senderFault: false };
  return { kind: 'fail-entries', failureOf: ({ body }) => (bodies.includes(body) ? failure : undefined) };
}

/** The entries whose body is among `bodies` fail by their sender. */
export function failBySender(...bodies: readonly string[]): SnsFault {
  const failure = { code: 'InvalidParameter', message: 'Invalid parameter: Message', senderFault: true };
  return { kind: 'fail-entries', failureOf: ({ body }) => (bodies.includes(body) ? failure : undefined) };
}

/** The first call meets the first fault, the second the second; `undefined` lets a call pass, as does the end. */
export function inTurn(...faults: readonly (SnsFault | undefined)[]): () => SnsFault | undefined {
  const left = [...faults];
  return () => left.shift();
}
