import { expect, onTestFinished, test } from 'vitest';
import { type Channel, channelId } from '../../lambdas/channels/channel-settings.ts';
import { openSenders, type Senders } from '../../lambdas/notify/deliver.ts';
import { createNotifier } from '../../lambdas/notify/notifier.ts';
import { silentLog as log } from '../../lambdas/run/log.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { everythingKept as privacy } from '../../lambdas/words/privacy.ts';
import { hangingReceivers, startHanging } from '../bin/hanging-receivers.ts';
import { secretsOf } from '../channels/open-channels.ts';
import { createTestClock } from '../run/test-clock.ts';
import { turnedGreen } from '../words/events.ts';
import {
  type MessageServer,
  odd2xx,
  refusingWebhooks,
  startMailServer,
  startWebhook,
} from './bad-servers.ts';
import { planOf, subscriptionOf } from './notify-harness.ts';

const HOUR = 3_600_000;
const DAYS = Number(process.env.SOAK_DAYS ?? 2);
const HOURS_BETWEEN = 2;

test('days with every bad server at once: each good one gets each message in its run, and what the others lack is listed', async () => {
  const clock = createTestClock();
  const ports = new Map<string, number>();
  const taken = new Map<string, number>();
  const start = (name: string, server: MessageServer): void => {
    ports.set(name, server.port);
    onTestFinished(() => server.close());
  };
  /** Ends the deliveries that are left in a run: those to servers that hang. */
  let limit = new AbortController();
  let runs = 0;
  const take = (name: string): void => {
    taken.set(name, (taken.get(name) ?? 0) + 1);
  };

  const good = ['mail-good', ...Object.keys(odd2xx)];
  start('mail-good', await startMailServer(() => take('mail-good')));
  for (const [name, respond] of Object.entries(odd2xx)) {
    start(name, await startWebhook(respond, () => take(name)));
  }
  const hanging = Object.keys(hangingReceivers) as (keyof typeof hangingReceivers)[];
  const nameOf = (kind: string): string =>
    `${kind.includes('mail') ? 'mail-' : ''}${hanging.indexOf(kind as never)}`;
  for (const kind of hanging) start(nameOf(kind), await startHanging(kind));
  for (const [name, respond] of Object.entries(refusingWebhooks)) start(name, await startWebhook(respond));
  const nobody = await startWebhook(() => {});
  nobody.close();
  ports.set('nobody', nobody.port);
  const bad = [...hanging.map(nameOf), ...Object.keys(refusingWebhooks), 'nobody'];

  const channelTo = (name: string): Channel => ({ kind: 'slack', webhook: name, privacy });
  const secrets = secretsOf(
    Object.fromEntries([...ports].map(([name, port]) => [name, `http://127.0.0.1:${port}/hook`])),
  );
  const context = { secrets, clock, log, publish: null, relay: null, writeFeed: null };
  const senders = openSenders(context);
  /** A deployment has one mail server, and rests for all mails where it hangs; here each has a channel of its own. */
  const sendBy: Senders['slack']['send'] = (message, channel, options) => {
    const name = channel.kind === 'slack' ? channel.webhook : '';
    if (!name.startsWith('mail-')) return senders.slack.send(message, channel, options);
    const relay = {
      ...{ host: '127.0.0.1', port: ports.get(name) ?? 0 },
      ...({ security: 'none', from: 'panels@example.org' } as const),
    };
    const mail: Channel = { kind: 'smtp', to: ['lab@example.org'], privacy };
    return openSenders({ ...context, relay }).smtp.send(message, mail, options);
  };
  const store = memoryItems(clock.now);
  const when = { kind: 'at-once', settleMinutes: 0 } as const;
  const plan = planOf(subscriptionOf({ channels: [...good, ...bad].map(channelTo), when }));
  const notifier = (timeLimit = () => limit.signal) =>
    createNotifier({
      plan: { ...plan, operations: { zone: 'UTC', channels: [] } },
      store,
      senders: { ...senders, slack: { pauseMs: 0, send: sendBy } },
      history: null,
      clock,
      log,
      runId: `run-${runs}`,
      timeLimit,
      keepDeadLetter: async () => {},
    });

  for (; runs < (DAYS * 24) / HOURS_BETWEEN; runs += 1) {
    limit = new AbortController();
    const own = notifier();
    await own.receive(turnedGreen({ id: `event-${runs}`, time: new Date(clock.now()).toISOString() }));
    const running = own.run({ deadline: Number.POSITIVE_INFINITY });
    const left = async (): Promise<readonly string[]> => {
      const listed = await own.kept.list();
      return good.filter((name) => listed.some(({ channel }) => channel === channelId(channelTo(name))));
    };
    // A message that was taken is noted as sent once its response was read.
    await expect.poll(() => [...taken.values()], { timeout: 60_000 }).toStrictEqual(good.map(() => runs + 1));
    await expect.poll(left, { timeout: 60_000, interval: 100 }).toStrictEqual([]);
    limit.abort(new Error('the time of the delivery is over'));
    await running;
    clock.pass(HOURS_BETWEEN * HOUR);
  }

  // A server that hangs is sent one message a run: it takes more runs until several were tried for a day.
  for (let more = 0; more < 2 * runs; more += 1) {
    const soon = AbortSignal.timeout(100);
    await notifier(() => soon).run({ deadline: Number.POSITIVE_INFINITY });
    clock.pass(HOURS_BETWEEN * HOUR);
  }

  const listed = await notifier().kept.list();
  for (const name of bad) {
    const own = listed.filter(({ channel }) => channel === channelId(channelTo(name)));
    const aside = own.filter(({ state }) => state === 'set-aside');
    expect([name, own.length]).toStrictEqual([name, runs]);
    expect(aside.length, name).toBeGreaterThan(0);
    expect(aside.map(({ reason }) => reason)).not.toContain(null);
  }
  for (const name of good) {
    expect(listed.filter(({ channel }) => channel === channelId(channelTo(name)))).toStrictEqual([]);
    expect([name, taken.get(name)]).toStrictEqual([name, runs]);
  }
}, 600_000);
