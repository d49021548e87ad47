import type { ChannelKind } from '../../lambdas/channels/channel-settings.ts';
import { googleChatMessage } from '../../lambdas/channels/google-chat.ts';
import { mattermostMessage } from '../../lambdas/channels/mattermost.ts';
import { slackMessage } from '../../lambdas/channels/slack.ts';
import { teamsMessage } from '../../lambdas/channels/teams.ts';
import { webexMessage } from '../../lambdas/channels/webex.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import type { Html } from '../frame/html.ts';
import { cardPreview, slackPreview } from './chat-previews.ts';
import { googleChatPreview } from './google-chat-preview.ts';
import { mattermostPreview } from './mattermost-preview.ts';

/** How an event's message looks in a chat. */
interface ChatForm {
  readonly label: string;
  readonly preview: (notice: Notice) => Html;
  /** What is sent. */
  readonly message: (notice: Notice) => object;
}

/** The chats that the page shows; null for channels with no look of their own, or that of another one. */
const forms: { readonly [Kind in ChannelKind]: ChatForm | null } = {
  email: null,
  smtp: null,
  slack: {
    label: 'Slack',
    preview: (notice) => slackPreview(slackMessage(notice)),
    message: slackMessage,
  },
  'slack-bot': null,
  teams: {
    label: 'Teams',
    preview: (notice) => cardPreview(teamsMessage(notice).attachments[0].content),
    message: teamsMessage,
  },
  mattermost: {
    label: 'Mattermost',
    preview: (notice) => mattermostPreview(mattermostMessage(notice)),
    message: mattermostMessage,
  },
  webex: {
    label: 'Webex',
    preview: (notice) => cardPreview(webexMessage(notice).attachments[0].content),
    message: webexMessage,
  },
  'google-chat': {
    label: 'Google Chat',
    preview: (notice) => googleChatPreview(googleChatMessage(notice)),
    message: googleChatMessage,
  },
  'amazon-q': null,
  webhook: null,
  atom: null,
};

/** The forms of chats, in the order of their tabs. */
export const chatForms = Object.entries(forms).flatMap(([kind, form]) => (form ? [{ kind, ...form }] : []));
