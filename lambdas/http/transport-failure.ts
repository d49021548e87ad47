import type { Condition } from './service-error.ts';

/** What a connection that failed says about itself. */
export interface TransportFailure {
  readonly condition: Condition;
  /** A clause for the message. */
  readonly seen: string;
  readonly passing?: boolean;
  readonly cause: Error;
}

type Explanation = readonly [Condition, string];

const explanations: Readonly<Record<string, Explanation>> = {
  // Looking the name up.
  ENOTFOUND: ['HOST_UNKNOWN', 'the host name is not known'],
  EAI_AGAIN: ['HOST_UNKNOWN', 'the host name could not be looked up just now'],
  EAI_FAIL: ['HOST_UNKNOWN', 'the host name could not be looked up'],
  EAI_NODATA: ['HOST_UNKNOWN', 'the host name has no address'],
  // Connecting.
  ECONNREFUSED: ['CONNECTION_REFUSED', 'nothing takes connections at this address and port'],
  EHOSTUNREACH: ['CONNECTION_LOST', 'no way leads to the host'],
  ENETUNREACH: ['CONNECTION_LOST', 'no way leads to its network'],
  UND_ERR_CONNECT_TIMEOUT: ['TIMED_OUT', 'the connection did not come about in time'],
  ETIMEDOUT: ['TIMED_OUT', 'the connection timed out'],
  // Certificates.
  CERT_HAS_EXPIRED: ['CERTIFICATE_REFUSED', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['CERTIFICATE_REFUSED', 'its certificate is not valid yet, or the clock here is wrong'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['CERTIFICATE_REFUSED', 'its certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['CERTIFICATE_REFUSED', 'its certificate comes from an authority of its own'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'CERTIFICATE_REFUSED',
    'it does not send the whole chain to an authority',
  ],
  UNABLE_TO_GET_ISSUER_CERT: ['CERTIFICATE_REFUSED', 'the authority of its certificate is not known here'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'CERTIFICATE_REFUSED',
    'the authority of its certificate is not known here',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['CERTIFICATE_REFUSED', 'its certificate is for another host name'],
  // Talking.
  UND_ERR_HEADERS_TIMEOUT: ['TIMED_OUT', 'the answer did not begin in time'],
  UND_ERR_BODY_TIMEOUT: ['TIMED_OUT', 'the answer stopped in the middle'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['TRUNCATED', 'the answer is shorter than announced'],
  UND_ERR_HEADERS_OVERFLOW: ['NOT_HTTP', 'the headers of the answer are larger than 16 kB'],
  EPROTO: ['NOT_HTTP', 'TLS could not be agreed on'],
};

export interface TransportContext {
  /** Whether the answer's headers had come. */
  readonly begun: boolean;
  /** Whether the cause must not show host and port. */
  readonly secretAddress?: boolean | undefined;
}

/** Sorts an error of undici or of Node. */
export function explainTransport(
  error: unknown,
  { begun, secretAddress = false }: TransportContext,
): TransportFailure {
  const code = codeOf(error);
  const [condition, seen] = explanations[code] ?? byFamily(code, begun);
  const told = {
    condition,
    seen: code ? `${seen} (${code})` : seen,
    cause: secretAddress ? Object.assign(new Error(code), { code }) : bare(error, code),
  };
  return code === 'EAI_AGAIN' ? { ...told, passing: true } : told;
}

function byFamily(code: string, begun: boolean): Explanation {
  if (code.startsWith('CERT_')) return ['CERTIFICATE_REFUSED', 'its certificate is not accepted'];
  if (code.startsWith('ERR_SSL_')) return ['NOT_HTTP', 'TLS could not be agreed on'];
  if (code.startsWith('HPE_')) return begun ? brokenOff : ['NOT_HTTP', 'what answers does not speak HTTP'];
  if (code === 'UND_ERR_INVALID_ARG') return ['REQUEST_REFUSED', 'a header or the path cannot be sent'];
  return begun ? brokenOff : ['CONNECTION_LOST', 'the connection was closed before an answer came'];
}

/** The error without what undici's carry along: pieces of the answer, which may hold a token, and sockets. */
function bare(error: unknown, code: string): Error {
  const errors = error instanceof AggregateError ? error.errors : [error];
  const cause = new Error(
    errors.map((each) => (each instanceof Error ? each.message : String(each))).join('; '),
  );
  return Object.assign(cause, { code });
}

const brokenOff: Explanation = ['TRUNCATED', 'the answer broke off'];

/** Where several addresses of a host were tried, the code of the first failure. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Some errors of undici's parser have no code.
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}
