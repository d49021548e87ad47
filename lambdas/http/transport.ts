import type { Agent, AgentOptions, IncomingMessage } from 'node:http';
import type { Limits } from './limits.ts';
import { tunnelThrough } from './tunnel.ts';

export interface TransportRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Connections to one origin, which are kept for further requests. */
export interface Transport {
  /**
   * Sends one request and gives the response as soon as its headers have arrived. Errors are those of Node, and of
   * this module: `CONNECT_TIMEOUT`, `HEADERS_TIMEOUT`, and on the response `BODY_TIMEOUT`.
   */
  send(request: TransportRequest): Promise<IncomingMessage>;
  close(): void;
}

export interface TransportOptions {
  readonly base: URL;
  /** The proxy through which the origin is reached. */
  readonly proxy: URL | undefined;
  /** The most requests at once; further ones wait. */
  readonly connections: number;
  readonly limits: Limits;
}

/**
 * HTTP/1.1 by Node's own client, without redirects. Certificates are checked even where NODE_TLS_REJECT_UNAUTHORIZED
 * switches that off.
 */
export function createTransport({ base, proxy, connections, limits }: TransportOptions): Transport {
  const { Agent: OwnAgent, request: start } = clientOf(base);
  // A connection reports a pause of `timeout`. While it is unused, the agent then closes it.
  const timeout = limits.bodyMs;
  const agent = new OwnAgent({ keepAlive: true, maxSockets: connections, timeout, ...strictTls });
  if (proxy) agent.createConnection = tunnelThrough(proxy, { base, timeoutMs: limits.connectMs });

  const send: Transport['send'] = ({ method, url, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const request = start(url, { method, headers, agent, signal, ...strictTls });
      const timer = restartable((code) => request.destroy(timedOut(code)));
      request.once('socket', (socket) => {
        if (!socket.connecting) return timer.start('HEADERS_TIMEOUT', limits.headersMs);
        timer.start('CONNECT_TIMEOUT', limits.connectMs);
        socket.once(base.protocol === 'https:' ? 'secureConnect' : 'connect', () =>
          timer.start('HEADERS_TIMEOUT', limits.headersMs),
        );
      });
      request.once('response', (response) => {
        timer.stop();
        endPauses(response);
        resolve(response);
      });
      request.on('error', (error) => {
        timer.stop();
        reject(error);
      });
      request.end(body === '' ? undefined : body);
    });
  return { send, close: () => agent.destroy() };
}

const strictTls = { rejectUnauthorized: true };

interface Client {
  readonly Agent: new (options: AgentOptions) => Agent;
  readonly request: typeof import('node:http').request;
}

/** `import` of node:http also loads WebSocket and fetch, which doubles the time in which the command line starts. */
function clientOf({ protocol }: URL): Client {
  const name = protocol === 'https:' ? 'node:https' : 'node:http';
  return process.getBuiltinModule(name) as Client;
}

/** Ends a response whose connection pauses for too long. */
function endPauses(response: IncomingMessage): void {
  const { socket } = response;
  const stop = (): void => void response.destroy(timedOut('BODY_TIMEOUT'));
  socket.once('timeout', stop);
  response.once('close', () => socket.off('timeout', stop));
}

/** A timer of which one run at a time counts. Sockets live in real time, even where the clock is a test's. */
function restartable(onTimeout: (code: string) => void) {
  let end = (): void => {};
  return {
    start: (code: string, milliseconds: number): void => {
      end();
      const limit = AbortSignal.timeout(milliseconds);
      const stop = (): void => onTimeout(code);
      limit.addEventListener('abort', stop, { once: true });
      end = () => limit.removeEventListener('abort', stop);
    },
    stop: (): void => end(),
  };
}

const timedOut = (code: string): Error => Object.assign(new Error('The time ran out'), { code });
