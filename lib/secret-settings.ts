import { text } from './setting-kinds.ts';

/** The ARN of a KMS key. */
export const keyArn = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;

/** A secret that the stack makes, or one of the laboratory's own. */
export const secretSchema = text(
  /^(make|arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6})$/,
  "'make' (the stack makes one for you to fill) or the whole ARN of a secret, its six characters at the end included",
).default('make');

/** The key of a secret of the laboratory's own, unless it is the key that AWS manages. */
export const secretKeySchema = text(keyArn, 'the ARN of the KMS key that encrypts the secret').optional();
