import type { SNSClient } from '@aws-sdk/client-sns';
import { addressesByTopic } from '../channels/channel-settings.ts';
import type { Log } from '../run/log.ts';
import { mailAddressState } from './mail-addresses.ts';
import { type NotifyPlan, OPERATIONS } from './subscription.ts';
import { addressKey, mailTopic } from './topic-names.ts';

interface GoneOptions {
  readonly sns: Pick<SNSClient, 'send'>;
  /** Of the ARNs of all topics. */
  readonly prefix: string;
  /** Who gets the alarms by mail; undefined where the settings name no address. */
  readonly alarmEmail: string | undefined;
  readonly log: Log;
}

/**
 * How many mail addresses of the settings have no confirmed subscription to their topic, and so get nothing. The log names
 * each by its subscription; addresses are not logged.
 */
export async function goneMailAddresses(
  { subscriptions, operations }: Pick<NotifyPlan, 'subscriptions' | 'operations'>,
  { sns, prefix, alarmEmail, log }: GoneOptions,
): Promise<number> {
  const wanted = [
    ...[...subscriptions, { name: OPERATIONS, ...operations }].flatMap(({ name, channels }) =>
      addressesByTopic(channels).map((address) => ({ of: name, address, topic: mailTopic(name) })),
    ),
    ...(alarmEmail === undefined ? [] : [{ of: 'alarms', address: alarmEmail, topic: 'alarms' }]),
  ];
  let gone = 0;
  for (const { of, address, topic } of wanted) {
    const state = await mailAddressState(address, { sns, topicArn: `${prefix}${topic}` });
    if (state === 'confirmed') continue;
    gone += 1;
    log.warn('A mail address gets nothing: it has no confirmed subscription', {
      of,
      addressKey: addressKey(address),
      state,
    });
  }
  return gone;
}
