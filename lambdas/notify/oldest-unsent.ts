import type { Clock } from '../run/clock.ts';
import type { Recipient } from './recipient.ts';
import type { Orphan } from './recipients.ts';

const MINUTE = 60_000;

/**
 * How long the oldest message that is due has waited, in seconds; 0 where none is due. A message that failed counts
 * until it is sent or dropped, also while it is set aside, and so do changes that a run should have made into a message, and
 * all that waits for a channel that the settings no longer have.
 */
export async function oldestUnsentSeconds(
  recipients: readonly Recipient[],
  orphans: readonly Orphan[],
  clock: Pick<Clock, 'now'>,
): Promise<number> {
  const begunIn = async ({ outbox }: Pick<Recipient, 'outbox'>): Promise<readonly number[]> =>
    [...(await outbox.deliveries()), ...(await outbox.aside())].map(({ begun }) => begun);
  const stranded = orphans.map(async (orphan) => [
    ...(await begunIn(orphan)),
    ...(await orphan.outbox.waiting()).map(({ at }) => at),
  ]);
  const dueSince = await Promise.all([
    ...stranded,
    ...recipients.map(async (recipient) => {
      const { outbox, subscription } = recipient;
      const { when } = subscription;
      const begun = await begunIn(recipient);
      // A digest waits for its hour, for a month at most.
      if (when.kind === 'digest') return begun;
      const waiting = (await outbox.waiting()).map(({ at }) => at + when.settleMinutes * MINUTE);
      return [...begun, ...waiting];
    }),
  ]);
  const oldest = Math.min(clock.now(), ...dueSince.flat());
  return Math.floor((clock.now() - oldest) / 1000);
}
