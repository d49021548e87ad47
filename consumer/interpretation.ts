/**
 * What the code of subscribers imports as `gene-panel-notifier/interpretation`: a client of the interpretation API,
 * with the identity provider that gives its tokens.
 */
import type * as z from 'zod';
import { systemClock } from '../lambdas/clock/clock.ts';
import { defaultLimits, type Limits } from '../lambdas/http/limits.ts';
import { readListing } from '../lambdas/http/listing.ts';
import { accessOf } from '../lambdas/identity/access-of.ts';
import type { Query } from '../lambdas/interpretation/application-client.ts';
import { InterpretationError } from '../lambdas/interpretation/errors.ts';
import {
  createInterpretationApi,
  type InterpretationApi,
} from '../lambdas/interpretation/interpretation-api.ts';
import type { PathParts } from '../lambdas/interpretation/resource-path.ts';
import { jsonLog, type Log } from '../lambdas/log/log.ts';

export { IdentityError, IdentityProviderError } from '../lambdas/identity/errors.ts';
export type { Payload, Query } from '../lambdas/interpretation/application-client.ts';
export { InterpretationError } from '../lambdas/interpretation/errors.ts';
export type { InterpretationApi } from '../lambdas/interpretation/interpretation-api.ts';
export type { PathParts } from '../lambdas/interpretation/resource-path.ts';
export type { Log } from '../lambdas/log/log.ts';

export interface InterpretationOptions {
  /** The address of the interpretation API. Tokens are sent to this origin only. */
  readonly baseUrl: string;
  /** The address of the identity provider, without the tenant. */
  readonly authUrl: string;
  readonly tenantId: string;
  /** The resource and the scope of the token, where the tenant requires them. */
  readonly resource?: string;
  readonly scope?: string;
  /**
   * Gives the text of the secret: `{"client_id": "…", "client_secret": "…"}`, or `private_key` and `certificate` in
   * place of `client_secret`. It is called before the first request, and again when the credential is refused.
   */
  readonly credential: () => Promise<string>;
  /** Standard error by default, one JSON object a line. */
  readonly log?: Log;
  readonly limits?: Partial<Limits>;
}

/** How to read the items of a list. */
export interface ItemsOptions<Item> {
  /** Reads one item. An item that it refuses is left out. */
  readonly schema: z.ZodType<Item>;
  /** Gives a text that is different for each item. */
  readonly identify: (item: Item) => string;
  readonly query?: Query;
}

/** The items of all pages of a list. */
export interface Items<Item> {
  /** Each item once. */
  readonly items: readonly Item[];
  /** False where items may be missing: the list changed while it was read, or the schema refused an item. */
  readonly complete: boolean;
}

/** A client of the interpretation API that gets its tokens itself. */
export interface InterpretationClient extends InterpretationApi {
  /** Reads every page of a list. */
  getAll<Item>(parts: PathParts, options: ItemsOptions<Item>): Promise<Items<Item>>;
}

/**
 * Creates a client. It sends no request yet. Keep it for the lifetime of the process, since it keeps its token.
 *
 * @throws {InterpretationError} `INTERPRETATION_ADDRESS_WRONG` when `baseUrl` is unusable
 * @throws {IdentityProviderError} `IDENTITY_PROVIDER_ADDRESS_WRONG` when `authUrl` or `tenantId` is unusable
 */
export function openInterpretationApi(options: InterpretationOptions): InterpretationClient {
  const { baseUrl, authUrl, tenantId, resource, scope, credential, limits = {} } = options;
  const { log = jsonLog((line) => process.stderr.write(`${line}\n`), systemClock.now) } = options;
  const tools = { clock: systemClock, log, limits };
  const access = accessOf(
    {
      ACCESS: 'client-credentials',
      SECRET_ID: 'credential',
      AUTH_URL: authUrl,
      TENANT_ID: tenantId,
      AUTH_RESOURCE: resource,
      AUTH_SCOPE: scope,
    },
    { ...tools, source: () => ({ name: 'the credential', read: credential }) },
  );
  const api = createInterpretationApi({ ...tools, baseUrl, access });
  return {
    ...api,
    getAll: async (parts, { schema, identify, query = {} }) => {
      const name = parts.join('/');
      return readListing({
        name,
        schema,
        identify,
        readPage: (page) => api.getPage(parts, page, query),
        pages: limits.pages ?? defaultLimits.pages,
        log,
        fail: (condition, seen) => new InterpretationError({ condition, action: `Reading ${name}`, seen }),
      });
    },
    close: async () => {
      await Promise.all([api.close(), access.close()]);
    },
  };
}
