import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRelay } from '../../../lambdas/questions/relay/relay.ts';
import type { RelaySource } from '../../../lambdas/questions/relay/shown-panels.ts';
import { HistoryError } from '../../../lambdas/store/history/history.ts';
import { StateError } from '../../../lambdas/store/state-error.ts';
import { listen, type Served } from '../../../page/listen.ts';
import { type Followed, follow, readAll } from './followed.ts';

let followed: Followed;
let served: Served;
const unreadable: string[] = [];

const serve = (source: RelaySource): Promise<Served> =>
  listen(
    createRelay({
      sources: () => new Map([['uk', source]]),
      now: followed.clock.now,
      onUnreadable: ({ message }) => void unreadable.push(message),
    }),
    { port: 0 },
  );

beforeAll(async () => {
  followed = await follow();
  await readAll(followed);
  served = await serve(followed.harness.relaySource);
});
afterAll(async () => {
  await served.close();
  await followed.harness.close();
  await followed.catalogue.close();
});

const opened = (): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
  });

/** What the relay answers to a target that no client library would send as it is. */
async function ask(target: string, headers: readonly string[] = []) {
  const socket = await opened();
  socket.write(
    [`GET ${target} HTTP/1.1`, 'Host: relay', 'Connection: close', ...headers, '', ''].join('\r\n'),
  );
  const answer = await text(socket);
  const [head = '', ...body] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: body.join('\r\n\r\n') };
}

test.each([
  '/../../../etc/passwd',
  '/uk/api/v1/../../../../etc/passwd',
  '/uk/api/v1/panels/..%2f..%2f..%2fetc%2fpasswd/',
  '/uk/api/v1/panels/%2e%2e/%2e%2e/',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//etc/passwd',
  '/uk/at/..%2f..%2fetc/api/v1/panels/',
  '/uk/api/v1/panels/%00/',
  '/uk/api/v1/panels/1%27%20OR%201=1--/',
  '/uk/api/v1/panels/__proto__/',
  '/__proto__/api/v1/panels/',
  '/uk/api/v1/constructor/',
  `/uk/api/v1/panels/${'9'.repeat(4000)}/`,
  '/uk/api/v1/panels/1/?version=99999999999999999999.99999999999999999999',
  '/uk/api/v1/panels/1/?version=-1.0',
  '/uk/api/v1/panels/1/?version=1.',
  '/uk/api/v1/panels/?page=-1',
  '/uk/api/v1/panels/?page=1e9',
  '/uk/at/2026-02-30/api/v1/panels/',
  '/uk/at/2026-13-01/api/v1/panels/',
  '/uk/at/0000-00-00/api/v1/panels/',
  '/uk/at/9999-12-31/api/v1/panels/',
  '/uk/at/today/api/v1/panels/',
])('%s is answered with 404 and a sentence', async (target) => {
  const { status, body } = await ask(target);
  expect([status, JSON.parse(body).detail]).toEqual([404, expect.stringMatching(/\w/)]);
  expect(body).not.toMatch(/root:|node_modules|\.sqlite|\/tmp/);
});

test.each(['bytes=0-10', 'bytes=-5', 'bytes=999999999-', 'bytes=5-1,7-3', 'nonsense'])(
  'the range %s gets the whole answer',
  async (range) => {
    const whole = await ask('/uk/api/v1/panels/');
    const part = await ask('/uk/api/v1/panels/', [`Range: ${range}`]);
    expect(part).toMatchObject({ status: 200, body: whole.body });
    expect(part.head).toContain('accept-ranges: none');
  },
);

describe('a store that fails', () => {
  const failing: Readonly<Record<string, (source: RelaySource) => RelaySource>> = {
    'the listing': (source) => ({ ...source, state: { listing: () => Promise.reject(broken) } }),
    'the states': (source) => ({
      ...source,
      states: { ...source.states, panels: () => Promise.reject(broken) },
    }),
    'the answers': (source) => ({
      ...source,
      answers: { ...source.answers, read: () => Promise.reject(broken) },
    }),
    'the rows': (source) => ({
      ...source,
      rows: {
        ...source.rows,
        list() {
          throw new HistoryError('Reading /secret/place/state.sqlite: disk I/O error');
        },
      },
    }),
  };
  const broken = new StateError('STATE_UNAVAILABLE', 'Reading /secret/place/state.sqlite: disk I/O error');

  test.each(Object.keys(failing))(
    'in %s is answered with 503 and a sentence without its place',
    async (part) => {
      const own = await serve(failing[part]?.(followed.harness.relaySource) as RelaySource);
      onTestFinished(() => own.close());
      unreadable.length = 0;
      const answer = await fetch(`${own.url}uk/api/v1/${part === 'the rows' ? 'activities' : 'panels'}/`);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await answer.json()).toEqual({
        detail: 'What is kept of the catalogue cannot be read at the moment.',
      });
      expect(unreadable).toEqual([expect.stringContaining('/secret/place')]);
      // The next request may find it well again.
      expect((await fetch(own.url)).status).toBe(200);
    },
  );
});

/** As many as the machine lets one process open: both ends of each connection are files of this one. */
function mostConnections(): number {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
  return Math.min(10_000, Math.floor(((limit || 20_000) - 500) / 2));
}

test('ten thousand clients that send half a request hold up nobody, and each is answered when it has sent all', async () => {
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const most = mostConnections();
  while (sockets.length < most) sockets.push(...(await Promise.all(Array.from({ length: 100 }, opened))));
  expect(sockets.length).toBeGreaterThan(200);
  for (const socket of sockets) socket.write('GET /uk/api/v1/panels/ HTTP/1.1\r\nHost: relay\r\n');
  const { body: whole, status } = await ask('/uk/api/v1/panels/');
  expect(status).toBe(200);
  const answers = sockets.map((socket) => {
    const answer = text(socket);
    socket.write('Connection: close\r\n\r\n');
    return answer;
  });
  let same = 0;
  for (const answer of answers) if ((await answer).split('\r\n\r\n')[1] === whole) same += 1;
  expect(same).toBe(sockets.length);
});
