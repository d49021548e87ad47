import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import * as z from 'zod';
import { httpApiEvent } from '../functions/page/http-api-event.ts';
import type { RunningFunction } from './running-function.ts';

const resultSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  cookies: z.array(z.string()),
  body: z.string(),
  isBase64Encoded: z.boolean(),
});

/** Serves a function at an address of this machine, as an HTTP API does: browsers reach it there. */
export async function serveFunction(
  { runtime }: RunningFunction,
  { origin }: { readonly origin: string },
): Promise<{ stop(): void }> {
  const server = createAdaptorServer({
    overrideGlobalObjects: false,
    async fetch(request) {
      const outcome = await runtime.invoke(await httpApiEvent(request));
      assert.ok(outcome.ok, JSON.stringify(outcome));
      const { statusCode, headers, cookies, body, isBase64Encoded } = resultSchema.parse(outcome.result);
      const bytes = body === '' ? null : Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
      const response = new Response(bytes, { status: statusCode, headers });
      for (const cookie of cookies) response.headers.append('set-cookie', cookie);
      return response;
    },
  });
  const { hostname, port } = new URL(origin);
  await once(server.listen(Number(port), hostname), 'listening');
  return {
    stop() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}
