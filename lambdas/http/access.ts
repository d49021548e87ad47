/** The right to ask: nothing, a fixed header, or a token that somebody renews. */
export interface Access {
  /** The headers that go with every request, and only to the origin of the base address. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * After a 401: true when other credentials may be had and the request is worth one repeat. `refused` are the
   * headers that were sent, so that of several requests refused together only one asks for new credentials.
   */
  renew(refused?: Readonly<Record<string, string>>): Promise<boolean>;
}

/** For what anybody may read. */
export const anonymous: Access = { headers: async () => ({}), renew: async () => false };

/** The header cannot be sent. Names the header, never its value. */
export class AccessError extends Error {
  override readonly name = 'AccessError';
  readonly code = 'ACCESS_HEADER_WRONG';
}

const headerName = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** Visible characters of ASCII, with blanks between them: what every server takes. */
const headerValue = /^[!-~]+(?:[ \t]+[!-~]+)*$/;

/** One header with every request, such as `Authorization: Token …`. Fails with an `AccessError` if it cannot be sent. */
export function fixedHeader(name: string, value: string): Access {
  if (!headerName.test(name)) {
    throw new AccessError(
      `Setting the access header: ${JSON.stringify(name)} is no name of a header. Give a name such as Authorization.`,
    );
  }
  if (!headerValue.test(value)) {
    throw new AccessError(
      `Setting the access header ${name}: its value (not shown) is empty, or has a line break, a character outside ASCII, or a blank at an end. Copy it again from where it was issued.`,
    );
  }
  const headers = { [name.toLowerCase()]: value };
  return { headers: async () => headers, renew: async () => false };
}
