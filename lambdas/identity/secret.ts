import type { Log } from '../log/log.ts';
import { IdentityError } from './errors.ts';
import type { SecretSource } from './secret-source.ts';

/** A secret that is read when it is first needed, and kept in memory. */
export interface Secret<Value> {
  /** Fails with an `IdentityError`: `SECRET_UNAVAILABLE`, or what `parse` fails with. */
  get(): Promise<Value>;
  /**
   * Reads past the memory, after `refused` was refused. Whether there is another value now; what was kept
   * stays where the keeper cannot be asked.
   */
  reread(refused: Value): Promise<boolean>;
}

export interface SecretOptions<Value> {
  readonly source: SecretSource;
  /** Fails with an `IdentityError` that quotes nothing of the text. */
  readonly parse: (text: string, action: string) => Value;
  readonly log: Log;
}

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
  /** One reading for any number of callers. */
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
        log.warn('The secret cannot be read again; the one in memory stays', { error });
        return false;
      }
    },
  };
}

interface Kept<Value> {
  readonly text: string;
  readonly value: Value;
}
