import { ProxyFailure } from './proxy-failure.ts';
import type { Condition } from './service-error.ts';

/** The reason why a connection failed. */
interface TransportFailure {
  readonly condition: Condition;
  /** A clause for the message. */
  readonly seen: string;
  readonly transient?: boolean;
  readonly cause: Error;
}

type Explanation = readonly [Condition, string];

const explanations: Readonly<Record<string, Explanation>> = {
  // Name lookup.
  ENOTFOUND: ['HOST_UNKNOWN', 'the host name is unknown'],
  EAI_AGAIN: ['HOST_UNKNOWN', 'the host name could not be looked up just now'],
  EAI_FAIL: ['HOST_UNKNOWN', 'the host name could not be looked up'],
  EAI_NODATA: ['HOST_UNKNOWN', 'the host name has no address'],
  // Connecting.
  ECONNREFUSED: ['CONNECTION_REFUSED', 'nothing accepts connections at this address and port'],
  EHOSTUNREACH: ['CONNECTION_LOST', 'the host cannot be reached'],
  ENETUNREACH: ['CONNECTION_LOST', 'its network cannot be reached'],
  UND_ERR_CONNECT_TIMEOUT: ['TIMED_OUT', 'the connection was not made in time'],
  ETIMEDOUT: ['TIMED_OUT', 'the connection timed out'],
  // The proxy on the way.
  PROXY_REFUSED: ['PROXY_FAILED', 'the proxy of HTTPS_PROXY refuses to connect to it'],
  PROXY_UNREACHABLE: ['PROXY_FAILED', 'the proxy of HTTPS_PROXY cannot be reached'],
  // Certificates.
  CERT_HAS_EXPIRED: ['CERTIFICATE_REFUSED', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['CERTIFICATE_REFUSED', 'its certificate is not valid yet, or this clock is wrong'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['CERTIFICATE_REFUSED', 'its certificate is self-signed'],
  SELF_SIGNED_CERT_IN_CHAIN: ['CERTIFICATE_REFUSED', 'its certificate comes from a private authority'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'CERTIFICATE_REFUSED',
    'it does not send the whole chain up to an authority',
  ],
  UNABLE_TO_GET_ISSUER_CERT: ['CERTIFICATE_REFUSED', 'the authority of its certificate is unknown here'],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'CERTIFICATE_REFUSED',
    'the authority of its certificate is unknown here',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['CERTIFICATE_REFUSED', 'its certificate is for another host name'],
  // The exchange itself.
  UND_ERR_HEADERS_TIMEOUT: ['TIMED_OUT', 'the response did not begin in time'],
  UND_ERR_BODY_TIMEOUT: ['TIMED_OUT', 'the response stopped in the middle'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ['TRUNCATED', 'the response is shorter than announced'],
  UND_ERR_HEADERS_OVERFLOW: ['NOT_HTTP', 'the headers of the response are larger than 16 kB'],
  EPROTO: ['NOT_HTTP', 'TLS could not be agreed on'],
};

interface TransportContext {
  /** Whether the headers of the response had arrived. */
  readonly begun: boolean;
  /** Whether the cause must not show host and port. */
  readonly secretAddress?: boolean | undefined;
}

/** Explains an error of undici or of Node. */
export function explainTransport(
  error: unknown,
  { begun, secretAddress = false }: TransportContext,
): TransportFailure {
  const code = codeOf(error);
  const [condition, seen] = explanations[code] ?? byFamily(code, begun);
  const cause = secretAddress ? Object.assign(new Error(code), { code }) : strippedCause(error, code);
  const detail = error instanceof ProxyFailure ? error.detail : code;
  const failure = { condition, seen: detail ? `${seen} (${detail})` : seen, cause };
  return code === 'EAI_AGAIN' ? { ...failure, transient: true } : failure;
}

const incomplete: Explanation = ['TRUNCATED', 'the response is incomplete'];

function byFamily(code: string, begun: boolean): Explanation {
  if (code.startsWith('CERT_')) return ['CERTIFICATE_REFUSED', 'its certificate is not accepted'];
  if (code.startsWith('ERR_SSL_')) return ['NOT_HTTP', 'TLS could not be agreed on'];
  if (code.startsWith('HPE_')) return begun ? incomplete : ['NOT_HTTP', 'the response is not HTTP'];
  if (code === 'UND_ERR_INVALID_ARG') return ['REQUEST_REFUSED', 'a header or the path cannot be sent'];
  return begun ? incomplete : ['CONNECTION_LOST', 'the connection was closed before a response arrived'];
}

/** The message and code alone: undici's errors also carry sockets, and pieces of the response that may hold a token. */
function strippedCause(error: unknown, code: string): Error {
  const errors = error instanceof AggregateError ? error.errors : [error];
  const messages = errors.map((each) => (each instanceof Error ? each.message : String(each)));
  return Object.assign(new Error(messages.join('; ')), { code });
}

/** Where several addresses of a host were tried, the code of the first failure. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  // Some errors of undici's parser have no code.
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}
