import * as z from 'zod';
import type { Notice } from '../words/notice.ts';
import { shortText } from '../words/phrase.ts';
import { type AdaptiveCard, adaptiveCard } from './adaptive-card.ts';
import { type ChannelType, jsonFile } from './channel.ts';
import { inThread } from './in-thread.ts';
import { postAsBot } from './post.ts';

const API = 'https://webexapis.com/v1/';
/** Webex takes texts of 7,439 bytes. It states no limit of a card; one of this size shows all rows of an ordinary message. */
const CARD_BYTES = 15_000;
const TEXT = 400;

/** What Webex takes: a text for notifications, and a card. https://developer.webex.com/docs/api/v1/messages/create-a-message */
interface WebexMessage {
  readonly text: string;
  readonly attachments: readonly [
    { readonly contentType: 'application/vnd.microsoft.card.adaptive'; readonly content: AdaptiveCard },
  ];
}

/** The message for Webex: the card of Teams in the version that Webex knows. */
export const webexMessage = (notice: Notice): WebexMessage => ({
  text: shortText(notice.headline, TEXT),
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: adaptiveCard(notice, { version: '1.3', bytes: CARD_BYTES }),
    },
  ],
});

const answerSchema = z.lazy(() => z.object({ id: z.string() }));

/** Webex by a bot, with one thread for each panel. */
export const webex: ChannelType<'webex'> = {
  kind: 'webex',
  title: 'Webex',
  setUp:
    'Create a bot at developer.webex.com, add it to the space, and put its token into the secret: `"lab-webex": {"token": "…"}`. The id of the space is in its details. Threads by panel.',
  pauseMs: 1_000,
  dropsRepeats: false,
  afterTrial: '',
  preview: ({ notice }) => [jsonFile(webexMessage(notice))],
  send: ({ notice }, sending) =>
    inThread(notice, sending, async (first) => {
      const { status, answer } = await postAsBot(sending, {
        receiver: `the Webex bot "${sending.channel.bot}"`,
        api: API,
        path: 'messages',
        body: {
          roomId: sending.channel.room,
          ...(first !== null && { parentId: first }),
          ...webexMessage(notice),
        },
      });
      const id = answerSchema.safeParse(answer).data?.id ?? null;
      return { id, answer: `HTTP ${status}${id === null ? '' : `, id ${id}`}` };
    }),
};
