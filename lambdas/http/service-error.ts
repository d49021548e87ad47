/** What can go wrong when a service is asked for something, and what a person does about it. */
const advice = {
  ADDRESS_WRONG: 'Correct the address in the settings.',
  HOST_UNKNOWN: 'Check the host name in the settings, and that this machine can look names up.',
  CONNECTION_REFUSED: 'Check the address and port in the settings, and that the service is running.',
  CONNECTION_LOST: 'The next run tries again; check the network and any proxy or firewall if it goes on.',
  CERTIFICATE_REFUSED:
    'Checking certificates is never switched off: have the certificate renewed or corrected, or give a private authority to Node by NODE_EXTRA_CA_CERTS.',
  TIMED_OUT: 'The next run tries again; check the network and the state of the service if it goes on.',
  DEADLINE: 'The next run goes on from here; give the run more time if this happens often.',
  NOT_HTTP: 'Check the address in the settings: the port, and http against https.',
  REDIRECTED:
    'Redirects are never followed, so that no credential goes astray: put the final address into the settings.',
  UNAUTHORIZED: 'Give credentials in the settings, or check that those given are right and still valid.',
  FORBIDDEN:
    'Ask the operator of the service what this client needs: a token, or the right to what was asked.',
  NOT_FOUND: 'Check the base address in the settings.',
  REQUEST_REFUSED: 'Check the settings against the documentation of the service.',
  UNAVAILABLE: 'The next run tries again; ask the operator of the service if it goes on.',
  NOT_BEFORE: 'Nothing is asked until then; poll less often if this happens every day.',
  TRUNCATED: 'The next run tries again; check any proxy on the way if it goes on.',
  TOO_LARGE: 'Check that the address leads to the service; raise the limit only if such answers are genuine.',
  ENCODING_REFUSED: 'Have the service, or the proxy before it, send plain or gzip answers.',
  EMPTY: 'The next run tries again; ask the operator of the service if it goes on.',
  HTML: 'The service may be under maintenance, or the address may lead to its web site: open it in a browser.',
  JSON_WRONG: 'The next run tries again; ask the operator of the service if it goes on.',
  JSON_TOO_DEEP: 'Check that the address leads to the service.',
  KEYS_REPEATED: 'Which of the values holds cannot be known: report it to the operator of the service.',
  LIST_WRONG: 'Check that the address leads to the service; its interface may have changed.',
  ITEMS_WRONG: 'The interface of the service may have changed: compare an item with the specification.',
  ENDLESS: 'Report it to the operator of the service; raise the limit only if there is so much to list.',
} as const;

/** The part of an error's code behind the name of the service. */
export type Condition = keyof typeof advice;

/** Conditions of the moment: the same request, sent again, may well succeed. */
const passing: ReadonlySet<Condition> = new Set([
  'CONNECTION_REFUSED',
  'CONNECTION_LOST',
  'TIMED_OUT',
  'TRUNCATED',
  'UNAVAILABLE',
  'JSON_WRONG',
]);

export interface Failure {
  readonly condition: Condition;
  /** What was being done, as a gerund: "Asking the catalogue for …". */
  readonly action: string;
  /** What was seen, and where it helps what was wanted, as a clause. Never a header or a part of a body. */
  readonly seen: string;
  /** The HTTP status, where there was an answer. */
  readonly status?: number;
  /** When the service may be asked again, where it said so: milliseconds since the epoch. */
  readonly notBefore?: number;
  /** Whether the same request may succeed when it is sent again; by default as the condition has it. */
  readonly passing?: boolean;
  readonly cause?: unknown;
}

/**
 * A service did not do what it was asked. Each service has its own class and codes (`CATALOGUE_TIMED_OUT`), so
 * that `switch (error.code)` tells conditions apart. Holds neither headers, credentials nor bodies.
 */
export abstract class ServiceError extends Error {
  abstract readonly code: string;
  readonly condition: Condition;
  readonly action: string;
  readonly seen: string;
  readonly status: number | null;
  readonly notBefore: number | null;
  readonly passing: boolean;

  constructor(failure: Failure) {
    const { condition, action, seen, cause } = failure;
    super(`${action}: ${seen}. ${advice[condition]}`, cause === undefined ? {} : { cause });
    this.condition = condition;
    this.action = action;
    this.seen = seen;
    this.status = failure.status ?? null;
    this.notBefore = failure.notBefore ?? null;
    this.passing = failure.passing ?? passing.has(condition);
  }
}

/** How a service makes its errors: its error class, and what messages call it. */
export interface ServiceErrors {
  readonly service: string;
  readonly error: new (failure: Failure) => ServiceError;
  /** Whether the address is itself a secret: then neither errors nor log lines show any part of it. */
  readonly secretAddress?: boolean;
}
