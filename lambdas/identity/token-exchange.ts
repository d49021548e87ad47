import type { Clock } from '../clock/clock.ts';
import { anonymous } from '../http/access.ts';
import type { Answer } from '../http/answer.ts';
import { createHttp } from '../http/http.ts';
import { readJson } from '../http/json.ts';
import type { Limits } from '../http/limits.ts';
import type { Log } from '../log/log.ts';
import type { Credential } from './credential.ts';
import { IdentityProviderError, identityProviderErrors } from './errors.ts';
import { tenantAddresses } from './tenant-addresses.ts';
import { tokenRefusal } from './token-refusal.ts';
import { readTokenReply, type Token } from './token-reply.ts';
import { type GrantSettings, tokenRequest } from './token-request.ts';

/** Where tokens are had, and how they are asked for. */
export interface IdentityProviderSettings extends GrantSettings {
  /** `{auth_url}` of the interface specification. */
  readonly authUrl: string;
  readonly tenantId: string;
}

export interface TokenExchangeOptions {
  readonly settings: IdentityProviderSettings;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits?: Partial<Limits> | undefined;
  /** Once aborted, what is under way ends at once and fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The token endpoint of one tenant. */
export interface TokenExchange {
  /** Its address. */
  readonly endpoint: string;
  /**
   * Asks for a token; where `patient`, a passing fault is waited out. Fails with an `IdentityError` where
   * credential or client are refused or the answer has no token, else with an `IdentityProviderError`.
   */
  ask(credential: Credential, patient: boolean): Promise<Token>;
  /** Requests sent so far. */
  requests(): number;
  close(): Promise<void>;
}

/** A token is some kB, and no run should wait longer for it than for its data. */
const tokenLimits: Partial<Limits> = {
  headersMs: 8_000,
  bodyMs: 5_000,
  exchangeMs: 10_000,
  bodyBytes: 64 * 1024,
  retries: 2,
  longestWaitMs: 10_000,
};

/** Fails with an `IdentityProviderError` (`…_ADDRESS_WRONG`) if the settings hold no usable address. */
export function createTokenExchange(options: TokenExchangeOptions): TokenExchange {
  const { settings, clock, log, limits, signal } = options;
  const { base, token: endpoint } = tenantAddresses(settings.authUrl, settings.tenantId);
  const http = createHttp({
    base,
    errors: identityProviderErrors,
    access: anonymous,
    clock,
    log,
    limits: { ...tokenLimits, ...limits },
    signal,
  });
  const path = endpoint.slice(base.href.length);

  const send = (credential: Credential, repeatable: boolean): Promise<Token> => {
    const request = tokenRequest(credential, { settings, endpoint, clock });
    return http.send({ method: 'POST', path, ...request, idempotent: repeatable }, (answer) =>
      readAnswer(answer, `Asking for a token at ${endpoint}`),
    );
  };

  const ask = async (credential: Credential, patient: boolean): Promise<Token> => {
    if (credential.kind === 'secret') return send(credential, patient);
    try {
      return await send(credential, false);
    } catch (error) {
      if (!(patient && error instanceof IdentityProviderError && error.passing)) throw error;
      // An assertion is good for one request; its repeat is a new one.
      return send(credential, false);
    }
  };

  return { endpoint, ask, requests: () => http.traffic.requests, close: http.close };
}

function readAnswer(answer: Answer, action: string): Token {
  const { status, fail } = answer;
  if (status !== 200 && status !== 400 && status !== 401) {
    const condition = status === 403 ? 'FORBIDDEN' : status === 404 ? 'NOT_FOUND' : 'REQUEST_REFUSED';
    throw fail(condition, `the answer is HTTP ${status}`);
  }
  // A 401 says all that matters by its status.
  const body = status === 401 ? readIfJson(answer) : readJson(answer);
  const refusal = tokenRefusal(answer, body, action);
  if (refusal) throw refusal;
  if (status !== 200) throw fail('REQUEST_REFUSED', `the answer is HTTP ${status} and states no error`);
  return readTokenReply(body, action);
}

function readIfJson(answer: Answer): unknown {
  try {
    return readJson(answer);
  } catch {
    return null;
  }
}
