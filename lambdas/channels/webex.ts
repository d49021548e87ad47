import * as z from 'zod';
import { postJson, WebhookError } from '../http/post-json.ts';
import type { Notice } from '../messages/notice.ts';
import { shortText } from '../messages/phrase.ts';
import { type AdaptiveCard, adaptiveCard } from './adaptive-card.ts';
import { type ChannelType, jsonFile, type Sending } from './channel.ts';
import { inThread } from './in-thread.ts';
import { jsonIn } from './json-in.ts';

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
    inThread({
      thread: notice.thread.id,
      memory: sending.memory,
      log: sending.context.log,
      post: (first) =>
        postMessage(sending, {
          roomId: sending.channel.room,
          ...(first !== null && { parentId: first }),
          ...webexMessage(notice),
        }),
    }),
};

const answerSchema = z.object({ id: z.string() });

/** Posts a message; returns its id, null where the answer cannot be read. */
async function postMessage(
  { channel, context: { secrets, clock, log }, signal }: Sending<'webex'>,
  message: object,
): Promise<string | null> {
  const { token, url = API } = await secrets.token(channel.bot);
  try {
    const { body } = await postJson({
      receiver: `the Webex bot "${channel.bot}"`,
      address: new URL('messages', url).href,
      headers: { authorization: `Bearer ${token}` },
      json: JSON.stringify(message),
      secrets: [token],
      clock,
      log,
      signal,
      limits: { retries: 0 },
    });
    return answerSchema.safeParse(jsonIn(body)).data?.id ?? null;
  } catch (error) {
    if (error instanceof WebhookError && error.status === 401) secrets.forget();
    throw error;
  }
}
