import { readFile } from 'node:fs/promises';
import { type Access, anonymous, fixedHeader } from '../lambdas/catalogue/http/access.ts';
import type { BasicStyle } from '../lambdas/catalogue/identity/credential.ts';
import type { SecretSource } from '../lambdas/catalogue/identity/secret.ts';
import type { Clock } from '../lambdas/run/clock.ts';
import type { Log } from '../lambdas/run/log.ts';
import { orUsage } from './arguments.ts';
import { type Io, UsageError } from './command.ts';
import { inSection, type OptionValues, text } from './declare-command.ts';

const providerOptions = inSection(
  { heading: 'Identity provider (each option has an environment variable):' },
  {
    'auth-url': text('URL', 'its address; AUTH_URL'),
    tenant: text('ID', 'the id of the tenant, as in the address; TENANT_ID'),
    resource: text('URI', 'the resource that the token is for, where the tenant requires it; AUTH_RESOURCE'),
    scope: text('SCOPE', 'the scope of the token, where the tenant requires it; AUTH_SCOPE'),
    basic: text(
      'raw|form',
      'client id and secret in the Basic header: raw, as they are; form, each percent-encoded (default: raw, then form if raw is refused); AUTH_BASIC',
    ),
  },
);
const secretOptions = inSection(
  {
    heading:
      'Credential (the first of these that is given; it is never an argument, because other users could read that):',
  },
  {
    'secret-file': text(
      'FILE',
      'JSON: {"client_id": "…", "client_secret": "…"}, or "private_key" and "certificate" in place of the secret; SECRET_FILE. After it come CLIENT_ID and CLIENT_SECRET in the environment',
    ),
    'secret-id': text(
      'ID',
      'name or ARN of a secret in AWS Secrets Manager, in the form of the file; SECRET_ID',
    ),
  },
);

/** The options that describe the identity provider. */
export const identityOptions = { ...providerOptions, ...secretOptions };

/** The options of an identity provider, for a catalogue that may require it. */
export const accessOptions = inSection(
  {
    heading: 'Access, where the catalogue requires credentials, is one of:',
    isBrief: true,
    note: `  CATALOGUE_AUTHORIZATION in the environment: the value of the Authorization header, such as "Token …"
  --auth-url, --tenant, --secret-file … of an identity provider: see gene-panel-notifier api token --help`,
  },
  identityOptions,
);

type Values = OptionValues<typeof identityOptions>;

/** The token endpoint, and the place of the credential. */
export type Identity = ReturnType<typeof readIdentity>;

/** Whether an identity provider is given. */
export function namesIdentity(values: Values, env: Io['env']): boolean {
  return Boolean(values['auth-url'] ?? env.AUTH_URL);
}

/**
 * Reads the options and the environment.
 *
 * @throws {UsageError} naming what is missing or wrong
 */
export function readIdentity(values: Values, env: Io['env']) {
  const given = (option: string, value: string | undefined, name: string): string => {
    const found = value ?? env[name];
    if (found) return found;
    throw new UsageError(`${option} is missing (or ${name} in the environment)`);
  };
  return {
    settings: {
      authUrl: given('--auth-url', values['auth-url'], 'AUTH_URL'),
      tenantId: given('--tenant', values.tenant, 'TENANT_ID'),
      resource: values.resource ?? env.AUTH_RESOURCE,
      scope: values.scope ?? env.AUTH_SCOPE,
      basic: readBasic(values.basic ?? env.AUTH_BASIC),
    },
    source: readSource(values, env),
  };
}

function readSource(values: Values, env: Io['env']): SecretSource {
  const file = values['secret-file'] ?? env.SECRET_FILE;
  if (file) return fileSecret(file);
  if (env.CLIENT_ID && env.CLIENT_SECRET) return environmentSecret(env);
  const secretId = values['secret-id'] ?? env.SECRET_ID;
  if (secretId) return storedSecret(secretId);
  throw new UsageError(
    'a credential is missing: give --secret-file, or CLIENT_ID and CLIENT_SECRET in the environment, or --secret-id',
  );
}

/** A secret of AWS Secrets Manager, whose client few commands need: it is loaded when the secret is read. */
function storedSecret(secretId: string): SecretSource {
  let source: SecretSource | undefined;
  const read = async (): Promise<string> => {
    const { secretsManagerSecret } = await import('../lambdas/catalogue/identity/secrets-manager.ts');
    source ??= secretsManagerSecret({ secretId });
    return source.read();
  };
  return { name: `the secret ${secretId}`, read };
}

function readBasic(text: string | undefined): BasicStyle | undefined {
  if (text === undefined || text === 'form' || text === 'raw') return text;
  throw new UsageError(`--basic ${JSON.stringify(text)}: expected raw or form`);
}

/** A secret in a file, read again each time, because it may be rotated. */
function fileSecret(path: string): SecretSource {
  // Some editors on Windows begin a file with a byte order mark, which is not JSON.
  const read = async (): Promise<string> => (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  return { name: `the secret in ${path}`, read };
}

function environmentSecret({ CLIENT_ID, CLIENT_SECRET }: Io['env']): SecretSource {
  const text = JSON.stringify({ client_id: CLIENT_ID, client_secret: CLIENT_SECRET });
  return { name: 'the secret in CLIENT_ID and CLIENT_SECRET', read: async () => text };
}

/** A credential, and the token endpoint that accepts it. */
export type OpenIdentity = Awaited<ReturnType<typeof openIdentity>>;

interface IdentityContext {
  readonly clock: Clock;
  readonly log: Log;
  /** When aborted, the exchange under way ends. */
  readonly signal?: AbortSignal;
}

/**
 * Prepares the use of an identity provider, whose code is loaded here alone. No request is sent yet.
 * @throws {UsageError} when the address of the provider is unusable
 */
export async function openIdentity({ settings, source }: Identity, { clock, log, signal }: IdentityContext) {
  const [{ readCredential }, { createSecret }, { createTokenExchange }, { bearerAccess, createTokenSource }] =
    await Promise.all([
      import('../lambdas/catalogue/identity/credential.ts'),
      import('../lambdas/catalogue/identity/secret.ts'),
      import('../lambdas/catalogue/identity/token-exchange.ts'),
      import('../lambdas/catalogue/identity/token-source.ts'),
    ]);
  const exchange = orUsage(
    () => createTokenExchange({ settings, clock, log, signal }),
    '--auth-url or --tenant (AUTH_URL, TENANT_ID)',
  );
  const secret = createSecret({ source, parse: readCredential, log });
  const tokens = createTokenSource({ exchange, secret, clock, log });
  return {
    secret,
    exchange,
    /** Sends a bearer token with each request, and renews it when needed. */
    access: bearerAccess(tokens),
    close: tokens.close,
  };
}

/** A catalogue access with its connections. */
interface OpenAccess {
  readonly access: Access;
  close(): Promise<void>;
}

const withoutClosing = (access: Access): OpenAccess => ({ access, close: async () => {} });

/** The access to a catalogue that requires none. */
export const openToAll = withoutClosing(anonymous);

/**
 * Creates the access to a catalogue: a header from the environment, else a token of the identity provider where one is
 * given, else none.
 *
 * @throws {UsageError} when an identity provider is given without a usable credential
 */
export async function openAccess(values: Values, { env, clock, signal }: Io, log: Log): Promise<OpenAccess> {
  const authorization = env.CATALOGUE_AUTHORIZATION;
  if (authorization) return withoutClosing(fixedHeader('Authorization', authorization));
  if (!namesIdentity(values, env)) return openToAll;
  return openIdentity(readIdentity(values, env), { clock, log, signal });
}
