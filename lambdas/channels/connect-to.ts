import { connect, type Socket } from 'node:net';

interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  /** Closes the connection, in every state that it can have. */
  readonly signal: AbortSignal;
}

/** The errors of a connection by the codes that the mail library gives them. */
const codes: Readonly<Record<string, string>> = {
  ENOTFOUND: 'EDNS',
  EAI_AGAIN: 'EDNS',
  ETIMEDOUT: 'ETIMEDOUT',
};

/** Opens connections for the mail library that end when a signal says so. */
export function connectTo({ host, port, signal }: ConnectOptions) {
  return (
    _options: unknown,
    callback: (error: Error | null, socketOptions?: { readonly connection: Socket }) => void,
  ): void => {
    const socket = connect({ host, port });
    const end = (): void => void socket.destroy(new Error('The delivery has no time left'));
    const fail = (cause: Error): void => {
      const code = 'code' in cause ? String(cause.code) : '';
      callback(Object.assign(cause, { code: codes[code] ?? 'ECONNECTION' }));
    };
    socket.once('error', fail);
    socket.once('close', () => signal.removeEventListener('abort', end));
    socket.once('connect', () => {
      socket.off('error', fail);
      callback(null, { connection: socket });
    });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  };
}
