import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import type { Access } from '../http/access.ts';
import type { Credential } from './credential.ts';
import { IdentityError, IdentityProviderError, type Secret } from './secret.ts';
import type { Token, TokenExchange } from './token-exchange.ts';

/** A source of bearer tokens that sends as few token requests as possible. */
export interface TokenSource {
  /**
   * Returns a token that is valid now.
   *
   * @throws the errors of `TokenExchange.ask` and `Secret.get`
   */
  token(): Promise<string>;
  /**
   * Replaces a token that an API refused. Where `refused` is no longer the current token, another caller has replaced it
   * already, and no request is sent.
   */
  renew(refused?: string): Promise<void>;
  requests(): number;
  close(): Promise<void>;
}

interface TokenSourceOptions {
  readonly exchange: TokenExchange;
  readonly secret: Secret<Credential>;
  readonly clock: Clock;
  readonly log: Log;
}

interface CurrentToken {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expires: number;
  /** From this time on a new token is requested, while this one is still used. */
  readonly renewFrom: number;
}

/** A token is renewed when a tenth of its lifetime is left, at most this many milliseconds before it expires. */
const EARLIEST_RENEWAL = 5 * 60_000;
/** After a failed renewal, the time in milliseconds until the next, while the current token is used. */
const RENEWAL_PAUSE = 30_000;
/** After a refusal, the time in milliseconds without token requests: providers lock out clients that keep failing. */
const REFUSAL_PAUSE = 30_000;

/** Creates a source of tokens for one client at one token endpoint. */
export function createTokenSource({ exchange, secret, clock, log }: TokenSourceOptions): TokenSource {
  let current: CurrentToken | null = null;
  let pending: Promise<CurrentToken> | null = null;
  let paused: { readonly error: Error; readonly until: number } | null = null;

  const ask = async (credential: Credential, retry: boolean): Promise<CurrentToken> => {
    const asked = clock.now();
    return currentToken(await exchange.ask(credential, retry), asked);
  };

  /** Where the credential is refused and the secret has changed, tries once with the new one. */
  const askWithSecret = async (retry: boolean): Promise<CurrentToken> => {
    const credential = await secret.get();
    try {
      return await ask(credential, retry);
    } catch (error) {
      if (!isRefusal(error) || !(await secret.reread(credential))) throw error;
      log.info('The credential was refused; the secret has changed, so the new credential is tried');
      return await ask(await secret.get(), retry);
    }
  };

  const request = async (retry: boolean): Promise<CurrentToken> => {
    if (paused && clock.now() < paused.until) throw paused.error;
    try {
      current = await askWithSecret(retry);
      paused = null;
      const expires = new Date(current.expires).toISOString();
      log.info('A token was issued', { endpoint: exchange.endpoint, expires });
      return current;
    } catch (error) {
      paused = pauseAfter(error, clock.now());
      throw error;
    }
  };

  /** Sends one request for any number of simultaneous callers. */
  const requestOnce = (retry: boolean): Promise<CurrentToken> => {
    pending ??= request(retry).finally(() => {
      pending = null;
    });
    return pending;
  };

  const token = async (): Promise<string> => {
    const now = clock.now();
    const old = current;
    if (old && now < old.renewFrom) return old.value;
    if (!old || now >= old.expires) return (await requestOnce(true)).value;
    try {
      return (await requestOnce(false)).value;
    } catch (error) {
      if (current !== old || clock.now() >= old.expires) throw error;
      log.warn('The token cannot be renewed; the current one is still valid', {
        error,
        expires: new Date(old.expires).toISOString(),
      });
      current = { ...old, renewFrom: clock.now() + RENEWAL_PAUSE };
      return old.value;
    }
  };

  return {
    token,
    renew: async (refused) => {
      if (refused !== undefined && current && current.value !== refused) return;
      current = null;
      await requestOnce(true);
    },
    requests: exchange.requests,
    close: exchange.close,
  };
}

function currentToken({ value, lifetime }: Token, asked: number): CurrentToken {
  const milliseconds = lifetime * 1000;
  const expires = asked + milliseconds;
  return { value, expires, renewFrom: expires - Math.min(EARLIEST_RENEWAL, milliseconds / 10) };
}

const isRefusal = (error: unknown): error is IdentityError =>
  error instanceof IdentityError && error.code === 'CREDENTIAL_REFUSED';

/** The time until which no request is sent after this error; null where the next caller may try at once. */
function pauseAfter(error: unknown, now: number): { readonly error: Error; readonly until: number } | null {
  if (isRefusal(error)) return { error, until: now + REFUSAL_PAUSE };
  if (error instanceof IdentityProviderError && error.notBefore !== null)
    return { error, until: error.notBefore };
  return null;
}

const PREFIX = 'Bearer ';

/** Sends `Authorization: Bearer <token>` with every request. Source: docs/interfaces.md, "Using a token". */
export function bearerAccess(tokens: Pick<TokenSource, 'token' | 'renew'>): Access {
  return {
    headers: async () => ({ authorization: `${PREFIX}${await tokens.token()}` }),
    renew: async (refused) => {
      await tokens.renew(refused?.authorization?.slice(PREFIX.length));
      return true;
    },
  };
}
