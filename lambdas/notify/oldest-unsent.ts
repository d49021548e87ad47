import type { Clock } from '../clock/clock.ts';
import type { Recipient } from './recipient.ts';

const MINUTE = 60_000;

/**
 * How long the oldest message that is due has waited, in seconds; 0 where none is due. A message that failed counts
 * until it is sent or dropped, also while it is set aside, and so do changes that a run should have made into a message.
 */
export async function oldestUnsentSeconds(
  recipients: readonly Recipient[],
  clock: Pick<Clock, 'now'>,
): Promise<number> {
  const dueSince = await Promise.all(
    recipients.map(async ({ subscription: { when }, outbox }) => {
      const begun = [...(await outbox.deliveries()), ...(await outbox.aside())].map(
        (delivery) => delivery.begun,
      );
      // A digest waits for its hour, for a month at most.
      if (when.kind === 'digest') return begun;
      const waiting = (await outbox.waiting()).map(({ at }) => at + when.settleMinutes * MINUTE);
      return [...begun, ...waiting];
    }),
  );
  const oldest = Math.min(clock.now(), ...dueSince.flat());
  return Math.floor((clock.now() - oldest) / 1000);
}
