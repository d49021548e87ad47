import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { type Access, type Limits, serviceUrl } from '../http/access.ts';
import type { Traffic } from '../http/attempt.ts';
import { createHttp } from '../http/http.ts';
import { expectSuccess, type HttpResponse, type ListPage, readJson, readPage } from '../http/response.ts';
import { type Application, errorsOf, type PathParts, readingPath, resourcePath } from './family.ts';

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
