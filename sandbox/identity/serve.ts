import { listen } from '../listen.ts';
import type { Certificate } from '../tls/self-signed.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

interface ServeOptions {
  /** A free one by default. */
  readonly port?: number | undefined;
  /** Serves over TLS with this certificate. */
  readonly tls?: Certificate | undefined;
}

/**
 * Serves on 127.0.0.1 what is made for the address. Until it is made, responses are 503.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function serve(
  createHandler: (url: string) => Fetch,
  options: ServeOptions = {},
): Promise<Awaited<ReturnType<typeof listen>>> {
  let handler: Fetch = () => new Response(null, { status: 503 });
  const listening = await listen((request) => handler(request), options);
  handler = createHandler(listening.url);
  return listening;
}
