import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Clock } from '../../lambdas/clock/clock.ts';
import type { Log } from '../../lambdas/log/log.ts';
import { atomSender } from '../../lambdas/notify/channels/atom-sender.ts';
import type { ChannelSecrets } from '../../lambdas/notify/channels/channel-secrets.ts';
import { slackSender, teamsSender, webhookSender } from '../../lambdas/notify/channels/http-senders.ts';
import { smtpSender } from '../../lambdas/notify/channels/smtp-sender.ts';
import type { OutboxStore } from '../../lambdas/notify/outbox-store.ts';
import type { Senders } from '../../lambdas/notify/sender.ts';
import { type Channel, type NotifyPlan, OPERATIONS } from '../../lambdas/notify/subscription.ts';
import { planOf } from '../../lib/notify-plan.ts';
import { hasChannels } from '../../lib/subscription-settings.ts';
import type { SettingsStage } from '../settings-stage.ts';

/** Who gets which messages from this machine. */
export interface LocalPlan {
  readonly plan: NotifyPlan;
  /** Channels of the settings that only a deployment has, and what to do; a sentence each. */
  readonly unusable: readonly string[];
}

/** The plan of a stage without the channels that need AWS. */
export function localPlan({ prefix, stage }: SettingsStage): LocalPlan {
  const subscriptions = Object.fromEntries(
    Object.entries(stage.subscriptions).flatMap(([name, each]) => (hasChannels(each) ? [[name, each]] : [])),
  );
  const whole = planOf({ ...stage, prefix }, subscriptions);
  const unusable: string[] = [];
  const usable = (name: string, channels: readonly Channel[]): readonly Channel[] =>
    channels.filter((channel) => {
      const why = needsAws(channel);
      if (why !== undefined) unusable.push(`${name}: ${why}`);
      return why === undefined;
    });
  const { operations } = whole;
  return {
    plan: {
      ...whole,
      subscriptions: whole.subscriptions.map((each) => ({
        ...each,
        channels: usable(`subscriptions.${each.name}`, each.channels),
      })),
      operations: { ...operations, channels: usable(OPERATIONS, operations.channels) },
    },
    unusable,
  };
}

function needsAws({ kind }: Channel): string | undefined {
  if (kind === 'email') {
    return "the channel 'email' goes through AWS SNS, for which the notifier must be deployed. From this machine, use { kind: 'smtp', to: ['…'] } with messages.relay.";
  }
  if (kind === 'amazon-q') {
    return "the channel 'amazon-q' listens to an AWS SNS topic, for which the notifier must be deployed. From this machine, use 'slack' or 'teams'.";
  }
  return undefined;
}

export interface LocalSenderOptions {
  readonly settings: SettingsStage;
  readonly plan: NotifyPlan;
  readonly store: OutboxStore;
  readonly secrets: ChannelSecrets;
  readonly clock: Clock;
  readonly log: Log;
}

/** Sends to every kind of channel that works from this machine. */
export function localSenders(options: LocalSenderOptions): Senders {
  const { settings, plan, store, secrets, clock, log } = options;
  const http = { secrets, clock, log };
  const folder = resolve(dirname(settings.file), settings.stage.local.feeds);
  return {
    slack: slackSender(http),
    teams: teamsSender(http),
    webhook: webhookSender(http),
    atom: atomSender({ store, write: (name, xml) => writeWhole(join(folder, name), xml) }),
    ...(plan.mailRelay && { smtp: smtpSender({ relay: plan.mailRelay, secrets }) }),
  };
}

/** A reader, or a process that is killed meanwhile, never leaves half a file. */
async function writeWhole(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** A channel and the subscription that it belongs to. */
export interface OwnedChannel {
  readonly subscription: string;
  readonly channel: Channel;
}

/** Every channel of a plan, those of operations last. */
export const channelsIn = ({ subscriptions, operations }: NotifyPlan): readonly OwnedChannel[] => [
  ...subscriptions.flatMap(({ name, channels }) =>
    channels.map((channel) => ({ subscription: name, channel })),
  ),
  ...operations.channels.map((channel) => ({ subscription: OPERATIONS, channel })),
];
