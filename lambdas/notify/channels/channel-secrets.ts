import * as z from 'zod';
import type { SecretSource } from '../../identity/secret-source.ts';

/** The address of a webhook, and the key that signs what it is sent. */
export interface WebhookSecret {
  readonly url: string;
  readonly key?: string | undefined;
}

interface Login {
  readonly user: string;
  readonly password: string;
}

/** The secret of all channels: one JSON object, an entry a name that the settings use. */
export interface ChannelSecrets {
  /** @throws {ChannelSecretError} when there is no such entry, or it is no webhook */
  webhook(name: string): Promise<WebhookSecret>;
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

/** Where the entries of the channels' secrets are. */
interface SecretEntries {
  /** The value of an entry; undefined where it is missing. */
  read(name: string): Promise<unknown>;
  /** Where the entry is, for messages: `the entry "lab-slack" of the secret arn:…`. */
  place(name: string): string;
  /** What to do where it is missing or wrong, as a sentence without its end. */
  readonly remedy: (name: string) => string;
  /** Reads anew at the next call. */
  forget(): void;
}

const webhookSchema = z.union([
  z.string().transform((url): WebhookSecret => ({ url: url.trim() })),
  z.object({ url: z.string(), key: z.string().optional() }),
]);
const loginSchema = z.object({ user: z.string(), password: z.string() });

/** The secrets of the channels as one JSON object. */
export const channelSecrets = (source: SecretSource): ChannelSecrets => secretsIn(entriesOf(source));

/** The secrets of the channels, wherever their entries are. */
export function secretsIn(entries: SecretEntries): ChannelSecrets {
  const entry = async <Value>(name: string, schema: z.ZodType<Value>, form: string): Promise<Value> => {
    const value = await entries.read(name);
    const found = schema.safeParse(value);
    if (found.success) return found.data;
    const seen = value === undefined ? 'is missing' : 'has another form (not shown)';
    throw new ChannelSecretError(
      `Reading ${entries.place(name)}: it ${seen}. Expected ${form}; ${entries.remedy(name)}.`,
    );
  };
  return {
    webhook: (name) =>
      entry(name, webhookSchema, 'the address of the webhook as text, or { "url": …, "key": "whsec_…" }'),
    login: (name) => entry(name, loginSchema, '{ "user": …, "password": … }'),
    forget: () => entries.forget(),
  };
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
