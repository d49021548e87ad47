import type { Provider } from '../../../page/sign-in/provider.ts';
import type { SecretSource } from '../../catalogue/identity/secret-source.ts';

/** Opens a provider with the secret that the page has there; null for a client without one. */
type OpenProvider = (secret: string | null) => Provider;

/**
 * A provider whose secret is read when it is first needed, and again when the provider refuses it: so a new secret needs no
 * deployment.
 * @param secret null for a client without one
 */
export function renewingProvider(secret: SecretSource | null, open: OpenProvider): Provider {
  let current: Promise<{ readonly text: string | null; readonly provider: Provider }> | undefined;
  const read = async () => {
    const text = secret === null ? null : (await secret.read()).trim();
    return { text, provider: open(text) };
  };
  const opened = () => {
    current ??= read().catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    return current;
  };
  return {
    begin: async () => (await opened()).provider.begin(),
    readLogout: async (token) => (await opened()).provider.readLogout(token),
    async finish(callback, attempt) {
      const before = await opened();
      try {
        return await before.provider.finish(callback, attempt);
      } catch (error) {
        if (!isRefusedClient(error)) throw error;
        current = undefined;
        const now = await opened();
        if (now.text === before.text) throw error;
        return now.provider.finish(callback, attempt);
      }
    },
  };
}

/** The error of RFC 6749 for a client whose secret is wrong; it comes as an error of the body, or as a challenge. */
const isRefusedClient = (error: unknown): boolean => {
  const { error: code, status, cause } = error as { error?: unknown; status?: unknown; cause?: unknown };
  return (
    code === 'invalid_client' || status === 401 || (cause as { status?: unknown } | undefined)?.status === 401
  );
};
