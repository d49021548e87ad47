import type * as z from 'zod';

/** What can go wrong in an exchange with a service, and what a person does about it. */
const advice = {
  ADDRESS_WRONG: 'Correct the address in the settings.',
  HOST_UNKNOWN:
    'Check the host name in the settings, and that this machine can look up names. Where a proxy leads out, set HTTPS_PROXY.',
  CONNECTION_REFUSED: 'Check the address and port in the settings, and that the service is running.',
  PROXY_FAILED: 'Check HTTPS_PROXY and the rules of the proxy; NO_PROXY lists hosts to reach without it.',
  CONNECTION_LOST: 'The next run tries again; if it persists, check the network and any proxy or firewall.',
  CERTIFICATE_REFUSED:
    'Certificate checks are never switched off: have the certificate renewed or corrected, or name a private authority in NODE_EXTRA_CA_CERTS.',
  TIMED_OUT: 'The next run tries again; if it persists, check the network and the state of the service.',
  DEADLINE: 'The next run continues from here; if this happens often, give the run more time.',
  NOT_HTTP: 'Check the address in the settings: the port, and http against https.',
  REDIRECTED:
    'Redirects are never followed, so that no credential goes to another place: put the final address into the settings. For a catalogue that moved for good, docs/guides/moving.md says how the mark follows.',
  UNAUTHORIZED: 'Give credentials in the settings, or check that those given are right and still valid.',
  FORBIDDEN:
    'Ask the operator of the service what this client needs: a token, or the right to this resource.',
  NOT_FOUND: 'Check the base address in the settings.',
  REQUEST_REFUSED: 'Check the settings against the documentation of the service.',
  UNAVAILABLE: 'The next run tries again; if it persists, ask the operator of the service.',
  NOT_BEFORE: 'No request is sent until then; if this happens every day, poll less often.',
  TRUNCATED: 'The next run tries again; if it persists, check any proxy on the way.',
  TOO_LARGE:
    'Check that the address leads to the service, and ask its operator why the response is that large.',
  ENCODING_REFUSED: 'Have the service, or the proxy before it, send plain or gzip responses.',
  EMPTY: 'The next run tries again; if it persists, ask the operator of the service.',
  HTML: 'The service may be under maintenance, or the address may lead to its web site: open it in a browser.',
  JSON_WRONG: 'The next run tries again; if it persists, ask the operator of the service.',
  JSON_TOO_DEEP: 'Check that the address leads to the service.',
  KEYS_REPEATED: 'It is unknown which value is right: report it to the operator of the service.',
  LIST_WRONG: 'Check that the address leads to the service; its interface may have changed.',
  ITEMS_WRONG: 'The interface of the service may have changed: compare an item with docs/interfaces.md.',
  ENDLESS: 'Report it to the operator of the service.',
} as const;

/** The part of an error's code after the name of the service. */
export type Condition = keyof typeof advice;

/** The same request may succeed when it is sent again. */
const transientConditions: ReadonlySet<Condition> = new Set([
  'CONNECTION_REFUSED',
  'PROXY_FAILED',
  'CONNECTION_LOST',
  'TIMED_OUT',
  'TRUNCATED',
  'UNAVAILABLE',
  'JSON_WRONG',
]);

/** What a failed call says, before a service gives it its error class. */
export interface Failure {
  readonly condition: Condition;
  /** What was being done, as a gerund: "Asking the catalogue for …". */
  readonly action: string;
  /** What was seen, and where it helps what was expected, as a clause. Never a header or a part of a body. */
  readonly seen: string;
  /** The HTTP status, where there was a response. */
  readonly status?: number;
  /** When the service may be asked again, where it said so: milliseconds since the epoch. */
  readonly notBefore?: number;
  /** Whether the same request may succeed when it is sent again; derived from the condition where absent. */
  readonly transient?: boolean;
  readonly cause?: unknown;
}

/**
 * A failed exchange with a service. Each service has its own class and codes (`CATALOGUE_TIMED_OUT`), so that
 * `switch (error.code)` distinguishes the conditions. Holds neither headers, credentials nor bodies.
 */
export abstract class ServiceError extends Error {
  abstract readonly code: string;
  readonly condition: Condition;
  readonly action: string;
  readonly seen: string;
  readonly status: number | null;
  readonly notBefore: number | null;
  readonly transient: boolean;

  constructor(failure: Failure) {
    const { condition, action, seen, cause } = failure;
    super(`${action}: ${seen}. ${advice[condition]}`, cause === undefined ? {} : { cause });
    this.condition = condition;
    this.action = action;
    this.seen = seen;
    this.status = failure.status ?? null;
    this.notBefore = failure.notBefore ?? null;
    this.transient = failure.transient ?? transientConditions.has(condition);
  }
}

/** A service's own error class and name. */
export interface ServiceErrors {
  /** The name in messages: `the catalogue`. */
  readonly service: string;
  readonly error: new (failure: Failure) => ServiceError;
  /** Whether the address is itself a secret: then neither errors nor log lines show any part of it. */
  readonly secretAddress?: boolean;
}

/**
 * The error class of a service. Its type is stated: the one that the compiler finds names types of Node, which users of the package
 * need not have.
 * @param prefix begins its codes
 */
export const serviceError = <const Name extends string, const Prefix extends string>(
  name: Name,
  prefix: Prefix,
): (new (
  failure: Failure,
) => ServiceError & { readonly name: Name; readonly code: `${Prefix}_${Condition}` }) =>
  class extends ServiceError {
    override readonly name = name;
    override readonly code: `${Prefix}_${Condition}` = `${prefix}_${this.condition}`;
  };

/**
 * Says in words why a schema refused a value: the field, what it holds and what was expected
 * (`panel_version is 3.10, expected text`). Objects are not shown, because they may hold anything.
 */
export function problemOf(value: unknown, error: z.ZodError): string {
  const [first, ...more] = error.issues;
  if (!first) return 'the item is invalid';
  const where = first.path.join('.') || 'the item';
  const others = more.length > 0 ? ` (and ${more.length} more)` : '';
  return `${where} is ${shown(at(value, first.path))}${expectation(first)}${others}`;
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null && !JSON.isRawJSON(value)) return 'an object';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  array: 'a list',
  object: 'an object',
};

function expectation(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_format') return ', expected text such as 3.10';
  if (issue.code !== 'invalid_type') return `: ${issue.message}`;
  return `, expected ${kinds[issue.expected] ?? issue.expected}`;
}
