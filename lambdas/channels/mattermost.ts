import { cutAtWord } from '../messages/clean-text.ts';
import { compactNotice } from '../messages/compact-notice.ts';
import type { Block, Notice, Part, Row } from '../messages/notice.ts';
import { cutPhrase, type Phrase, type PieceRenderers, renderPhrase, shortText } from '../messages/phrase.ts';
import { ratingColours } from '../messages/rating-colours.ts';
import { colouredRating } from '../messages/rating-words.ts';
import { restOfRows } from '../messages/rest-of-rows.ts';
import { type ChannelType, jsonFile } from './channel.ts';
import { mattermostText } from './mattermost-text.ts';
import { postToWebhook } from './post-to-webhook.ts';

/** What an incoming webhook of Mattermost takes: https://developers.mattermost.com/integrate/webhooks/incoming */
export interface MattermostMessage {
  readonly attachments: readonly [
    {
      /** For notifications. */
      readonly fallback: string;
      /** Of the line beside the message. */
      readonly color: string;
      /** Markdown. */
      readonly text: string;
      readonly footer: string;
    },
  ];
}

/** A post holds 16,383 characters, its attachments 8,000 in servers before version 6: the rest is for the other parts. */
const LONGEST = 6_500;
const TITLE = 200;
const QUOTE = 600;
const ROWS = 40;
/** Characters of the names of further rows. */
const NAMES = 3_500;

/** The message for Mattermost: one attachment with escaped Markdown in it. */
export function mattermostMessage(notice: Notice): MattermostMessage {
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
  const links = notice.links.map(({ button, address }) => `[${mattermostText(button)}](${address})`);
  const linesIn = ({ blocks }: Notice): readonly string[] => [
    `#### ${mattermostText(shortText(notice.headline, TITLE))}`,
    ...blocks.flatMap(linesOf),
    ...(links.length > 0 ? ['', links.join(' · ')] : []),
  ];
  const whole = linesIn(notice);
  const lines = whole.join('\n').length < LONGEST - 40 ? whole : linesIn(compactNotice(notice));
  return {
    attachments: [
      {
        fallback: shortText(notice.headline, TITLE),
        color: colours[notice.tone],
        text: within(lines, LONGEST),
        footer: notice.footer.map((line) => cutAtWord(line, 250)).join(' '),
      },
    ],
  };
}

/** The lines that fit; where some do not, the last line says so. */
function within(lines: readonly string[], longest: number): string {
  const kept: string[] = [];
  let left = longest;
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 40) return [...kept, '', 'More changes than fit here.'].join('\n');
    kept.push(line);
  }
  return kept.join('\n');
}

function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'change':
      return ['', rowText(block.row)];
    case 'place':
      return [block.text, block.below ?? []]
        .filter((line) => line.length > 0)
        .flatMap((line) => ['', markdownOf(cutPhrase(line, QUOTE * 2))]);
    case 'byline':
    case 'text':
      return block.text.length === 0 ? [] : ['', markdownOf(cutPhrase(block.text, QUOTE * 2))];
    case 'quote':
      return [
        '',
        ...mattermostText(cutAtWord(block.text, QUOTE))
          .split('\n')
          .map((line) => `> ${line}`),
      ];
    case 'facts':
      return [
        '',
        ...block.facts.map(
          ({ label, value }) => `**${mattermostText(label)}:** ${markdownOf(cutPhrase(value, QUOTE))}  `,
        ),
      ];
    case 'group': {
      const count = block.count > 1 ? ` (${block.count})` : '';
      return ['', `**${mattermostText(block.title)}${count}**`, ...block.parts.flatMap(partLines)];
    }
    default:
      return block satisfies never;
  }
}

function partLines({ heading, note, rows }: Part): readonly string[] {
  const title =
    heading === undefined
      ? []
      : ['', `${markdownOf(cutPhrase(heading, 200))}${note ? `  ${markdownOf(cutPhrase(note, 100))}` : ''}`];
  const more = rows.length > ROWS ? [`- ${mattermostText(restOfRows(rows.slice(ROWS), NAMES))}`] : [];
  return [...title, ...rows.slice(0, ROWS).map((row) => `- ${rowText(row)}`), ...more];
}

function rowText({ name, words, note, more = [], address }: Row): string {
  const shown = `**${mattermostText(cutAtWord(name, 200))}**`;
  const start = name === '' ? '' : `${address === undefined ? shown : `[${shown}](${address})`} `;
  const below = more.map((line) => `  \n  ${markdownOf(cutPhrase(line, QUOTE))}`).join('');
  return `${start}${markdownOf(cutPhrase(words, 500))}${note ? `   ${markdownOf(cutPhrase(note, 150))}` : ''}${below}`;
}

const pieces: PieceRenderers<string> = {
  text: ({ text }) => mattermostText(text),
  rating: ({ rating }) => colouredRating(rating),
  name: ({ text }) => mattermostText(text),
  link: ({ text, address }) => `[${mattermostText(text)}](${address})`,
};

const markdownOf = (phrase: Phrase): string => renderPhrase(phrase, pieces).join('');

/** Mattermost by an incoming webhook. A server takes ten requests a second unless it is set otherwise. */
export const mattermost: ChannelType<'mattermost'> = {
  kind: 'mattermost',
  title: 'Mattermost',
  setUp:
    'In Mattermost: *Integrations → Incoming Webhooks → Add*, choose the channel, copy the address into the secret.',
  pauseMs: 500,
  dropsRepeats: false,
  afterTrial: '',
  preview: ({ notice }) => [jsonFile(mattermostMessage(notice))],
  send: ({ notice }, sending) =>
    postToWebhook(sending, {
      service: 'Mattermost webhook',
      body: () => ({ json: JSON.stringify(mattermostMessage(notice)) }),
    }),
};
