import type { MessageContext } from './message-context.ts';
import type { Notice } from './notice.ts';
import { namePiece, phrase } from './phrase.ts';
import { subscriptionLines } from './subscription-lines.ts';

/** The notice of a trial message, which shows that a channel works. `name`: the subscription. */
export function noticeOfTrial(
  name: string,
  { times, now, reason, help }: Pick<MessageContext, 'times' | 'now' | 'reason' | 'help'>,
): Notice {
  return {
    headline: phrase`Trial message for ${namePiece(name)}: no gene changed`,
    tone: 'plain',
    blocks: [
      {
        kind: 'text',
        text: phrase`This is a trial: it shows that messages arrive here. No gene and no panel changed, and you need not do anything.`,
      },
      { kind: 'byline', text: phrase`Sent on ${times.moment(now)}` },
    ],
    links: [],
    thread: { id: 'notifier.trial', title: 'Trial messages' },
    footer: subscriptionLines({ reason, ...(help && { help }) }),
  };
}
