import type { Clock } from '../clock/clock.ts';
import type { Access } from '../http/access.ts';
import { serviceUrl } from '../http/address.ts';
import type { Answer } from '../http/answer.ts';
import type { Traffic } from '../http/attempt.ts';
import { expectSuccess } from '../http/expect-success.ts';
import { createHttp } from '../http/http.ts';
import { readJson } from '../http/json.ts';
import type { Limits } from '../http/limits.ts';
import { type ListPage, readPage } from '../http/page.ts';
import type { Log } from '../log/log.ts';
import { type Application, errorsOf } from './errors.ts';
import { type PathParts, readingPath, resourcePath } from './resource-path.ts';

export interface ApplicationOptions {
  readonly application: Application;
  readonly baseUrl: string;
  /** The token that all applications of the family take; it goes to this base's origin alone. */
  readonly access: Access;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds since the epoch; nothing is waited for beyond it. */
  readonly deadline?: number;
  readonly limits?: Partial<Limits>;
}

export type Query = Readonly<Record<string, string>>;

/** What is sent: a JSON object whose shape the interface specification does not show. */
export type Payload = Readonly<Record<string, unknown>>;

/**
 * An application of the interpretation API family. What is read is the JSON as it came, null where the answer
 * has no body. Everything fails with an `InterpretationError`, or with what the access throws.
 */
export interface ApplicationClient {
  /** The base address, with a slash at its end. */
  readonly url: string;
  /** An empty part at the end is a slash at the end. */
  get(parts: PathParts, query?: Query): Promise<unknown>;
  /** A page of a list, which comes in the envelope that the specification shows; pages count from 1. */
  getPage(parts: PathParts, page?: number, query?: Query): Promise<ListPage>;
  /** Sent once: what failed in passing is not sent again, since it may have been taken. */
  post(parts: PathParts, payload: Payload): Promise<unknown>;
  /** The same sent again changes nothing, so passing faults are met with repeats. */
  put(parts: PathParts, payload?: Payload): Promise<unknown>;
  readonly traffic: Traffic;
  close(): Promise<void>;
}

/** Fails with `INTERPRETATION_ADDRESS_WRONG` where the base address is unusable. */
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

function readValue(answer: Answer): unknown {
  expectSuccess(answer);
  return answer.body.length === 0 ? null : readJson(answer);
}
