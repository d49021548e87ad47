import { randomBytes } from 'node:crypto';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../lambdas/clock/clock.ts';
import type { Attempt } from './provider.ts';

/** A sign-in that has begun, and where the person wanted to go. */
interface BegunSignIn extends Attempt {
  /** A path of the page. */
  readonly to: string;
}

/** Seals what has begun into a text for a cookie, which nobody can read or forge, and opens it once. */
interface SealedAttempts {
  seal(begun: BegunSignIn): Promise<string>;
  /** Null where the text was not sealed here, is older than ten minutes, or was opened before. */
  open(sealed: string): Promise<BegunSignIn | null>;
}

/** How long a person may take to sign in. */
export const SIGN_IN_SECONDS = 600;

const begunSchema = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() });

/** The key is of this process: who signs in while the page is started again begins once more. */
export function createSealedAttempts(clock: Pick<Clock, 'now'>): SealedAttempts {
  const key = randomBytes(32);
  const opened = new Map<string, number>();
  const seconds = (): number => Math.floor(clock.now() / 1000);
  return {
    seal: (begun) =>
      new EncryptJWT({ ...begun })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(seconds() + SIGN_IN_SECONDS)
        .encrypt(key),
    async open(sealed) {
      for (const [state, ends] of opened) if (ends < seconds()) opened.delete(state);
      const decrypted = await jwtDecrypt(sealed, key, {
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp'],
      }).catch(() => null);
      const begun = begunSchema.safeParse(decrypted?.payload);
      if (!begun.success || opened.has(begun.data.state)) return null;
      opened.set(begun.data.state, seconds() + SIGN_IN_SECONDS);
      return begun.data;
    },
  };
}
