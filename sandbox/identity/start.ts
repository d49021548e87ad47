import {
  createIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './identity-provider.ts';
import { serve } from './serve.ts';

export interface StartedIdentityProvider extends IdentityProvider {
  close(): Promise<void>;
}

export interface StartOptions extends Omit<IdentityProviderOptions, 'authUrl'> {
  /** A free one where absent. */
  readonly port?: number;
}

/** Starts the identity provider on this machine. */
export async function startIdentityProvider({
  port,
  ...options
}: StartOptions): Promise<StartedIdentityProvider> {
  let provider: IdentityProvider | undefined;
  const { close } = await serve((authUrl) => {
    const made = createIdentityProvider({ ...options, authUrl });
    provider = made;
    return made.fetch;
  }, port);
  if (!provider) throw new Error('the identity provider was not made');
  return { ...provider, close };
}
