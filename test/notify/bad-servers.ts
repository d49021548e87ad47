import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo, createServer, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A server of messages on this machine. */
export interface MessageServer {
  readonly port: number;
  close(): void;
}

/** What a webhook that takes each message says of it. All are success: the status decides, not the body. */
export const odd2xx: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'ten-megabytes': (response) => void response.end('x'.repeat(10_000_000)),
  'claims-brotli': (response) => void response.writeHead(200, { 'content-encoding': 'br' }).end('not brotli'),
  'cut-off': (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('ok', () => response.destroy());
  },
  'no-content': (response) => void response.writeHead(204).end(),
  'body-without-end': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('ok '), 50);
    response.once('close', () => clearInterval(timer));
  },
};

/** Webhooks that take no message, by what they do. */
export const refusingWebhooks: Readonly<Record<string, (response: ServerResponse) => void>> = {
  gone: (response) => void response.writeHead(410).end(),
  'asks-to-wait': (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
  redirects: (response) => void response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
  'closes-the-connection': (response) => void response.destroy(),
  'speaks-no-http': (response) => void response.socket?.end('220 what?\r\n'),
};

async function listening(server: ReturnType<typeof createServer>): Promise<MessageServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A webhook; `onMessage` is called with each body, before it is answered. */
export const startWebhook = (
  respond: (response: ServerResponse) => void,
  onMessage: (body: string) => void = () => {},
): Promise<MessageServer> =>
  listening(
    createHttpServer(async (request, response) => {
      onMessage(await text(request));
      respond(response);
    }),
  );

/** A mail server that takes every mail. */
export async function startMailServer(onMail: () => void): Promise<MessageServer> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, done) {
      stream.resume();
      stream.on('end', () => {
        onMail();
        done();
      });
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return { port: (listener.address() as AddressInfo).port, close: () => server.close() };
}
