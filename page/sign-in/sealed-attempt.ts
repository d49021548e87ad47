import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { OneTimeUses } from './one-time-uses.ts';
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

interface SealingOptions {
  /** 32 bytes: who has them can read and forge attempts. */
  readonly key: Uint8Array;
  readonly uses: OneTimeUses;
  readonly clock: Pick<Clock, 'now'>;
}

/** Seals attempts with a key, so that every process that has the key can open them. */
export function createSealedAttempts({ key, uses, clock }: SealingOptions): SealedAttempts {
  const seconds = (): number => Math.floor(clock.now() / 1000);
  return {
    seal: (begun) =>
      new EncryptJWT({ ...begun })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(seconds() + SIGN_IN_SECONDS)
        .encrypt(key),
    async open(sealed) {
      const decrypted = await jwtDecrypt(sealed, key, {
        currentDate: new Date(clock.now()),
        requiredClaims: ['exp'],
      }).catch(() => null);
      const begun = begunSchema.safeParse(decrypted?.payload);
      if (!begun.success) return null;
      const ends = clock.now() + SIGN_IN_SECONDS * 1000;
      return (await uses.use(`sign-in ${begun.data.state}`, ends)) ? begun.data : null;
    },
  };
}
