import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { channelSecrets } from '../../lambdas/channels/channel-secrets.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { london, turnedGreen } from '../words/events.ts';
import { openChannel } from './open-channels.ts';

const password = 'canary5ecret+/ü';

/** A mail server that repeats each line of a login in its refusal. */
async function repeatingServer(mechanism: 'PLAIN' | 'LOGIN'): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 mail.example.org\r\n');
    const seen: string[] = [];
    createInterface(socket).on('line', (line) => {
      if (line.startsWith('EHLO')) socket.write(`250-mail.example.org\r\n250 AUTH ${mechanism}\r\n`);
      else if (line.startsWith('QUIT')) socket.end('221 bye\r\n');
      else {
        seen.push(line);
        const asked = mechanism === 'LOGIN' && seen.length < 3;
        socket.write(asked ? '334 VXNlcm5hbWU6\r\n' : `535 5.7.8 refused: ${seen.join(' ')}\r\n`);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test.each(['PLAIN', 'LOGIN'] as const)(
  'a server that repeats the line of a login by %s makes no password known',
  async (mechanism) => {
    const relay = {
      host: '127.0.0.1',
      port: await repeatingServer(mechanism),
      security: 'none',
      from: 'panels@example.org',
      login: 'relay',
    } as const;
    const entries = { relay: { user: 'panels', password } };
    const secrets = channelSecrets({ name: 'the secret', read: async () => JSON.stringify(entries) });
    const event = turnedGreen();
    const sent = openChannel(
      { kind: 'smtp', to: ['lab@example.org'], privacy: everythingKept },
      { relay, secrets },
    ).send({
      id: 'a1b2',
      subscription: 'green-genes',
      notice: noticeOfPanel([event], { ...london, reason: 'A test.' }),
      event,
      at: '2026-11-21T09:15:00.000Z',
    });
    const error = await sent.catch((thrown: unknown) => String(thrown));
    expect(error).toContain('535 5.7.8 refused: AUTH');
    for (const word of String(error).split(/[\s"]+/)) {
      expect(Buffer.from(word, 'base64').toString()).not.toContain('canary');
    }
    expect(error).not.toContain('canary');
  },
);
