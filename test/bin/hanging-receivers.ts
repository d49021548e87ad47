import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A receiver that takes a connection and never comes to an end. */
interface HangingReceiver {
  readonly port: number;
  /** Resolves when a sender waits for it. */
  readonly reached: Promise<void>;
  close(): void;
}

/** How often a server says a little, in milliseconds: often enough that no limit of silence ends the wait. */
const LITTLE = 50;

/** What is said at each step of a mail, and at which step the server goes on for ever without an answer. */
function mailServer(
  waitsAfter: 'nothing' | 'EHLO' | 'the body',
): (socket: Socket, reached: () => void) => void {
  return (socket, reached) => {
    const wait = (): void => {
      const timer = setInterval(() => socket.write('250-WAIT\r\n'), LITTLE);
      socket.once('close', () => clearInterval(timer));
      reached();
    };
    if (waitsAfter === 'nothing') return reached();
    socket.write('220 mail.example.org\r\n');
    let inBody = false;
    let body = '';
    socket.on('data', (chunk: Buffer) => {
      const line = chunk.toString();
      if (inBody) {
        body += line;
        if (body.endsWith('\r\n.\r\n')) wait();
        return;
      }
      if (/^EHLO/i.test(line)) return waitsAfter === 'EHLO' ? wait() : void socket.write('250 hello\r\n');
      inBody = /^DATA/i.test(line);
      socket.write(inBody ? '354 go on\r\n' : '250 ok\r\n');
    });
  };
}

const mail = (waitsAfter: Parameters<typeof mailServer>[0]) => (reached: () => void) =>
  createServer((socket) => {
    socket.on('error', () => {});
    mailServer(waitsAfter)(socket, reached);
  });

/** Every way to hang, by what it is. */
export const hangingReceivers = {
  'a mail server that goes on answering after EHLO': mail('EHLO'),
  'a mail server that goes on answering after the body': mail('the body'),
  'a mail server without a greeting': mail('nothing'),
  'a webhook that never answers': (reached: () => void) => createHttpServer(() => reached()),
  'a webhook with a body that has no end': (reached: () => void) =>
    createHttpServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('again '), LITTLE);
      response.once('close', () => clearInterval(timer));
      reached();
    }),
} as const;

/** Starts one of them on a free port. */
export async function startHanging(kind: keyof typeof hangingReceivers): Promise<HangingReceiver> {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const server = hangingReceivers[kind](resolve).listen(0, '127.0.0.1');
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    reached,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
