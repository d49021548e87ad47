import { cutAtWord } from '../words/clean-text.ts';
import { ratingColours } from '../words/html-page.ts';
import type { Notice } from '../words/notice.ts';
import { shortText } from '../words/phrase.ts';
import { type LineMarkup, messageLines, TITLE, WORD_JOINER, withoutAddresses } from './message-lines.ts';
import { chatByWebhook } from './post.ts';

/**
 * Text for Mattermost's Markdown: each character of markup gets a backslash. Mentions, names of emoji and addresses are
 * no markup that a backslash ends, so an invisible word joiner takes them apart.
 */
export function mattermostText(text: string): string {
  const escaped = text
    .replace(/[\\`*_{}[\]()#+!~|>-]/g, '\\$&')
    .replace(/^(\s*\d+)([.)])/gm, '$1\\$2')
    .replace(/[@<]/g, `$&${WORD_JOINER}`)
    .replace(/:(?=[\w+-]+:)/g, `:${WORD_JOINER}`);
  return withoutAddresses(escaped);
}

/** What an incoming webhook of Mattermost takes: https://developers.mattermost.com/integrate/webhooks/incoming */
export type MattermostMessage = ReturnType<typeof mattermostMessage>;

/** A post holds 16,383 characters, its attachments 8,000 in servers before version 6: the rest is for the other parts. */
const LONGEST = 6_500;

const markdown: LineMarkup = {
  text: mattermostText,
  heading: (line) => `#### ${line}`,
  bold: (text) => `**${text}**`,
  link: (text, address) => `[${text}](${address})`,
  quote: (line) => `> ${line}`,
  item: (line) => `- ${line}`,
  fact: (line) => `${line}  `,
  belowItem: '  \n  ',
  rows: 40,
  names: 3_500,
};

/** The message for Mattermost: one attachment with escaped Markdown in it. */
export function mattermostMessage(notice: Notice) {
  const { light } = ratingColours;
  const colours: Readonly<Record<Notice['tone'], string>> = {
    green: light.green.accent,
    amber: light.amber.accent,
    red: light.red.accent,
    none: light.none.accent,
    plain: light.none.accent,
    problem: light.red.accent,
    recovery: light.green.accent,
  };
  const links = notice.links
    .map(({ button, address }) => markdown.link(mattermostText(button), address))
    .join(' · ');
  const lines = messageLines(notice, markdown, LONGEST - links.length - 2);
  return {
    attachments: [
      {
        // For notifications.
        fallback: shortText(notice.headline, TITLE),
        // Of the line beside the message.
        color: colours[notice.tone],
        text: [...lines, ...(links === '' ? [] : ['', links])].join('\n'),
        footer: notice.footer.map((line) => cutAtWord(line, 250)).join(' '),
      },
    ],
  } as const;
}

/** Mattermost by an incoming webhook. A server takes ten requests a second unless it is set otherwise. */
export const mattermost = chatByWebhook({
  kind: 'mattermost',
  title: 'Mattermost',
  setUp:
    'In Mattermost: *Integrations → Incoming Webhooks → Add*, choose the channel, copy the address into the secret.',
  pauseMs: 500,
  render: mattermostMessage,
});
