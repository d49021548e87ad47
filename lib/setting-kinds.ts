import * as z from 'zod';
import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';

/** The kinds of value that settings have. Each says what it wants, for the error that names key and value. */

/** Text of a given form. */
export const text = (form: RegExp, wanted: string) =>
  z.string({ error: wanted }).regex(form, { error: wanted });

/** A number in [min, max]. */
export const number = (min: number, max: number) => {
  const error = `a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
};

/** A whole number in [min, max]. */
export const wholeNumber = (min: number, max: number) => {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
};

/** For a rule over several keys: it is checked also where some keys are wrong, so that one error reports all. */
export const alsoWithErrors = {
  when: ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null,
};

/** Ids of AWS resources, from one to as many as a function of Lambda takes: `subnet-0a1b…`. */
export const ids = (kind: string, what: string, most: number) => {
  const error = `a list of one to ${most} ids of ${what}, such as '${kind}-0a1b2c3d'`;
  return z
    .array(text(new RegExp(`^${kind}-[0-9a-f]+$`), `the id of ${what}, such as '${kind}-0a1b2c3d'`), {
      error,
    })
    .min(1, { error })
    .max(most, { error });
};

/** A fixed set of keys; a key outside it is an error that lists the set (`keysListedIn` reads it). */
export const group = <const Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `${ONLY}${Object.keys(shape).join(', ')}` : 'an object { … }',
  });

const ONLY = 'only ';

/** The keys that the error of a `group` about an unknown key lists; none of another error. */
export const keysListedIn = (error: string): readonly string[] =>
  error.startsWith(ONLY) ? error.slice(ONLY.length).split(', ') : [];

/** A value of one of several forms; an error is that of the form that the value is meant to have. */
export const formMeant = <Value, Input>(meant: (value: unknown) => z.ZodType<Value>) =>
  z.unknown().transform((value, context): Value => {
    const result = meant(value).safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) context.issues.push({ ...issue, input: value } as never);
    return z.NEVER;
  }) as unknown as z.ZodType<Value, Input>;

/** Names of the laboratory's own choice, each with a value of one kind; under a wrong name, it is checked as well. */
export const keyed = <Value extends z.ZodType>(key: z.ZodString, value: Value) =>
  z.record(z.string(), value, { error: 'an object { name: … }' }).superRefine((entries, { addIssue }) => {
    for (const name of Object.keys(entries)) {
      const { error } = key.safeParse(name);
      if (error) addIssue({ code: 'invalid_key', origin: 'record', path: [name], issues: error.issues });
    }
  }, alsoWithErrors);

/** An https address without credentials, query or fragment; http only for this machine, where tests run. */
export const url = z.string({ error: 'an https address' }).refine(isPlainAddress, {
  error: 'an https address (http only for localhost) without credentials, query and fragment',
});

/** The address of a page within a laboratory, by http or https, without a user. */
export const pageUrl = z.string({ error: "a page's address" }).refine(isPageAddress, {
  error: "a page's address without a user, such as 'https://panels.example.org/'",
});

function isPageAddress(value: string): boolean {
  if (!URL.canParse(value) || /\s/.test(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && !username && !password;
}

/** The address of an HTTP proxy, by http or https, without a user. */
export const proxyUrl = z.string({ error: 'the address of a proxy' }).refine(isProxyAddress, {
  error: "the address of a proxy without a user and a path, such as 'http://proxy.example.org:3128'",
});

function isProxyAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(value);
  return /^https?:$/.test(protocol) && !username && !password && pathname === '/' && !search && !hash;
}

function isPlainAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(value);
  if (username || password || search || hash) return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Whether an address is that of whichever machine asks. */
export const isThisMachine = (address: string): boolean => isLoopback(new URL(address).hostname);

/** The ARN of a KMS key. */
export const keyArn = /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/;

/** A secret that the stack makes, or one of the laboratory's own. */
export const secretSchema = text(
  /^(make|arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6})$/,
  "'make' (the stack makes one for you to fill) or the whole ARN of a secret, its six characters at the end included",
).default('make');

/** The key of a secret of the laboratory's own, unless it is the key that AWS manages. */
export const secretKeySchema = text(keyArn, 'the ARN of the KMS key that encrypts the secret').optional();
