import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingHttpHeaders, request } from 'node:http';
import { createServer } from 'node:https';
import { onTestFinished } from 'vitest';

interface ProxyOptions {
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** What the proxy passes on of what a browser sends. */
  readonly passed?: (headers: IncomingHttpHeaders) => IncomingHttpHeaders;
  /** What it sets in each answer. */
  readonly set?: Readonly<Record<string, string>>;
}

/** Serves what another address serves until the test ends, as a proxy in front of the page does. */
export async function startProxy(
  to: string,
  { port, tls, passed = (headers) => headers, set = {} }: ProxyOptions,
): Promise<void> {
  const proxy = tls ? createServer(tls) : createHttpServer();
  proxy.on('request', (asked, answer) => {
    const { method = '' } = asked;
    const headers = passed(asked.headers);
    const onward = request(new URL(asked.url ?? '', to), { method, headers }, (page) => {
      answer.writeHead(page.statusCode ?? 0, { ...page.headers, ...set });
      page.pipe(answer);
    });
    asked.pipe(onward);
  });
  await once(proxy.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
}
