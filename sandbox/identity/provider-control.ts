import { X509Certificate } from 'node:crypto';
import { Hono } from 'hono';
import * as z from 'zod';
import { BadBodyError, readBody } from '../read-body.ts';
import type { SigningKeys } from './signing-keys.ts';
import type { Directory } from './tenants.ts';

const lifetimeBody = z.strictObject({ seconds: z.number().min(0).max(86_400) });
const secretBody = z.strictObject({ client_id: z.string().min(1), client_secret: z.string().min(1) });
const certificateBody = z.strictObject({
  client_id: z.string().min(1),
  certificate: z.string().refine(isCertificate, 'not a certificate in PEM'),
});

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0;
  } catch {
    return false;
  }
}

/** The list that `GET /sandbox/` serves. */
const providerControlRoutes = {
  'GET /sandbox/': 'serves this list',
  'GET /sandbox/accounts': 'lists tenants, clients with their credentials, and users; all made up',
  'POST /sandbox/lifetime': 'sets the lifetime of tokens issued from now on: {"seconds": 5}',
  'POST /sandbox/revoke': 'revokes all tokens issued so far',
  'POST /sandbox/secrets': 'replaces a client secret: {"client_id": "…", "client_secret": "…"}',
  'POST /sandbox/certificates':
    'adds a client certificate: {"client_id": "…", "certificate": "-----BEGIN …"}',
  'POST /sandbox/keys': 'signs with a new key from now on',
} as const;

/** What can be changed of an identity provider while it runs. */
export interface ChangeableProvider {
  readonly directory: Directory;
  readonly keys: SigningKeys;
  /** Seconds, for tokens issued from now on. */
  setLifetime(seconds: number): void;
  /** Revokes all tokens issued so far. */
  revokeTokens(): void;
}

/** The HTTP interface under `/sandbox/` that changes the identity provider. */
export function providerControl({ directory, keys, setLifetime, revokeTokens }: ChangeableProvider): Hono {
  const app = new Hono();
  app.get('/sandbox/', (context) => context.json(providerControlRoutes));
  app.get('/sandbox/accounts', (context) => context.json(directory.tenants));

  app.post('/sandbox/lifetime', async (context) => {
    const { seconds } = await readBody(context, lifetimeBody);
    setLifetime(seconds);
    return context.json({ seconds });
  });

  app.post('/sandbox/revoke', (context) => {
    revokeTokens();
    return context.json({ revoked: true });
  });

  app.post('/sandbox/secrets', async (context) => {
    const { client_id: clientId, client_secret: secret } = await readBody(context, secretBody);
    directory.rotateSecret(clientId, secret);
    return context.json({ rotated: clientId });
  });

  app.post('/sandbox/certificates', async (context) => {
    const { client_id: clientId, certificate } = await readBody(context, certificateBody);
    directory.register(clientId, certificate);
    return context.json({ registered: clientId });
  });

  app.post('/sandbox/keys', (context) => {
    keys.rotate();
    return context.json({ rotated: true });
  });

  app.onError((error, context) =>
    context.json({ error: error.message }, error instanceof BadBodyError ? 400 : 500),
  );
  return app;
}
