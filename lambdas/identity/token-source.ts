import type { Clock } from '../clock/clock.ts';
import type { Log } from '../log/log.ts';
import type { Credential } from './credential.ts';
import { IdentityError, IdentityProviderError } from './errors.ts';
import type { Secret } from './secret.ts';
import type { TokenExchange } from './token-exchange.ts';
import type { Token } from './token-reply.ts';

/** Gives bearer tokens, and asks for as few as will do. */
export interface TokenSource {
  /** A token that is valid for now. Fails as the token endpoint and the secret do. */
  token(): Promise<string>;
  /**
   * Drops the token that an API refused and asks for another, past the memory. Where `refused` is not the
   * token held any more, another caller has done so already and nothing is asked.
   */
  renew(refused?: string): Promise<void>;
  /** Token requests sent so far. */
  requests(): number;
  close(): Promise<void>;
}

export interface TokenSourceOptions {
  readonly exchange: TokenExchange;
  readonly secret: Secret<Credential>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Held {
  readonly value: string;
  readonly expires: number;
  /** From here on another one is asked for, while this one still serves. */
  readonly renewFrom: number;
}

/** A token is renewed a tenth of its lifetime ahead of its end, and at most so many milliseconds. */
const EARLIEST_RENEWAL = 5 * 60_000;
/** After a renewal that failed, a token that still serves is used so long before the next. */
const RENEWAL_PAUSE = 30_000;
/** So long a credential that was refused is not shown again: providers lock out who knocks too often. */
const REFUSAL_PAUSE = 30_000;

export function createTokenSource({ exchange, secret, clock, log }: TokenSourceOptions): TokenSource {
  let held: Held | null = null;
  let pending: Promise<Held> | null = null;
  let closed: { readonly error: Error; readonly until: number } | null = null;

  const askOnce = async (credential: Credential, patient: boolean): Promise<Held> => {
    const asked = clock.now();
    const token = await exchange.ask(credential, patient);
    return holding(token, asked);
  };

  /** A refused credential is read again, once; what is refused then stays refused for a while. */
  const askWithSecret = async (patient: boolean): Promise<Held> => {
    const credential = await secret.get();
    try {
      return await askOnce(credential, patient);
    } catch (error) {
      if (!isRefusal(error) || !(await secret.reread(credential))) throw error;
      log.info('The credential was refused; it was changed meanwhile, and the new one is tried');
      return await askOnce(await secret.get(), patient);
    }
  };

  const ask = async (patient: boolean): Promise<Held> => {
    if (closed && clock.now() < closed.until) throw closed.error;
    try {
      held = await askWithSecret(patient);
      closed = null;
      const expires = new Date(held.expires).toISOString();
      log.info('A token was issued', { endpoint: exchange.endpoint, expires });
      return held;
    } catch (error) {
      closed = pauseAfter(error, clock.now());
      throw error;
    }
  };

  /** One request for any number of callers. */
  const shared = (patient: boolean): Promise<Held> => {
    pending ??= ask(patient).finally(() => {
      pending = null;
    });
    return pending;
  };

  const token = async (): Promise<string> => {
    const now = clock.now();
    const old = held;
    if (old && now < old.renewFrom) return old.value;
    if (!old || now >= old.expires) return (await shared(true)).value;
    try {
      return (await shared(false)).value;
    } catch (error) {
      if (held !== old || clock.now() >= old.expires) throw error;
      log.warn('The token cannot be renewed; the present one still serves', {
        error,
        expires: new Date(old.expires).toISOString(),
      });
      held = { ...old, renewFrom: clock.now() + RENEWAL_PAUSE };
      return old.value;
    }
  };

  return {
    token,
    renew: async (refused) => {
      if (refused !== undefined && held && held.value !== refused) return;
      held = null;
      await shared(true);
    },
    requests: exchange.requests,
    close: exchange.close,
  };
}

function holding({ value, lifetime }: Token, asked: number): Held {
  const milliseconds = lifetime * 1000;
  const expires = asked + milliseconds;
  return { value, expires, renewFrom: expires - Math.min(EARLIEST_RENEWAL, milliseconds / 10) };
}

const isRefusal = (error: unknown): error is IdentityError =>
  error instanceof IdentityError && error.code === 'CREDENTIAL_REFUSED';

/** Until when nobody is to be asked after this error; null where the next caller may try at once. */
function pauseAfter(error: unknown, now: number): { readonly error: Error; readonly until: number } | null {
  if (isRefusal(error)) return { error, until: now + REFUSAL_PAUSE };
  if (error instanceof IdentityProviderError && error.notBefore !== null)
    return { error, until: error.notBefore };
  return null;
}
