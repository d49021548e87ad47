import type { Clock } from '../run/clock.ts';
import { lastDue } from './digest-times.ts';
import type { Orphan, Recipient } from './recipients.ts';

/** Messages that are set aside, those whose last attempt failed, and those that no attempt was made for yet. */
export interface Backlog {
  readonly setAside: number;
  readonly failing: number;
  readonly begun: number;
  /** Channels that the settings no longer have, for which messages wait, as `green-genes/slack:lab`. */
  readonly orphaned: readonly string[];
}

/** What the outboxes of these recipients have not sent yet. */
export async function backlogOf(
  recipients: readonly Recipient[],
  orphans: readonly Orphan[],
): Promise<Backlog> {
  let [setAside, failing, begun] = [0, 0, 0];
  for (const { outbox } of recipients) {
    const [open, aside] = [await outbox.deliveries(), await outbox.aside()];
    // One that is tried again after it was set aside is not sent yet.
    setAside += aside.length + open.filter(({ probing }) => probing).length;
    failing += open.filter(({ attempts, probing }) => attempts > 0 && !probing).length;
    begun += open.filter(({ attempts, probing }) => attempts === 0 && !probing).length;
  }
  const orphaned = orphans.map(({ subscription, channel }) => `${subscription}/${channel}`);
  return { setAside, failing, begun, orphaned };
}

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

/** What a recipient's outbox holds for a run. */
interface DueWork {
  /** Whether a run has something to begin, to try or to complete. */
  readonly isDue: boolean;
  /** Messages that were tried and are not sent. */
  readonly unsent: number;
}

/** Looks into an outbox without reserving it: a run that finds nothing to do writes nothing. */
export async function dueWork(
  { subscription: { when, zone }, outbox }: Recipient,
  clock: Pick<Clock, 'now'>,
): Promise<DueWork> {
  const [open, aside] = [await outbox.deliveries(), await outbox.aside()];
  const unsent =
    aside.length + open.filter(({ attempts, probing }) => attempts > 0 || probing === true).length;
  const isTime = [...open, ...aside].some(({ notBefore }) => notBefore <= clock.now());
  const hasDigest = async (): Promise<boolean> => {
    if (when.kind !== 'digest') return false;
    const last = await outbox.lastDigest();
    return last === null || last < lastDue(when, zone, clock.now());
  };
  const isDue = isTime || (await outbox.waiting()).length > 0 || (await hasDigest());
  return { isDue, unsent };
}
