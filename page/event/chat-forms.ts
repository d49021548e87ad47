import { teamsMessage } from '../../lambdas/channels/adaptive-card.ts';
import type { ChannelKind } from '../../lambdas/channels/channel-settings.ts';
import { type GoogleChatMessage, googleChatMessage } from '../../lambdas/channels/google-chat.ts';
import { mattermostMessage } from '../../lambdas/channels/mattermost.ts';
import { WORD_JOINER } from '../../lambdas/channels/message-lines.ts';
import { slackMessage } from '../../lambdas/channels/slack.ts';
import { webexMessage } from '../../lambdas/channels/webex.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { type Html, html } from '../frame/html.ts';
import { cardPreview, slackPreview } from './chat-previews.ts';
import { mattermostPreview } from './mattermost-preview.ts';

/** A message about as Google Chat shows it, from what is sent. */
function googleChatPreview({ cardsV2: [{ card }] }: GoogleChatMessage): Html {
  const [{ widgets }] = card.sections;
  return html`<div class="chat google-chat">${widgets.map((widget) =>
    'textParagraph' in widget
      ? widget.textParagraph.text.split('<br>').map(lineView)
      : html`<p>${widget.buttonList.buttons.map(
          ({ text, onClick }) => html`${link(onClick.openLink.url, text)} `,
        )}</p>`,
  )}</div>`;
}

function lineView(line: string): Html {
  if (line.trim() === '') return html``;
  if (line.startsWith('<font')) return html`<p class="context">${plain(line)}</p>`;
  if (line.startsWith('<i>')) return html`<blockquote>${inline(line)}</blockquote>`;
  return html`<p>${inline(line)}</p>`;
}

/** Bold text and links; everything else is shown as text. */
function inline(line: string): Html {
  const parts = line.split(/(<b>[^<]*<\/b>|<a href="https:[^"]*">.*?<\/a>)/);
  return html`${parts.map((part) => {
    const [, address, label] = /^<a href="(https:[^"]*)">(.*)<\/a>$/.exec(part) ?? [];
    if (address !== undefined && label !== undefined) return link(characters(address), plain(label));
    return part.startsWith('<b>') ? html`<b>${plain(part)}</b>` : plain(part);
  })}`;
}

const link = (address: string, label: string): Html =>
  html`<a class="button" href="${address}" rel="noreferrer" target="_blank">${label}</a>`;

const plain = (text: string): string => characters(text.replace(/<[^>]*>/g, '')).replaceAll(WORD_JOINER, '');

const characters = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

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
