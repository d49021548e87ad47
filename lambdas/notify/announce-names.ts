import * as z from 'zod';
import { channelId } from '../channels/channel-settings.ts';
import type { Log } from '../run/log.ts';
import type { NamedPlace } from '../store/history/unknown-names.ts';
import type { ItemStore } from '../store/items.ts';
import { noticeOfNames } from '../words/notice-of-names.ts';
import { reasonOf } from '../words/reason.ts';
import { timeWords } from '../words/time-words.ts';
import { channelMemory } from './channel-memory.ts';
import { DELIVERY_MS } from './deliver.ts';
import { helpLines } from './help-lines.ts';
import { type SubscriptionNames, subscriptionNames } from './subscription-names.ts';
import { type TrialOptions, trialEvent } from './trial.ts';

/** What names are looked up with, and said with. */
export interface Announcing extends TrialOptions {
  readonly place: NamedPlace;
  readonly log: Log;
}

/** What was said of names, and when they were looked up. */
export const NAMES_PARTITION = 'notify#names';
const saidSchema = z.array(z.string());

/**
 * Says in each channel of a subscription which names of its filter were not found: once for each name, and again where it was
 * found in between. A channel that fails is tried again at the next call.
 * @returns what is unknown, also where it was said before
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function announceNames(options: Announcing): Promise<readonly SubscriptionNames[]> {
  const { plan, place, store } = options;
  const all = await subscriptionNames(place, plan.subscriptions);
  for (const { name, channels, ...subscription } of plan.subscriptions) {
    const unknown = all.find((each) => each.subscription === name)?.names ?? [];
    const sentences = unknown.map(({ sentence }) => sentence);
    for (const channel of channels) {
      const id = `${name} ${channelId(channel)}`;
      const said = await saidIn(store, id);
      const fresh = sentences.filter((sentence) => !said.includes(sentence));
      if (fresh.length > 0 && !(await say({ name, channel, ...subscription }, fresh, options))) continue;
      if (fresh.length > 0 || said.length > sentences.length) await keep(store, id, sentences);
    }
  }
  return all;
}

type Audience = Pick<Announcing['plan']['subscriptions'][number], 'name' | 'zone' | 'filter'> & {
  readonly channel: Announcing['plan']['subscriptions'][number]['channels'][number];
};

async function say(
  { name, channel, zone, filter }: Audience,
  sentences: readonly string[],
  { plan, senders, clock, store, newId, log }: Announcing,
): Promise<boolean> {
  const at = new Date(clock.now()).toISOString();
  const id = newId();
  const notice = noticeOfNames(name, sentences, {
    times: timeWords(zone),
    now: at,
    reason: reasonOf(name, filter, channel.privacy),
    help: helpLines(plan.help ?? {}, channel.kind),
  });
  const summary = `The filter of ${name} has names that were not found: ${sentences.join(' ')}`;
  try {
    await senders[channel.kind].send(
      { id, subscription: name, notice, event: trialEvent(id, summary, at), at },
      channel,
      {
        memory: channelMemory(store, { subscription: name, channel: channelId(channel), now: clock.now }),
        signal: AbortSignal.timeout(DELIVERY_MS),
      },
    );
    return true;
  } catch (error) {
    log.warn('A message about unknown names was not sent; the next check tries again', {
      subscription: name,
      channel: channelId(channel),
      error,
    });
    return false;
  }
}

async function saidIn(store: ItemStore, id: string): Promise<readonly string[]> {
  return saidSchema.catch([]).parse((await store.get(NAMES_PARTITION, id))?.value ?? []);
}

async function keep(store: ItemStore, id: string, value: readonly string[]): Promise<void> {
  const item = await store.get(NAMES_PARTITION, id);
  if (item) await store.replace({ ...item, value });
  else await store.create({ partition: NAMES_PARTITION, id, value });
}
