import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import type { Access } from '../http/access.ts';
import { serviceUrl } from '../http/address.ts';
import type { Traffic } from '../http/attempt.ts';
import { createHttp } from '../http/http.ts';
import { expectSuccess, type ListPage, readJson, readPage } from '../http/json.ts';
import type { Limits } from '../http/limits.ts';
import type { HttpResponse } from '../http/response.ts';
import { type ServiceErrors, serviceError } from '../http/service-error.ts';

interface ApplicationOptions {
  readonly application: Application;
  readonly baseUrl: string;
  /** The token that all applications of the family accept. It goes to this base's origin only. */
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch; no request and no wait goes beyond it. */
  readonly deadline?: number;
  readonly limits?: Partial<Limits>;
}

/** Query parameters, by name. */
export type Query = Readonly<Record<string, string>>;

/** A JSON object to send. The interface does not document its shape. */
export type Payload = Readonly<Record<string, unknown>>;

/**
 * A client of one application of the interpretation API family. Methods give the JSON as received, or null where the
 * response has no body. Source: docs/interfaces.md, "The interpretation API family".
 *
 * @throws {InterpretationError} from every method; errors of the access pass through unchanged
 */
interface ApplicationClient {
  /** The base address, with a slash at its end. */
  readonly url: string;
  /** Reads a resource. An empty last part gives a slash at the end of the address. */
  get(parts: PathParts, query?: Query): Promise<unknown>;
  /** Reads a page of a list in the catalogue's envelope; pages count from 1. */
  getPage(parts: PathParts, page?: number, query?: Query): Promise<ListPage>;
  /** Sends once: after a transient error it is unknown whether the application took it, so there is no retry. */
  post(parts: PathParts, payload: Payload): Promise<unknown>;
  /** Sends, and retries after a transient error, because sending it again changes nothing. */
  put(parts: PathParts, payload?: Payload): Promise<unknown>;
  readonly traffic: Traffic;
  close(): Promise<void>;
}

/**
 * Creates a client.
 *
 * @throws {InterpretationError} `INTERPRETATION_ADDRESS_WRONG` when the base address is unusable
 */
export function createApplicationClient({
  application,
  baseUrl,
  ...options
}: ApplicationOptions): ApplicationClient {
  const errors = errorsOf(application);
  const base = serviceUrl(baseUrl, errors);
  const http = createHttp({ ...options, base, errors, connections: 4 });
  const pathOf = (parts: PathParts): string => resourcePath(application, parts);
  const sending = (payload: Payload | undefined) =>
    payload && { body: JSON.stringify(payload), headers: { 'content-type': 'application/json' } };

  return {
    url: base.href,
    traffic: http.traffic,
    close: http.close,
    get: async (parts, query = {}) => http.send({ path: readingPath(application, parts), query }, readValue),
    getPage: async (parts, page = 1, query = {}) =>
      http.send(
        {
          path: readingPath(application, parts),
          query: { ...query, ...(page > 1 && { page: String(page) }) },
        },
        readPage,
      ),
    post: async (parts, payload) =>
      http.send({ method: 'POST', path: pathOf(parts), ...sending(payload) }, readValue),
    put: async (parts, payload) =>
      http.send({ method: 'PUT', path: pathOf(parts), ...sending(payload) }, readValue),
  };
}

function readValue(response: HttpResponse): unknown {
  expectSuccess(response);
  return response.body.length === 0 ? null : readJson(response);
}

/** A sample within a version of an interpretation request. */
interface SampleInCase {
  readonly irId: string | number;
  readonly irVersion: string | number;
  readonly sampleId: string;
}

/**
 * A client of the interpretation API with the rights of a registered system: it reads everything and writes these three
 * resources. Source: docs/interfaces.md, "The interpretation API family".
 */
export interface InterpretationApi extends ApplicationClient {
  /** Adds a summary of findings to a case. It is sent once, because a retry might add a second one. */
  clinicalReport(payload: Payload): Promise<unknown>;
  /** Adds an exit questionnaire to a case. */
  exitQuestionnaire(payload: Payload): Promise<unknown>;
  /** Re-runs sample matching for a sample. */
  snpCheck(sample: SampleInCase): Promise<unknown>;
}

/**
 * Creates a client. Another application of the family, whose name its errors carry, is only read.
 *
 * @throws {InterpretationError} `INTERPRETATION_ADDRESS_WRONG` when the base address is unusable
 */
export function createInterpretationApi(
  options: Omit<ApplicationOptions, 'application'> & Partial<Pick<ApplicationOptions, 'application'>>,
): InterpretationApi {
  const client = createApplicationClient({ application: 'interpretation API', ...options });
  return {
    ...client,
    clinicalReport: (payload) => client.post(['clinical-report'], payload),
    exitQuestionnaire: (payload) => client.put(['exit-questionnaire'], payload),
    snpCheck: ({ irId, irVersion, sampleId }) =>
      client.put(['interpretation-request', irId, irVersion, 'snp_check', sampleId]),
  };
}

/** The applications that accept the token of the family: by their names in options, how messages name them. */
export const applications = {
  'interpretation-api': 'interpretation API',
  'variant-store': 'variant store',
  'sample-matching': 'sample-matching service',
  're-identification': 're-identification service',
  'interpretation-portal': 'interpretation portal',
  'variant-annotation-store': 'variant annotation store',
} as const;

/** The name of an application in options. */
export type ApplicationName = keyof typeof applications;
/** The name of an application in messages. */
export type Application = (typeof applications)[ApplicationName];
export const applicationNames = Object.keys(applications) as readonly ApplicationName[];

/** A failed exchange with an application of the interpretation API family. */
export class InterpretationError extends serviceError('InterpretationError', 'INTERPRETATION') {}

/** The errors of one application of the family. */
export const errorsOf = (application: Application): ServiceErrors => ({
  service: `the ${application}`,
  error: InterpretationError,
});

// Beside the client: the types of subscribers' code name it, and need none of the HTTP client's.

/** The path of a resource below an application's base address: one part for each step, not yet percent-encoded. */
export type PathParts = readonly (string | number)[];

/**
 * Percent-encodes each part as a whole, so that a slash in an identifier never becomes a step of the path.
 *
 * @throws {InterpretationError} `INTERPRETATION_ADDRESS_WRONG` for a part that is empty, `.` or `..`
 */
function resourcePath(application: Application, parts: PathParts): string {
  return parts.map((part) => encodePart(application, String(part))).join('/');
}

/** The same for reading, where an empty last part gives a slash at the end: some servers need one. */
function readingPath(application: Application, parts: PathParts): string {
  if (parts.length < 2 || parts.at(-1) !== '') return resourcePath(application, parts);
  return `${resourcePath(application, parts.slice(0, -1))}/`;
}

function encodePart(application: Application, part: string): string {
  if (part !== '' && part !== '.' && part !== '..' && part.isWellFormed()) return encodeURIComponent(part);
  throw new InterpretationError({
    condition: 'ADDRESS_WRONG',
    action: `Making an address in the ${application}`,
    seen: `${JSON.stringify(part)} is not a part of a path`,
  });
}
