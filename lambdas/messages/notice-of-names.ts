import type { MessageContext } from './message-context.ts';
import type { Notice } from './notice.ts';
import { namePiece, phrase } from './phrase.ts';
import { subscriptionLines } from './subscription-lines.ts';

/** The notice that names of a subscription's filter do not exist, or no longer. `name`: the subscription. */
export function noticeOfNames(
  name: string,
  sentences: readonly string[],
  { times, now, reason, help }: Pick<MessageContext, 'times' | 'now' | 'reason' | 'help'>,
): Notice {
  return {
    headline: phrase`${namePiece(name)} asks for names that do not exist`,
    tone: 'plain',
    blocks: [
      ...sentences.map((sentence) => ({ kind: 'text' as const, text: phrase`${sentence}` })),
      {
        kind: 'text',
        text: phrase`Nothing about these names can arrive here. Correct them in the settings of the subscription.`,
      },
      { kind: 'byline', text: phrase`Checked on ${times.moment(now)}` },
    ],
    links: [],
    thread: { id: 'notifier.names', title: 'Names that do not exist' },
    footer: subscriptionLines({ reason, ...(help && { help }) }),
  };
}
