import type { Recipient } from './recipient.ts';
import type { Orphan } from './recipients.ts';

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
