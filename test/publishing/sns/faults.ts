import type { SnsFault } from './endpoint.ts';

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

/** Answers each request with the next fault. `undefined` lets a request succeed, as after the last fault. */
export function inTurn(...faults: readonly (SnsFault | undefined)[]): () => SnsFault | undefined {
  const left = [...faults];
  return () => left.shift();
}
