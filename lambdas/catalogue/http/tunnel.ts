import { type ClientRequestArgs, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { Socket } from 'node:net';
import { connect as startTls, type TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';

/**
 * Connects to a server through an HTTP proxy (`CONNECT`). Only the connection goes through the proxy: TLS is between
 * this program and the server, whose certificate is always checked.
 *
 * @param timeoutMs for the proxy's answer and for TLS, each
 */
export function tunnelThrough(
  proxy: URL,
  { timeoutMs }: { readonly timeoutMs: number },
): buildConnector.connector {
  return ({ hostname, port, protocol, servername }, done) => {
    const target = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
    const fail = (error: Error): void => done(error, null);
    open(proxy, { target, timeoutMs }, (error, socket) => {
      if (error || !socket) return fail(error ?? new Error('The proxy gave no connection'));
      if (protocol !== 'https:') return done(null, socket);
      const tls: TLSSocket = startTls({
        socket,
        servername: servername || hostname,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      });
      // Sockets take real time, even where the clock is a test's.
      const limit = AbortSignal.timeout(timeoutMs);
      const stop = (): void => void tls.destroy(timedOut());
      limit.addEventListener('abort', stop, { once: true });
      tls.once('error', fail);
      tls.once('secureConnect', () => {
        limit.removeEventListener('abort', stop);
        tls.off('error', fail);
        done(null, tls);
      });
    });
  };
}

interface Opening {
  readonly target: string;
  readonly timeoutMs: number;
}

function open(
  proxy: URL,
  { target, timeoutMs }: Opening,
  done: (error: Error | null, socket?: Socket) => void,
): void {
  const credentials = `${decoded(proxy.username)}:${decoded(proxy.password)}`;
  const options: ClientRequestArgs = {
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      ...(proxy.username && {
        'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
      }),
    },
    timeout: timeoutMs,
    agent: false,
  };
  const asking = (proxy.protocol === 'https:' ? secure : plain)(`${proxy.protocol}//${proxy.host}`, options);
  asking.once('connect', (answer, socket: Socket) => {
    if (answer.statusCode === 200) return done(null, socket);
    socket.destroy();
    done(proxyFailure('PROXY_REFUSED', `HTTP ${answer.statusCode}`));
  });
  asking.once('timeout', () => asking.destroy(timedOut()));
  asking.once('error', ({ code, message }: NodeJS.ErrnoException) =>
    done(proxyFailure('PROXY_UNREACHABLE', code ?? message)),
  );
  asking.end();
}

/** The text, as it is where its percent signs encode nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const timedOut = (): Error =>
  Object.assign(new Error('The connection through the proxy took too long'), { code: 'ETIMEDOUT' });

/** The proxy cannot be reached, or does not connect to the server; `detail` is the code of the error, or the status of its response. */
const proxyFailure = (code: 'PROXY_UNREACHABLE' | 'PROXY_REFUSED', detail: string): Error =>
  Object.assign(new Error(`${code}: ${detail}`), { code, detail });
