import type { PanelEvent } from '../events/schemas.ts';
import type { NameBook } from '../filters/names.ts';
import type { ItemStore } from '../store/items.ts';
import type { AlarmChange } from '../words/alarm.ts';
import type { DeadLetter } from './deliver.ts';
import { createKeptMessages, type KeptMessages } from './kept-messages.ts';
import { createRegister, operationsOf, recipientsOf } from './recipients.ts';
import { createRestoration } from './restoration.ts';
import { createServing, type RunOptions, type RunReport, type ServeOptions } from './serving.ts';
import { interestsOf } from './wanted-events.ts';

interface NotifierOptions extends Omit<ServeOptions, 'restoredAt'> {
  readonly store: ItemStore;
  /** Names the table that the store is in: another name shows that it was restored. Absent on one machine. */
  readonly place?: string;
  /** The names that panels and entities have and had; without them a filter compares those that an event has. */
  readonly names?: () => Promise<NameBook>;
}

/** Turns events into messages and brings them to their channels. */
export interface Notifier extends Pick<KeptMessages, 'backlog' | 'oldestUnsentSeconds'> {
  /**
   * Takes an event in for every subscription that wants it; a repeat changes nothing.
   * @param isAsked whether the subscription of a name is asked; all are where absent
   */
  receive(event: PanelEvent, isAsked?: (subscription: string) => boolean): Promise<void>;
  /** Takes in a change of an alarm of the notifier. An end gives a message only where its beginning gave one. */
  receiveAlarm(change: AlarmChange): Promise<void>;
  /** Begins a delivery that was set aside anew; false where it is unknown. */
  retry(letter: DeadLetter): Promise<boolean>;
  /** Begins all deliveries that were set aside anew; returns their number. */
  retryAll(): Promise<number>;
  /** Events that are part of no message yet: the most of any channel. */
  waiting(): Promise<number>;
  /** What is kept and not sent, for a person who decides. */
  readonly kept: KeptMessages;
  /** Sends all that is due. Channels are served side by side; one that takes too long rests for the run. */
  run(options?: RunOptions): Promise<RunReport>;
}

/** The notifier of one plan. What is still to be sent is in the store, so that any run may go on with it. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { plan, store, clock, log } = options;
  const now = (): number => clock.now();
  const place = { store, now };
  const subscribers = plan.subscriptions.map((subscription) => recipientsOf(subscription, place));
  const interests = interestsOf(plan.subscriptions, options.names);
  const operators = recipientsOf(operationsOf(plan), place);
  const recipients = [...subscribers.flat(), ...operators];
  const register = createRegister(recipients, { ...place, log });
  const restoration = createRestoration(store, { place: options.place ?? null, now });
  const serve = createServing(recipients, { ...options, restoredAt: restoration.at });
  const kept = createKeptMessages(recipients, { ...place, register });

  return {
    kept,
    async receive(event, isAsked = () => true) {
      await register.note();
      for (const [index, interest] of (await interests(event)).entries()) {
        for (const { outbox, subscription } of subscribers[index] ?? []) {
          if (!isAsked(subscription.name)) continue;
          if (interest === 'wanted') await outbox.add(event, now());
          if (interest === 'kept') await outbox.keepRating(event);
        }
      }
    },
    async receiveAlarm(alarm) {
      await register.note();
      for (const { outbox } of operators) {
        const last = await outbox.lastAlarm(alarm);
        // A queue may deliver what is over already.
        if (last && alarm.at < last.at) continue;
        // CloudWatch reports every new alarm as OK first, when nothing was wrong before.
        if (alarm.state === 'alarm' || last?.state === 'alarm') {
          await outbox.begin({ kind: 'alarm', alarm }, now());
        }
        await outbox.saveAlarm(alarm);
      }
    },
    retry: ({ deadLetter: { delivery } }) => kept.send(delivery),
    async retryAll() {
      let begun = 0;
      for (const { outbox } of recipients) {
        for (const delivery of await outbox.deliveries()) {
          if (delivery.aside !== 'rests') continue;
          await outbox.retry(delivery, 'again');
          begun += 1;
        }
      }
      return begun;
    },
    backlog: kept.backlog,
    oldestUnsentSeconds: kept.oldestUnsentSeconds,
    async waiting() {
      const counts = recipients.map(async ({ outbox }) => (await outbox.waiting()).length);
      return Math.max(0, ...(await Promise.all(counts)));
    },
    async run(given) {
      await restoration.notePlace();
      await register.report();
      return serve(given);
    },
  };
}
