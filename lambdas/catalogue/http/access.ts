/** The credentials for a service: none, a fixed header, or a token that is renewed. */
export interface Access {
  /** The headers to add to every request. They go to the origin of the base address only. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * Called after a 401. True when there may be other credentials now, so that the request is worth one retry.
   * `refused` are the headers that were sent: of several requests refused together, only one then renews.
   */
  renew(refused?: Readonly<Record<string, string>>): Promise<boolean>;
}

/** No credentials: for a service with open access. */
export const anonymous: Access = { headers: async () => ({}), renew: async () => false };

/** A header that HTTP cannot carry. Names the header, never its value. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly code = 'ACCESS_HEADER_WRONG';
}

const headerName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Visible ASCII characters with blanks between them: every server takes these. */
const headerValue = /^[!-~]+(?:[ \t]+[!-~]+)*$/;

/**
 * Sends one header with every request, such as `Authorization: Token …`.
 *
 * @throws {AccessError} when HTTP cannot carry the name or the value
 */
export function fixedHeader(name: string, value: string): Access {
  if (!headerName.test(name)) {
    throw new AccessError(
      `Setting the access header: ${JSON.stringify(name)} is not a header name. Give a name such as Authorization.`,
    );
  }
  if (!headerValue.test(value)) {
    throw new AccessError(
      `Setting the access header ${name}: its value (not shown) is empty, or has a line break, a non-ASCII character, or a blank at one end. Copy it again from the service that issued it.`,
    );
  }
  const headers = { [name.toLowerCase()]: value };
  return { headers: async () => headers, renew: async () => false };
}
