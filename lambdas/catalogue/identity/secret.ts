import type { Log } from '../../run/log.ts';
import { IdentityError } from './errors.ts';

/** The place where the text of a secret is stored. */
export interface SecretSource {
  /** Its name in messages, such as `the secret arn:…`. */
  readonly name: string;
  /**
   * Reads the present text; each call reads it again.
   *
   * @throws the error of the store
   */
  read(): Promise<string>;
}

/** A secret that is read when it is first needed, then kept in memory. */
export interface Secret<Value> {
  /**
   * Returns the value in memory, and reads it first where there is none.
   *
   * @throws {IdentityError} `SECRET_UNAVAILABLE`, or the error of `parse`
   */
  get(): Promise<Value>;
  /**
   * Reads the secret again after `refused` was refused. True when there is another value now. Where reading fails,
   * the value in memory stays.
   */
  reread(refused: Value): Promise<boolean>;
}

interface SecretOptions<Value> {
  readonly source: SecretSource;
  /** Throws an `IdentityError` that quotes nothing of the text. */
  readonly parse: (text: string, action: string) => Value;
  readonly log: Log;
}

/** Creates a secret that reads from `source`. */
export function createSecret<Value>({ source, parse, log }: SecretOptions<Value>): Secret<Value> {
  const action = `Reading ${source.name}`;
  let kept: Kept<Value> | null = null;
  let pending: Promise<Kept<Value>> | null = null;

  const load = async (): Promise<Kept<Value>> => {
    const text = await source.read().catch((cause: unknown) => {
      throw new IdentityError('SECRET_UNAVAILABLE', action, 'it cannot be read', { cause });
    });
    if (text !== kept?.text) kept = { text, value: parse(text, action) };
    return kept;
  };
  /** Reads once for any number of simultaneous callers. */
  const loadOnce = (): Promise<Kept<Value>> => {
    pending ??= load().finally(() => {
      pending = null;
    });
    return pending;
  };

  return {
    get: async () => (kept ?? (await loadOnce())).value,
    reread: async (refused) => {
      if (kept && kept.value !== refused) return true;
      try {
        return (await loadOnce()).value !== refused;
      } catch (error) {
        log.warn('The secret cannot be read again; the value in memory is kept', { error });
        return false;
      }
    },
  };
}

interface Kept<Value> {
  readonly text: string;
  readonly value: Value;
}
