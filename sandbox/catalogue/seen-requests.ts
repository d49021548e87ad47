/** A request to the catalogue. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** When it arrived: UTC, ISO 8601. */
  readonly time: string;
  /** Without those that may hold a credential. */
  readonly headers: Readonly<Record<string, string>>;
}

const credential = /auth|cookie|token|key|secret|password|credential|signature/i;

/** Records a request without credentials. */
export function seenRequest(request: Request, now: number): SeenRequest {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method,
    path: pathname + search,
    time: new Date(now).toISOString(),
    headers: Object.fromEntries([...request.headers].filter(([name]) => !credential.test(name))),
  };
}
