import * as z from 'zod';
import type { SecretSource } from '../catalogue/identity/secret.ts';

/** The address of a webhook, and the key that signs what it is sent. */
export interface WebhookSecret {
  readonly url: string;
  readonly key?: string | undefined;
}

interface BotToken {
  readonly token: string;
  /** The address of the service's API, where it is not that for everyone. */
  readonly url?: string | undefined;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

/** The secret of all channels: one JSON object, an entry a name that the settings use. */
export interface ChannelSecrets {
  /** @throws {ChannelSecretError} when there is no such entry, or it is no webhook */
  webhook(name: string): Promise<WebhookSecret>;
  /** @throws {ChannelSecretError} when there is no such entry, or it is no token */
  token(name: string): Promise<BotToken>;
  /** @throws {ChannelSecretError} when there is no such entry, or it is no login */
  login(name: string): Promise<Login>;
  /** Reads the secret anew at the next call: what it held was refused. */
  forget(): void;
}

/** An entry of the channels' secret is missing or of another form. Shows nothing of the secret. */
export class ChannelSecretError extends Error {
  override readonly name = 'ChannelSecretError';
  readonly code = 'CHANNEL_SECRET_WRONG';
}

interface SecretEntries {
  /** The value of an entry; undefined where it is missing. */
  read(name: string): Promise<unknown>;
  /** Where the entry is, for messages: `the entry "lab-slack" of the secret arn:…`. */
  place(name: string): string;
  /** What to do where it is missing or wrong, as a sentence without its end. */
  readonly remedy: (name: string) => string;
  forget(): void;
}

/** A key of Standard Webhooks: 24 to 64 bytes in base64, after `whsec_`. */
const signingKey = z.string().refine(isSigningKey, {
  error: `its "key" (not shown) is not a signing key. Expected "whsec_" and 24 to 64 bytes in base64, such as the output of: echo "whsec_$(openssl rand -base64 32)"`,
});

function isSigningKey(key: string): boolean {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(key) ?? [];
  const bytes = Buffer.from(base64, 'base64').length;
  return base64.length % 4 === 0 && bytes >= 24 && bytes <= 64;
}

const webhookSchema = z.lazy(() =>
  z.union([
    z.string().transform((url): WebhookSecret => ({ url: url.trim() })),
    z.object({ url: z.string(), key: signingKey.optional() }),
  ]),
);
const tokenSchema = z.lazy(() =>
  z.union([
    z
      .string()
      .min(1)
      .transform((token): BotToken => ({ token: token.trim() })),
    z.object({ token: z.string().min(1), url: z.url({ protocol: /^https?$/ }).optional() }),
  ]),
);
const loginSchema = z.lazy(() => z.object({ user: z.string(), password: z.string() }));

/** The secrets of the channels as one JSON object. */
export const channelSecrets = (source: SecretSource): ChannelSecrets => secretsIn(entriesOf(source));

/** The secrets of the channels, wherever their entries are. */
export function secretsIn(entries: SecretEntries): ChannelSecrets {
  const entry = async <Value>(name: string, schema: z.ZodType<Value>, form: string): Promise<Value> => {
    const value = await entries.read(name);
    const found = schema.safeParse(value);
    if (found.success) return found.data;
    const own = ownProblem(found.error);
    if (own !== undefined)
      throw new ChannelSecretError(`Reading ${entries.place(name)}: ${own}; ${entries.remedy(name)}.`);
    const seen = value === undefined ? 'is missing' : 'has another form (not shown)';
    throw new ChannelSecretError(
      `Reading ${entries.place(name)}: it ${seen}. Expected ${form}; ${entries.remedy(name)}.`,
    );
  };
  return {
    webhook: (name) =>
      entry(name, webhookSchema, 'the address of the webhook as text, or { "url": …, "key": "whsec_…" }'),
    token: (name) => entry(name, tokenSchema, 'the token as text, or { "token": … }'),
    login: (name) => entry(name, loginSchema, '{ "user": …, "password": … }'),
    forget: () => entries.forget(),
  };
}

/** What a schema of ours says of a value that has the right form; no message of it shows the value. */
function ownProblem({ issues }: z.ZodError): string | undefined {
  const all = issues.flatMap((issue) => (issue.code === 'invalid_union' ? issue.errors.flat() : [issue]));
  return all.find(({ code }) => code === 'custom')?.message;
}

function entriesOf(source: SecretSource): SecretEntries {
  let kept: Promise<Readonly<Record<string, unknown>>> | null = null;
  return {
    async read(name) {
      kept ??= read(source);
      const all = await kept.catch((error: unknown) => {
        kept = null;
        throw error;
      });
      return Object.hasOwn(all, name) ? all[name] : undefined;
    },
    place: (name) => `the entry "${name}" of ${source.name}`,
    remedy: () => 'put it into the JSON object of that secret',
    forget: () => {
      kept = null;
    },
  };
}

async function read(source: SecretSource): Promise<Readonly<Record<string, unknown>>> {
  const text = await source.read().catch((cause: unknown) => {
    throw new ChannelSecretError(
      `Reading ${source.name}: it cannot be read. Check that it exists and may be read.`,
      { cause },
    );
  });
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The parser's message quotes the text.
  }
  throw new ChannelSecretError(
    `Reading ${source.name}: its text (not shown) is not a JSON object. Expected { "name": "https://…" } with one entry for each webhook that the settings name.`,
  );
}
