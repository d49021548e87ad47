import type { Clock } from '../run/clock.ts';
import { lastDue } from './digest-times.ts';
import type { Recipient } from './recipient.ts';

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
