import { type AdaptiveCard, teamsMessage, webexMessage } from '../../lambdas/channels/adaptive-card.ts';
import type { ChannelKind } from '../../lambdas/channels/channel-settings.ts';
import { type GoogleChatMessage, googleChatMessage } from '../../lambdas/channels/google-chat.ts';
import { type MattermostMessage, mattermostMessage } from '../../lambdas/channels/mattermost.ts';
import { WORD_JOINER } from '../../lambdas/channels/message-lines.ts';
import { type SlackBlock, type SlackMessage, slackMessage } from '../../lambdas/channels/slack.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { type Html, html } from '../html.ts';

function mattermostPreview({ attachments: [{ text, footer }] }: MattermostMessage): Html {
  return html`<div class="chat mattermost">${text.split('\n').map(markdownLine)}<p class="context">${footer}</p></div>`;
}

function markdownLine(line: string): Html {
  if (line.trim() === '') return html``;
  if (line.startsWith('#### ')) return html`<p class="title">${markdownText(line.slice(5))}</p>`;
  if (line.startsWith('> ')) return html`<blockquote>${markdownText(line.slice(2))}</blockquote>`;
  if (line.startsWith('- ')) return html`<p>• ${markdownText(line.slice(2))}</p>`;
  return html`<p>${markdownText(line)}</p>`;
}

/** Bold text and links; everything else is shown as it is, without the backslashes that keep it from being markup. */
function markdownText(text: string): Html {
  const parts = text.split(/(\*\*(?:\\.|[^*\\])+\*\*|\[(?:\\.|[^\]\\])*\]\(https:[^)\s]*\))/);
  return html`${parts.map((part) => {
    if (part.startsWith('**')) return html`<b>${withoutBackslashes(part.slice(2, -2))}</b>`;
    const [, label, address] = /^\[(.*)\]\((https:.*)\)$/s.exec(part) ?? [];
    return label === undefined || address === undefined
      ? withoutBackslashes(part)
      : html`<a class="button" href="${address}" rel="noreferrer" target="_blank">${withoutBackslashes(label)}</a>`;
  })}`;
}

const withoutBackslashes = (text: string): string => text.replace(/\\(.)/g, '$1').replaceAll(WORD_JOINER, '');

function slackPreview({ blocks }: SlackMessage): Html {
  return html`<div class="chat slack">${blocks.map((block) => slackBlock(block as Block))}</div>`;
}

interface Block {
  readonly type: SlackBlock['type'];
  readonly text?: string | Text;
  readonly fields?: readonly Text[];
  readonly elements?: readonly Element[];
}

interface Text {
  readonly text: string;
}

interface Element extends Omit<Block, 'type' | 'elements'> {
  readonly type: string;
  readonly elements?: readonly Element[];
  readonly url?: string;
  readonly style?: { readonly bold?: boolean };
}

function slackBlock(block: Block): Html {
  const { type, fields, elements = [] } = block;
  switch (type) {
    case 'header':
      return html`<p class="title">${plain(block.text)}</p>`;
    case 'section':
      return fields
        ? html`<ul class="fields">${fields.map((field) => html`<li>${labelled(plain(field))}</li>`)}</ul>`
        : html`<p>${plain(block.text)}</p>`;
    case 'context':
      return html`<p class="context">${elements.map((element) => html`<span>${plain(element.text)}</span> `)}</p>`;
    case 'rich_text':
      return html`${elements.map((part) => (part.type === 'rich_text_quote' ? html`<blockquote>${inline(part)}</blockquote>` : html`<p>${inline(part)}</p>`))}`;
    case 'actions':
      return html`<p>${elements.map(({ text, url }) => html`<a class="button" href="${url}" rel="noreferrer" target="_blank">${plain(text)}</a>`)}</p>`;
  }
}

function inline({ elements = [] }: Element): Html {
  return html`${elements.map(({ text, style }) => (style?.bold ? html`<b>${asIs(text)}</b>` : asIs(text)))}`;
}

/** Rich text is not escaped. */
const asIs = (text: string | Text | undefined): string =>
  typeof text === 'string' ? text : (text?.text ?? '');

/** In other texts, three characters are escaped. */
const plain = (text: string | Text | undefined): string =>
  (typeof text === 'string' ? text : (text?.text ?? ''))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

function labelled(text: string): Html {
  const [label = '', ...value] = text.split('\n');
  return value.length === 0 ? html`${label}` : html`<span>${label}</span> ${value.join(' ')}`;
}

function cardPreview({ body, actions = [] }: AdaptiveCard): Html {
  return html`<div class="chat teams">${body.map(cardElement)}<p>${actions.map(
    ({ title, url }) => html`<a class="button" href="${url}" rel="noreferrer" target="_blank">${title}</a>`,
  )}</p></div>`;
}

type CardElement = AdaptiveCard['body'][number];

function cardElement(element: CardElement): Html {
  switch (element.type) {
    case 'RichTextBlock':
      return html`<p>${element.inlines.map(
        ({ text, weight, size, isSubtle }) =>
          html`<span class="${[weight && 'bold', size?.toLowerCase(), isSubtle && 'subtle'].filter(Boolean).join(' ')}">${text}</span>`,
      )}</p>`;
    case 'FactSet':
      return html`<dl class="known">${element.facts.map(({ title, value }) => html`<div><dt>${unescaped(title)}</dt><dd>${unescaped(value)}</dd></div>`)}</dl>`;
    case 'Container':
      return html`<blockquote>${element.items.map(cardElement)}</blockquote>`;
  }
}

/** The facts of a card are Markdown: an escape is not shown. */
const unescaped = (text: string): string =>
  text.replace(/\\([\\`*_[\]<>~|\-+#=])/g, '$1').replaceAll('\u2060', '');

function googleChatPreview({ cardsV2: [{ card }] }: GoogleChatMessage): Html {
  const [{ widgets }] = card.sections;
  return html`<div class="chat google-chat">${widgets.map((widget) =>
    'textParagraph' in widget
      ? widget.textParagraph.text.split('<br>').map(taggedLine)
      : html`<p>${widget.buttonList.buttons.map(
          ({ text, onClick }) => html`${link(onClick.openLink.url, text)} `,
        )}</p>`,
  )}</div>`;
}

function taggedLine(line: string): Html {
  if (line.trim() === '') return html``;
  if (line.startsWith('<font')) return html`<p class="context">${withoutTags(line)}</p>`;
  if (line.startsWith('<i>')) return html`<blockquote>${taggedText(line)}</blockquote>`;
  return html`<p>${taggedText(line)}</p>`;
}

/** Bold text and links; everything else is shown as text. */
function taggedText(line: string): Html {
  const parts = line.split(/(<b>[^<]*<\/b>|<a href="https:[^"]*">.*?<\/a>)/);
  return html`${parts.map((part) => {
    const [, address, label] = /^<a href="(https:[^"]*)">(.*)<\/a>$/.exec(part) ?? [];
    if (address !== undefined && label !== undefined) return link(characters(address), withoutTags(label));
    return part.startsWith('<b>') ? html`<b>${withoutTags(part)}</b>` : withoutTags(part);
  })}`;
}

const link = (address: string, label: string): Html =>
  html`<a class="button" href="${address}" rel="noreferrer" target="_blank">${label}</a>`;

const withoutTags = (text: string): string =>
  characters(text.replace(/<[^>]*>/g, '')).replaceAll(WORD_JOINER, '');

const characters = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

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
