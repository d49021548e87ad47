import { hash } from 'node:crypto';
import * as z from 'zod';
import { channelId } from '../channels/channel-settings.ts';
import type { Log } from '../run/log.ts';
import { goneNames } from '../store/history/gone-names.ts';
import { type NamedPlace, type UnknownName, unknownNames } from '../store/history/unknown-names.ts';
import type { Subscription } from './subscription.ts';
import { namesMessage, sendPlain, type TrialOptions } from './trial.ts';

/** The names of a subscription's filter that nothing has, or has any more. */
interface SubscriptionNames {
  readonly subscription: string;
  readonly names: readonly UnknownName[];
}

/**
 * The subscriptions whose filters have names that nothing has. Where nothing has been read yet, no name is said to be unknown.
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function subscriptionNames(
  place: NamedPlace,
  subscriptions: readonly Pick<Subscription, 'name' | 'filter'>[],
): Promise<readonly SubscriptionNames[]> {
  const [covered, listings] = [await place.history.coverage(), await place.listings()];
  if (covered.length + listings.length === 0) return [];
  const all: SubscriptionNames[] = [];
  for (const { name, filter } of subscriptions) {
    // A catalogue that is followed elsewhere is read by another run.
    const { catalogues: _elsewhere, ...asked } = filter;
    const unknown = await unknownNames(place, asked, { found: 0 });
    const isSaid = ({ key, value }: UnknownName): boolean =>
      unknown.some((one) => one.key === key && one.value === value);
    const gone = (await goneNames(place, filter)).filter((one) => !isSaid(one));
    const names = [...unknown, ...gone];
    if (names.length > 0) all.push({ subscription: name, names });
  }
  return all;
}

/** What names are looked up with, and said with. */
interface Announcing extends TrialOptions {
  readonly place: NamedPlace;
  readonly log: Log;
}

/** What was said of names, and when they were looked up. */
const NAMES_PARTITION = 'notify#names';
const saidSchema = z.array(z.string());

/**
 * Says in each channel of a subscription which names of its filter were not found: once for each name, and again where it was
 * found in between. A channel that fails is tried again at the next call.
 * @returns what is unknown, also where it was said before
 * @throws {HistoryError | StateError} when the history or a listing cannot be read
 */
export async function announceNames(options: Announcing): Promise<readonly SubscriptionNames[]> {
  const { plan, place, store, log } = options;
  const all = await subscriptionNames(place, plan.subscriptions);
  for (const { name, channels, ...subscription } of plan.subscriptions) {
    const unknown = all.find((each) => each.subscription === name)?.names ?? [];
    const sentences = unknown.map(({ sentence }) => sentence);
    for (const channel of channels) {
      const id = `${name} ${channelId(channel)}`;
      const said = saidSchema.catch([]).parse((await store.get(NAMES_PARTITION, id))?.value);
      const fresh = sentences.filter((sentence) => !said.includes(sentence));
      try {
        if (fresh.length > 0)
          await sendPlain(namesMessage(name, fresh), { name, channel, ...subscription }, options);
        if (fresh.length > 0 || said.length > sentences.length)
          await store.put({ partition: NAMES_PARTITION, id, value: sentences });
      } catch (error) {
        log.warn('A message about unknown names was not sent; the next check tries again', {
          ...{ subscription: name, channel: channelId(channel), error },
        });
      }
    }
  }
  return all;
}

/** Names that exist today are looked up again a day later: a look-up of a rare tag reads the whole history. */
const CHECK_EVERY = 24 * 3_600_000;
const CHECKED = 'checked';

const checkedSchema = z.object({ at: z.number(), filters: z.string() });

/** The settings in which a subscription may name what does not exist. */
const namedKeys = ['panels', 'panelTypes', 'rCodes', 'genes', 'tags', 'actors', 'catalogues'] as const;

/**
 * Looks the names of all filters up once a day, and as soon as a filter was changed, and says in the channels of a subscription
 * which of them were not found. Where nothing has been read yet, the next call looks again.
 * @returns whether the names were looked up
 * @throws {HistoryError | StateError} when the history or a listing cannot be read; the next call tries again
 */
export async function checkNames(options: Announcing): Promise<boolean> {
  const { plan, store, clock, place } = options;
  const asking = plan.subscriptions.filter(({ filter, whenSignedOff = {} }) =>
    namedKeys.some((key) => filter[key] !== undefined || whenSignedOff[key] !== undefined),
  );
  if (asking.length === 0) return false;
  const filters = hash(
    'sha256',
    JSON.stringify(
      asking.map(({ name, filter, whenSignedOff, channels }) => [name, filter, whenSignedOff, channels]),
    ),
  );
  const kept = await store.get(NAMES_PARTITION, CHECKED);
  const last = checkedSchema.safeParse(kept?.value).data;
  if (last && last.filters === filters && clock.now() - last.at < CHECK_EVERY) return false;
  if ((await place.history.coverage()).length === 0) return false;
  await announceNames(options);
  await store.put({ partition: NAMES_PARTITION, id: CHECKED, value: { at: clock.now(), filters } });
  return true;
}
