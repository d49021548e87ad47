import { listen } from '../listen.ts';
import type { Certificate } from '../tls/self-signed.ts';
import {
  createIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './identity-provider.ts';

/** An identity provider that is served. */
export interface StartedIdentityProvider extends IdentityProvider {
  close(): Promise<void>;
}

export interface StartOptions extends Omit<IdentityProviderOptions, 'authUrl'> {
  /** A free one by default. */
  readonly port?: number;
  /** Serves over TLS with this certificate. */
  readonly tls?: Certificate | undefined;
}

/**
 * Starts an identity provider on 127.0.0.1.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function startIdentityProvider({
  port,
  tls,
  ...options
}: StartOptions): Promise<StartedIdentityProvider> {
  let provider: IdentityProvider | undefined;
  const { close } = await serve(
    (authUrl) => {
      const made = createIdentityProvider({ ...options, authUrl });
      provider = made;
      return made.fetch;
    },
    { port, tls },
  );
  if (!provider) throw new Error('the identity provider was not created');
  return { ...provider, close };
}

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
