import type { MessageContext } from './message-context.ts';
import type { Notice } from './notice.ts';
import { namePiece, phrase } from './phrase.ts';
import { subscriptionLines } from './subscription-lines.ts';

/** The notice that names of a subscription's filter were not found, or no longer exist. `name`: the subscription. */
export function noticeOfNames(
  name: string,
  sentences: readonly string[],
  { times, now, reason, help }: Pick<MessageContext, 'times' | 'now' | 'reason' | 'help'>,
): Notice {
  return {
    headline: phrase`${namePiece(name)} asks for names that were not found`,
    tone: 'plain',
    blocks: [
      ...sentences.map((sentence) => ({ kind: 'text' as const, text: phrase`${sentence}` })),
      {
        kind: 'text',
        text: phrase`Nothing arrives here about a name that does not exist. If one is misspelt or out of date, have it corrected in the settings of the subscription.`,
      },
      { kind: 'byline', text: phrase`Checked on ${times.moment(now)}` },
    ],
    links: [],
    thread: { id: 'notifier.names', title: 'Names that were not found' },
    footer: subscriptionLines({ reason, ...(help && { help }) }),
  };
}
