/** The proxy cannot be reached, or does not connect to the server. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  readonly code: 'PROXY_UNREACHABLE' | 'PROXY_REFUSED';
  /** The code of the error, or the status of the proxy's response. */
  readonly detail: string;

  constructor(code: ProxyFailure['code'], detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}
