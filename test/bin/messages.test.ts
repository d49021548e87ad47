import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createOutbox } from '../../lambdas/notify/outbox.ts';
import { createSqliteItems } from '../../lambdas/store/items-sqlite.ts';
import { openStateFile } from '../../lambdas/store/sqlite-file.ts';
import { newFolder } from '../new-folder.ts';
import { createTestClock } from '../run/test-clock.ts';
import { turnedGreen } from '../words/events.ts';
import { runCommand } from './run-command.ts';

const folder = newFolder();
const config = join(folder, 'settings.json');
const state = join(folder, 'state');
const clock = createTestClock();
const settings = {
  stages: {
    test: {
      catalogues: { uk: { base: 'https://panelapp.genomicsengland.co.uk/api/v1/' } },
      subscriptions: { 'green-genes': { channels: [{ kind: 'slack', webhook: 'lab' }] } },
    },
  },
};
const messages = (...args: readonly string[]) =>
  runCommand(['messages', ...args, '--config', config, '--state', state], { clock });

/** A message that was set aside, in the state of a watch. */
async function setAside(channel: string, id: string): Promise<void> {
  const file = openStateFile(state);
  const store = createSqliteItems(file, { what: 'the messages', now: clock.now });
  const outbox = createOutbox(store, { subscription: 'green-genes', channel, now: clock.now });
  await store.create({ partition: 'notify#recipients', id: `green-genes#${channel}`, value: null });
  await outbox.add(turnedGreen({ id }), clock.now());
  await outbox.begin({ kind: 'events', events: [id] }, clock.now());
  for (const delivery of await outbox.deliveries()) {
    const failed = { at: clock.now(), reason: 'the response is HTTP 410' };
    await outbox.setAside({ ...delivery, attempts: 12, failed });
  }
  file.close();
}

beforeAll(() => writeFileSync(config, JSON.stringify(settings)));

test('where nothing was kept, no list claims that every message was sent', async () => {
  const { code, stdout, stderr } = await messages('list');
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toContain('nothing was kept there');
});

test('messages are listed, sent at the next run, and dropped', async () => {
  await setAside('slack:lab', 'event-1');
  const { stdout } = await messages('list');
  expect(stdout).toMatch(
    /^1 message not sent yet:\n([0-9a-f]{32}) green-genes\/slack:lab: set aside; 1 event: event-1; since .*; 12 attempts; next attempt .*; last error: the response is HTTP 410\n$/,
  );
  const [, id = ''] = /^([0-9a-f]{32})/m.exec(stdout) ?? [];
  expect(await messages('send', id)).toMatchObject({
    code: 0,
    stdout: 'The next run sends it, within a minute.\n',
  });
  expect((await messages('list')).stdout).toContain('not tried yet');
  expect(await messages('drop', id)).toMatchObject({ code: 0 });
  expect(await messages('drop', id)).toMatchObject({ code: 1 });
  expect((await messages('list')).stdout).toBe(
    'No message waits, fails or is set aside. Changes that wait for a digest, or for more changes of their panel, are not messages yet.\n',
  );
});

test('what was sent is listed with its answer, and sent again', async () => {
  const file = openStateFile(state);
  const store = createSqliteItems(file, { what: 'the messages', now: clock.now });
  const outbox = createOutbox(store, { subscription: 'green-genes', channel: 'slack:lab', now: clock.now });
  await store.create({ partition: 'notify#recipients', id: 'green-genes#slack:lab', value: null });
  await outbox.add(turnedGreen({ id: 'event-9' }), clock.now());
  await outbox.begin({ kind: 'events', events: ['event-9'] }, clock.now());
  const [delivery] = await outbox.deliveries();
  if (!delivery) throw new Error('the outbox has no delivery');
  expect((await messages('list', '--sent')).stdout).toBe('No message was sent in the last 30 days.\n');
  await outbox.finish(delivery, { headline: 'BRCA1 is now green', answer: 'HTTP 200' });
  const { stdout } = await messages('list', '--sent');
  expect(stdout).toMatch(
    /^1 message sent in the last 30 days:\n[0-9a-f]{32} green-genes\/slack:lab: BRCA1 is now green; sent .* \(UTC\); answer: HTTP 200\n$/,
  );
  expect(await messages('send', delivery.id)).toMatchObject({
    code: 0,
    stdout: 'The next run sends it, within a minute.\n',
  });
  expect((await messages('list')).stdout).toContain('1 event: event-9');
  expect(await outbox.events((await outbox.deliveries())[0] ?? delivery)).toMatchObject([{ id: 'event-9' }]);
  expect(await messages('drop', delivery.id)).toMatchObject({ code: 0 });
  expect(await messages('send', delivery.id)).toMatchObject({ code: 1 });
  expect(await messages('send', delivery.id, '--sent')).toMatchObject({ code: 2 });
  file.close();
});

test('messages of a channel that the settings no longer have are named, and handed to another one', async () => {
  await setAside('slack:old', 'event-2');
  expect((await messages('list')).stdout).toContain(
    'the settings no longer have this channel: move or drop it',
  );
  expect(await messages('move', 'green-genes/slack:old', 'green-genes/slack:nope')).toMatchObject({
    code: 1,
  });
  expect((await messages('move', 'green-genes/slack:old', 'green-genes/slack:lab')).stdout).toBe(
    '1 event handed over.\n',
  );
});

test('doctor names messages that no channel of the settings will send', async () => {
  await setAside('slack:gone', 'event-3');
  const { stdout } = await runCommand(['doctor', '--config', config, '--state', state], { clock });
  expect(stdout).toMatch(
    /1 message for green-genes\/slack:gone not sent: the settings no longer have this channel/,
  );
});

test.each([[['send']], [['list', 'all']], [['move', 'here', 'there']], [['forget', 'x']]])(
  '%j is refused',
  async (args) => {
    expect(await messages(...args)).toMatchObject({ code: 2 });
  },
);
