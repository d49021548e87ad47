import type { Stage } from '../../lib/settings.ts';
import { confirmationOf, queuesElsewhere, sharedWith } from '../../lib/share-settings.ts';
import type { Finding } from './finding.ts';

/** Who may subscribe to the topics of a stage, and which queues get nothing before their owner confirms. */
export function* checkSharing({ share, subscriptions, account }: Stage): Generator<Finding> {
  if (share)
    yield {
      check: 'share',
      outcome: 'ok',
      text: `Beside the account of the stack, ${sharedWith(share)} may subscribe queues and functions to the topics of events, and nobody else.`,
    };
  for (const [name, queue] of queuesElsewhere(subscriptions, account))
    yield { check: `subscriptions.${name}`, outcome: 'warning', text: confirmationOf(queue, account) };
}
