import type { Clock } from '../../run/clock.ts';
import type { Log } from '../../run/log.ts';
import { type Access, type Limits, serviceUrl } from '../http/access.ts';
import type { Traffic } from '../http/attempt.ts';
import { createHttp } from '../http/http.ts';
import { expectSuccess, type HttpResponse, type ListPage, readJson, readPage } from '../http/response.ts';
import { type Application, errorsOf, type PathParts, readingPath, resourcePath } from './family.ts';

interface ApplicationOptions {
  /** The interpretation API where absent. */
  readonly application?: Application;
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

/** A sample within a version of an interpretation request. */
interface SampleInCase {
  readonly irId: string | number;
  readonly irVersion: string | number;
  readonly sampleId: string;
}

/**
 * A client of one application of the interpretation API family, with the rights of a registered system: it reads everything, and
 * of the interpretation API it writes three resources. Methods give the JSON as received, or null where the response has no body.
 * Source: docs/interfaces.md, "The interpretation API family".
 *
 * @throws {InterpretationError} from every method; errors of the access pass through unchanged
 */
export interface InterpretationApi {
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
  /** Adds a summary of findings to a case. It is sent once, because a retry might add a second one. */
  clinicalReport(payload: Payload): Promise<unknown>;
  /** Adds an exit questionnaire to a case. */
  exitQuestionnaire(payload: Payload): Promise<unknown>;
  /** Re-runs sample matching for a sample. */
  snpCheck(sample: SampleInCase): Promise<unknown>;
  readonly traffic: Traffic;
  close(): Promise<void>;
}

/**
 * Creates a client. Another application of the family, whose name its errors carry, is only read.
 *
 * @throws {InterpretationError} `INTERPRETATION_ADDRESS_WRONG` when the base address is unusable
 */
export function createInterpretationApi({
  application = 'interpretation API',
  baseUrl,
  ...options
}: ApplicationOptions): InterpretationApi {
  const errors = errorsOf(application);
  const base = serviceUrl(baseUrl, errors);
  const http = createHttp({ ...options, base, errors, connections: 4 });
  const write = (method: 'POST' | 'PUT', parts: PathParts, payload: Payload | undefined) => {
    const path = resourcePath(application, parts);
    const sent = payload && {
      body: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    };
    return http.send({ method, path, ...sent }, readValue);
  };
  const post: InterpretationApi['post'] = async (parts, payload) => write('POST', parts, payload);
  const put: InterpretationApi['put'] = async (parts, payload) => write('PUT', parts, payload);

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
    post,
    put,
    clinicalReport: (payload) => post(['clinical-report'], payload),
    exitQuestionnaire: (payload) => put(['exit-questionnaire'], payload),
    snpCheck: ({ irId, irVersion, sampleId }) =>
      put(['interpretation-request', irId, irVersion, 'snp_check', sampleId]),
  };
}

function readValue(response: HttpResponse): unknown {
  expectSuccess(response);
  return response.body.length === 0 ? null : readJson(response);
}
