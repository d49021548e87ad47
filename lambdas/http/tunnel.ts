import type { Agent, ClientRequestArgs } from 'node:http';
import type { Socket } from 'node:net';

export interface TunnelOptions {
  /** The server at the end of the tunnel. */
  readonly base: URL;
  /** Milliseconds for the proxy's answer and for TLS, each. */
  readonly timeoutMs: number;
}

/**
 * Connects to a server through an HTTP proxy (`CONNECT`). Only the connection goes through the proxy: TLS is between
 * this program and the server, whose certificate is always checked.
 */
export function tunnelThrough(
  proxy: URL,
  { base: { protocol, hostname, port }, timeoutMs }: TunnelOptions,
): Agent['createConnection'] {
  const isSecure = protocol === 'https:';
  const target = `${hostname}:${port || (isSecure ? 443 : 80)}`;
  return (_options, done) => {
    const fail = (error: Error): void => (done as (error: Error) => void)(error);
    open(proxy, { target, timeoutMs }, (error, socket) => {
      if (error || !socket) return fail(error ?? new Error('The proxy gave no connection'));
      if (!isSecure) return done?.(null, socket);
      const tls = process.getBuiltinModule('node:tls').connect({
        socket,
        servername: hostname,
        ALPNProtocols: ['http/1.1'],
        rejectUnauthorized: true,
      });
      // Sockets live in real time, also where the clock is a made-up one.
      const limit = AbortSignal.timeout(timeoutMs);
      const stop = (): void => void tls.destroy(timedOut());
      limit.addEventListener('abort', stop, { once: true });
      tls.once('error', fail);
      tls.once('secureConnect', () => {
        limit.removeEventListener('abort', stop);
        tls.off('error', fail);
        done?.(null, tls);
      });
    });
    return undefined;
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
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
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
  const { request } = process.getBuiltinModule(proxy.protocol === 'https:' ? 'node:https' : 'node:http');
  const asking = request(`${proxy.protocol}//${proxy.host}`, options);
  asking.once('connect', (answer, socket: Socket) => {
    if (answer.statusCode === 200) return done(null, socket);
    socket.destroy();
    done(Object.assign(new Error(`The proxy answered ${answer.statusCode}`), { code: 'PROXY_REFUSED' }));
  });
  asking.once('timeout', () => asking.destroy(timedOut()));
  asking.once('error', done);
  asking.end();
}

const timedOut = (): Error =>
  Object.assign(new Error('The connection through the proxy took too long'), { code: 'ETIMEDOUT' });
