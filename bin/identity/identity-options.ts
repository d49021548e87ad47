import type { BasicStyle } from '../../lambdas/identity/basic-header.ts';
import type { SecretSource } from '../../lambdas/identity/secret-source.ts';
import { secretsManagerSecret } from '../../lambdas/identity/secrets-manager.ts';
import type { IdentityProviderSettings } from '../../lambdas/identity/token-exchange.ts';
import { type Io, UsageError } from '../command.ts';
import { environmentSecret, fileSecret } from './secret-sources.ts';

/** The options by which a command learns of the identity provider; each may come from the environment. */
export const identityOptions = {
  'auth-url': { type: 'string' },
  tenant: { type: 'string' },
  resource: { type: 'string' },
  scope: { type: 'string' },
  basic: { type: 'string' },
  'secret-file': { type: 'string' },
  'secret-id': { type: 'string' },
} as const;

export const identityUsage = `Identity provider (each option has an environment variable of its own):
  --auth-url URL      its address; AUTH_URL
  --tenant ID         the tenant, as it stands in the address; TENANT_ID
  --resource URI      what the token is for, where the tenant asks for it; AUTH_RESOURCE
  --scope SCOPE       what the token is good for, where the tenant asks for it; AUTH_SCOPE
  --basic form|raw    how id and secret stand in the Basic header: form-encoded, or as they are for servers
                      that do not decode (default: form); AUTH_BASIC

Credential, never an argument by itself; the first of these that is given:
  --secret-file FILE  JSON: {"client_id": "…", "client_secret": "…"}, or with "private_key" and "certificate" in
                      place of the secret; SECRET_FILE
  CLIENT_ID, CLIENT_SECRET in the environment
  --secret-id ID      name or ARN of a secret in AWS Secrets Manager, in the form of the file; SECRET_ID`;

type Values = { readonly [Name in keyof typeof identityOptions]?: string | undefined };

/** Where tokens are had, and where the credential is kept. */
export interface Identity {
  readonly settings: IdentityProviderSettings;
  readonly source: SecretSource;
}

/** Whether anything is said of an identity provider at all. */
export function namesIdentity(values: Values, env: Io['env']): boolean {
  return Boolean(values['auth-url'] ?? env.AUTH_URL);
}

/** What the options and the environment say; fails with a `UsageError` that names what is missing. */
export function readIdentity(values: Values, env: Io['env']): Identity {
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
  if (secretId) return secretsManagerSecret({ secretId });
  throw new UsageError(
    'a credential is missing: give --secret-file, or CLIENT_ID and CLIENT_SECRET in the environment, or --secret-id',
  );
}

function readBasic(text: string | undefined): BasicStyle | undefined {
  if (text === undefined || text === 'form' || text === 'raw') return text;
  throw new UsageError(`--basic ${JSON.stringify(text)}: wanted form or raw`);
}
