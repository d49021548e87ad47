import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as z from 'zod';

/** A request as an HTTP API of API Gateway hands it to a function: payload format 2.0. */
const eventSchema = z.object({
  version: z.literal('2.0'),
  rawPath: z.string(),
  rawQueryString: z.string(),
  cookies: z.array(z.string()).optional(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
  isBase64Encoded: z.boolean(),
  requestContext: z.object({
    domainName: z.string(),
    http: z.object({ method: z.string(), sourceIp: z.string() }),
  }),
});

/** A response as an HTTP API takes it from a function. */
export interface HttpApiResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** A request, and the IP address from which API Gateway got it. */
interface HttpApiRequest {
  readonly request: Request;
  readonly from: string;
}

const ALWAYS_WITHOUT_BODY = new Set(['GET', 'HEAD']);

/**
 * The request that an event of an HTTP API states.
 * @throws {Error} when the event has another form, such as that of a REST API
 */
export function requestOf(event: unknown): HttpApiRequest {
  const read = eventSchema.safeParse(event);
  if (!read.success) {
    throw new Error(
      `Reading the event of a request: ${z.prettifyError(read.error)}. Expected the payload format 2.0 of an HTTP API.`,
    );
  }
  const { rawPath, rawQueryString, cookies, headers: given, body = '', isBase64Encoded } = read.data;
  const { domainName, http } = read.data.requestContext;
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) headers.set(name, latin1(value));
  if (cookies !== undefined && cookies.length > 0) headers.set('cookie', latin1(cookies.join('; ')));
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const hasBody = !ALWAYS_WITHOUT_BODY.has(http.method);
  // What was stated may count the bytes of another encoding.
  if (hasBody) headers.set('content-length', String(bytes.length));
  const url = new URL(`https://${domainName}`);
  url.pathname = rawPath;
  url.search = rawQueryString;
  return {
    request: new Request(url, { method: http.method, headers, ...(hasBody && { body: bytes }) }),
    from: http.sourceIp,
  };
}

/** A header of `Request` holds bytes; API Gateway gives text. */
const latin1 = (value: string): string => Buffer.from(value, 'utf8').toString('latin1');

/** Lambda refuses a response of more than 6 MB; headers and JSON need some of it. */
const LARGEST_RESULT = 5_900_000;
/** Smaller texts gain nothing. */
const SMALLEST_COMPRESSED = 1_000;
const TEXT = /^(?:text\/|application\/(?:json|x-ndjson|xml|atom\+xml)|image\/svg)/;

const compressed = promisify(gzip);

/**
 * A response as an HTTP API takes it. Texts are compressed where the browser takes that: so a large list fits into what a
 * function may answer. One that does not fit is refused, with what to do.
 */
export async function resultOf(response: Response, request: Request): Promise<HttpApiResult> {
  const headers: Record<string, string> = {};
  for (const [name, value] of response.headers) if (name !== 'set-cookie') headers[name] = value;
  const result = { statusCode: response.status, headers, cookies: response.headers.getSetCookie() };
  const bytes = Buffer.from(await response.arrayBuffer());
  const isText = TEXT.test(headers['content-type'] ?? '');
  const takesGzip = /(?:^|,)\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))|,|$)/.test(
    request.headers.get('accept-encoding') ?? '',
  );
  if (isText && takesGzip && bytes.length >= SMALLEST_COMPRESSED && !('content-encoding' in headers)) {
    headers['content-encoding'] = 'gzip';
    headers.vary = 'accept-encoding';
    return fitting({ ...result, body: (await compressed(bytes)).toString('base64'), isBase64Encoded: true });
  }
  const isPlain = isText && !('content-encoding' in headers);
  return fitting({
    ...result,
    body: bytes.toString(isPlain ? 'utf8' : 'base64'),
    isBase64Encoded: !isPlain,
  });
}

function fitting(result: HttpApiResult): HttpApiResult {
  if (Buffer.byteLength(JSON.stringify(result.body)) <= LARGEST_RESULT) return result;
  return {
    statusCode: 507,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    cookies: result.cookies,
    body: 'This answer is larger than AWS lets a function send (6 MB). Choose fewer panels or a shorter period, or use gene-panel-notifier page --stage on a machine.\n',
    isBase64Encoded: false,
  };
}
