import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { isLoopback } from '../lambdas/catalogue/http/loopback.ts';

/** Handles a request; `bindings` are those of the Node adaptor. */
type Handler = (request: Request, bindings: unknown) => Response | Promise<Response>;

export interface ServeOptions {
  /** A free one by default. */
  readonly port?: number | undefined;
  /** Serves over TLS with this certificate. */
  readonly tls?: Certificate | undefined;
}

interface Listening {
  /** Its origin. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves on 127.0.0.1 what is made for the address. Until it is made, responses are 503. Requests that may come from a foreign web
 * page are refused with 403.
 *
 * @throws the error of `listen`, such as `EADDRINUSE`
 */
export async function serve(
  createHandler: (url: string) => Handler,
  { port = 0, tls }: ServeOptions = {},
): Promise<Listening> {
  const scheme = tls ? 'https' : 'http';
  let handle: Handler = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    ...(tls && { createServer, serverOptions: tls }),
    fetch: (request, bindings) => {
      const reason = foreignRequest(request.method, (name) => request.headers.get(name), scheme);
      return reason === null ? handle(request, bindings) : Response.json({ detail: reason }, { status: 403 });
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const url = `${scheme}://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
  handle = createHandler(url);
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

type HeaderReader = (name: string) => string | null | undefined;

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * Why a request may come from a web page that the user has open elsewhere, or null. The sandbox has no passwords, so it
 * answers only under its own host name (a page could otherwise point a name of its own here), and accepts no writing
 * request that a browser marks as cross-origin.
 */
export function foreignRequest(
  method: string,
  header: HeaderReader,
  scheme: 'http' | 'https' = 'http',
): string | null {
  const host = header('host') ?? '';
  const hostname = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
  if (!isLoopback(hostname)) {
    return `The sandbox answers to localhost only; this request is for the host ${JSON.stringify(host.slice(0, 100))}.`;
  }
  if (!writing.has(method)) return null;
  const origin = header('origin');
  const crossOrigin = origin !== null && origin !== undefined && origin !== `${scheme}://${host}`;
  const crossSite = header('sec-fetch-site') === 'cross-site';
  return crossOrigin || crossSite ? 'The sandbox accepts no cross-origin requests that write.' : null;
}

class BadBodyError extends Error {
  override readonly name = 'BadBodyError';
  readonly code = 'bad-body';
}

/** Reads a body as JSON. An empty one counts as an empty object. */
function readBody<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  let body: unknown;
  try {
    body = JSON.parse(text || '{}');
  } catch (cause) {
    throw new BadBodyError(`the body is not JSON: ${text.slice(0, 80)}`, { cause });
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BadBodyError(z.prettifyError(parsed.error), { cause: parsed.error });
}

/** A request that changes or shows a part of the sandbox: what it does, in words, and what does it and returns the answer. */
interface ControlRoute {
  readonly says: string;
  readonly answer: (context: Context) => object | Promise<object>;
}

/** A request with a body. */
export const withBody = <Schema extends z.ZodType>(
  says: string,
  schema: Schema,
  act: (body: z.output<Schema>) => object,
): ControlRoute => ({ says, answer: async ({ req }) => act(readBody(await req.text(), schema)) });

/**
 * The HTTP interface of the sandbox's own under `/sandbox/`. `GET /sandbox/` lists it.
 * @param routes by method and path, in which `<id>` is a number
 * @param statusOf the status of an error, for other bodies than bad ones
 */
export function controlRoutes(
  routes: Readonly<Record<`${'GET' | 'POST' | 'DELETE'} /sandbox/${string}`, ControlRoute>>,
  statusOf: (error: Error) => 400 | 409 | 500 = () => 500,
): Hono {
  const list: ControlRoute = {
    says: 'serves this list',
    answer: () => Object.fromEntries(all.map(([route, { says }]) => [route, says])),
  };
  const all = Object.entries({ 'GET /sandbox/': list, ...routes });
  const app = new Hono();
  for (const [route, { answer }] of all) {
    const [method = '', path = ''] = route.split(' ');
    app.on(method, path.replace('<id>', ':id{\\d+}'), async (context) => context.json(await answer(context)));
  }
  app.onError((error, context) =>
    context.json({ error: error.message }, error instanceof BadBodyError ? 400 : statusOf(error)),
  );
  return app;
}

/** What a TLS server needs, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** What a certificate says. */
export interface Identity {
  /** The host name that it is for; an address of this machine is named with it where it is `localhost`. */
  readonly host: string;
  readonly from: Date;
  readonly until: Date;
}

/** A certificate that signs itself (X.509 v3, ECDSA on P-256), made by hand: Node itself makes none. */
export function selfSigned({ host, from, until }: Identity): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signed = toBeSigned({ host, from, until }, publicKey);
  const signature = sign('sha256', signed, privateKey);
  const der = sequence(signed, algorithm, tagged(0x03, Buffer.from([0]), signature));
  const base64 = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

function toBeSigned({ host, from, until }: Identity, publicKey: KeyObject): Buffer {
  const version3 = tagged(0xa0, integer(2));
  const name = sequence(tagged(0x31, sequence(commonName, tagged(0x0c, Buffer.from(host)))));
  const validity = sequence(time(from), time(until));
  const extensions = tagged(
    0xa3,
    sequence(
      sequence(subjectAltName, tagged(0x04, sequence(tagged(0x82, Buffer.from(host)), ...addressesOf(host)))),
      sequence(basicConstraints, tagged(0x01, Buffer.from([0xff])), tagged(0x04, sequence(yes))),
    ),
  );
  const key = publicKey.export({ type: 'spki', format: 'der' });
  return sequence(version3, integer(1), algorithm, name, validity, name, key, extensions);
}

/** 127.0.0.1 beside `localhost`: the sandbox prints the number. */
function addressesOf(host: string): readonly Buffer[] {
  return host === 'localhost' ? [tagged(0x87, Buffer.from([127, 0, 0, 1]))] : [];
}

/** A value of ASN.1 in DER: its tag, its length, its content. */
function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const value = Buffer.concat(content);
  const { length } = value;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

const sequence = (...content: readonly Buffer[]): Buffer => tagged(0x30, ...content);
const integer = (value: number): Buffer => tagged(0x02, Buffer.from([value]));
const identifier = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date): Buffer =>
  tagged(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

const yes = tagged(0x01, Buffer.from([0xff]));
/** ecdsa-with-SHA256, 1.2.840.10045.4.3.2 */
const algorithm = sequence(identifier('2a8648ce3d040302'));
const commonName = identifier('550403');
const subjectAltName = identifier('551d11');
const basicConstraints = identifier('551d13');
