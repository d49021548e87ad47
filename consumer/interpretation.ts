/**
 * What the code of subscribers imports as `gene-panel-notifier/interpretation`: a client of the interpretation API,
 * with the identity provider that gives its tokens.
 */
import type * as z from 'zod';
import { defaultLimits, type Limits } from '../lambdas/catalogue/http/access.ts';
import { readListing } from '../lambdas/catalogue/http/listing.ts';
import { accessOf } from '../lambdas/catalogue/identity/access-of.ts';
import { createInterpretationApi } from '../lambdas/catalogue/interpretation/application-client.ts';
import {
  type ApplicationName,
  applications,
  InterpretationError,
  type PathParts,
} from '../lambdas/catalogue/interpretation/family.ts';
import { systemClock } from '../lambdas/run/clock.ts';
import { jsonLog, type Log } from '../lambdas/run/log.ts';

export { IdentityError, IdentityProviderError } from '../lambdas/catalogue/identity/secret.ts';
export type { PathParts } from '../lambdas/catalogue/interpretation/family.ts';
export { type ApplicationName, InterpretationError } from '../lambdas/catalogue/interpretation/family.ts';
export type { Log } from '../lambdas/run/log.ts';

/** Query parameters. */
export type Query = Readonly<Record<string, string>>;

/** A JSON object to send. The interface does not document its shape. */
export type Payload = Readonly<Record<string, unknown>>;

export interface InterpretationOptions {
  /** The address of the interpretation API, or of another application of the family. Tokens are sent to this origin only. */
  readonly baseUrl: string;
  /** The application at that address, which errors name; `interpretation-api` by default. */
  readonly application?: ApplicationName;
  /** The address of the identity provider, without the tenant. */
  readonly authUrl: string;
  readonly tenantId: string;
  /** The resource and the scope of the token, where the tenant requires them. */
  readonly resource?: string;
  readonly scope?: string;
  /**
   * Returns the text of the secret: `{"client_id": "…", "client_secret": "…"}`, or `private_key` and `certificate` in
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
  /** Returns a text that is different for each item. */
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

/** A sample within a version of an interpretation request. */
export interface SampleInCase {
  readonly irId: string | number;
  readonly irVersion: string | number;
  readonly sampleId: string;
}

/**
 * A client of the interpretation API that gets its tokens itself. Its own types need none of Node's, so that any
 * program can be compiled with it. Methods give the JSON as received, or null where the response has no body.
 *
 * @throws {InterpretationError} from every method, when the exchange failed
 * @throws {IdentityError} from every method, when the credential cannot be read or is refused
 * @throws {IdentityProviderError} from every method, when the identity provider gives no token
 */
export interface InterpretationClient {
  /** The base address, with a slash at its end. */
  readonly url: string;
  get(parts: PathParts, query?: Query): Promise<unknown>;
  /** Reads every page of a list. */
  getAll<Item>(parts: PathParts, options: ItemsOptions<Item>): Promise<Items<Item>>;
  /** Adds a summary of findings to a case. It is sent once, because a retry might add a second one. */
  clinicalReport(payload: Payload): Promise<unknown>;
  /** Adds an exit questionnaire to a case. */
  exitQuestionnaire(payload: Payload): Promise<unknown>;
  /** Re-runs sample matching for a sample. */
  snpCheck(sample: SampleInCase): Promise<unknown>;
  close(): Promise<void>;
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
  const { application = 'interpretation-api' } = options;
  const api = createInterpretationApi({ ...tools, application: applications[application], baseUrl, access });
  const { url, get, clinicalReport, exitQuestionnaire, snpCheck } = api;
  return {
    url,
    get,
    clinicalReport,
    exitQuestionnaire,
    snpCheck,
    getAll: async (parts, { schema, identify, query = {} }) => {
      const name = parts.join('/');
      return readListing({
        name,
        schema,
        identify,
        readPage: (page) => api.getPage(parts, page, query),
        pages: limits.pages ?? defaultLimits.pages,
        log,
        fail: (condition, seen) =>
          new InterpretationError({
            condition,
            action: `Reading ${name} of the ${applications[application]}`,
            seen,
          }),
      });
    },
    close: async () => {
      await Promise.all([api.close(), access.close()]);
    },
  };
}
