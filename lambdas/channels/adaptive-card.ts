import * as z from 'zod';
import { cutAtWord } from '../words/clean-text.ts';
import {
  type Block,
  compactNotice,
  type Fact,
  type Notice,
  type Part,
  type Row,
  restOfRows,
  type Tone,
} from '../words/notice.ts';
import {
  colouredRating,
  cutPhrase,
  type Phrase,
  type PieceRenderers,
  renderPhrase,
  shortText,
} from '../words/phrase.ts';
import { type ChannelType, jsonFile } from './channel.ts';
import { WORD_JOINER } from './message-lines.ts';
import { chatByWebhook, inThread, postAsBot } from './post.ts';

/**
 * Text for the facts of an Adaptive Card, which Teams reads as Markdown: each character of markup gets a backslash,
 * and date functions (`{{DATE(…)}}`) are taken apart. Text runs of rich text blocks are never parsed.
 */
function cardText(text: string): string {
  return text
    .replace(/[\\`*_[\]<>~|]/g, '\\$&')
    .replace(/^([^\S\r\n]*)([-+#=]|\d+(?=[.)]\s))/gm, '$1\\$2')
    .replaceAll('{{', `{${WORD_JOINER}{`);
}

type CardElement = RichText | FactSet | Container;

interface RichText {
  readonly type: 'RichTextBlock';
  readonly inlines: readonly TextRun[];
  readonly spacing?: 'None' | 'Small' | 'Medium' | 'Large';
  readonly separator?: boolean;
}

interface TextRun {
  readonly type: 'TextRun';
  readonly text: string;
  readonly size?: 'Small' | 'Medium' | 'Large';
  readonly weight?: 'Bolder';
  readonly isSubtle?: boolean;
  readonly color?: 'Good' | 'Warning' | 'Attention';
  readonly selectAction?: { readonly type: 'Action.OpenUrl'; readonly url: string };
}

interface FactSet {
  readonly type: 'FactSet';
  readonly facts: readonly { readonly title: string; readonly value: string }[];
}

interface Container {
  readonly type: 'Container';
  readonly style: 'emphasis';
  readonly items: readonly RichText[];
}

/** Teams takes messages of up to 28 KB: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages */
export const CARD_BYTES = 28_000;
const TITLE = 200;

/** Of the schema: Webex knows 1.3, Teams 1.4. */
interface CardOptions {
  readonly version: '1.3' | '1.4';
  /** The most bytes of the card as JSON. */
  readonly bytes: number;
}

/** A notice as an Adaptive Card, shortened until it fits, as an attachment of a message. */
function cardAttachment(notice: Notice, { version, bytes }: CardOptions) {
  const attached = (content: AdaptiveCard) =>
    ({ contentType: 'application/vnd.microsoft.card.adaptive', content }) as const;
  for (const limits of [
    { rows: 60, text: 600, names: 6_000, below: true },
    { rows: 60, text: 300, names: 6_000, below: false },
    { rows: 25, text: 300, names: 4_000, below: false },
    { rows: 10, text: 150, names: 2_000, below: false },
    { rows: 3, text: 80, names: 300, below: false },
  ]) {
    const card = withLimits(limits.below ? notice : compactNotice(notice), { ...limits, version });
    if (Buffer.byteLength(JSON.stringify(card)) <= bytes) return attached(card);
  }
  const [first = { kind: 'text', text: [] }] = notice.blocks;
  const shortest = { ...notice, blocks: [first], footer: [] };
  return attached(withLimits(shortest, { rows: 3, text: 80, names: 100, version }));
}

interface CardLimits {
  /** Of one panel in one group. */
  readonly rows: number;
  readonly text: number;
  /** Characters of the names of rows that are not shown. */
  readonly names: number;
}

/** The card that Teams and Webex show; the schema is on adaptivecards.io. */
export type AdaptiveCard = ReturnType<typeof withLimits>;

function withLimits(notice: Notice, limits: CardLimits & Pick<CardOptions, 'version'>) {
  const title = shortText(notice.headline, TITLE);
  const body: readonly CardElement[] = [
    richText([textRun(title, { size: 'Large', weight: 'Bolder' })]),
    ...notice.blocks.flatMap((block) => elementsOf(block, limits)),
    ...notice.footer.map((line) =>
      richText([textRun(cutAtWord(line, limits.text), { size: 'Small', isSubtle: true })]),
    ),
  ];
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: limits.version,
    fallbackText: title,
    body,
    ...(notice.links.length > 0 && {
      actions: notice.links.slice(0, 3).map(({ button, address }) => ({
        type: 'Action.OpenUrl',
        title: cutAtWord(button, 60),
        url: address,
      })),
    }),
    // Only Teams knows this key.
    ...(limits.version === '1.4' && { msteams: { width: 'Full' } }),
  } as const;
}

function elementsOf(block: Block, limits: CardLimits): readonly CardElement[] {
  switch (block.kind) {
    case 'change':
      return [richText(rowRuns(block.row, limits, { size: 'Medium' }))];
    case 'place':
      return factSet(block.facts, limits);
    case 'facts':
      return [richText(block.facts.flatMap((fact, place) => factRuns(fact, place, limits)))];
    case 'byline':
      return [richText(phraseRuns(block.text, { isSubtle: true }))];
    case 'text':
      return [richText(phraseRuns(cutPhrase(block.text, limits.text)))];
    case 'quote': {
      const items = [richText([textRun(`“${cutAtWord(block.text, limits.text)}”`)])];
      return [{ type: 'Container', style: 'emphasis', items }];
    }
    case 'group': {
      const title = `${block.title}${block.count > 1 ? ` (${block.count})` : ''}`;
      const heading = textRun(title, { weight: 'Bolder', size: 'Medium', ...colourOf(block.tone) });
      return [
        { ...richText([heading]), separator: true },
        ...block.parts.map((part) => partText(part, limits)),
      ];
    }
  }
}

function factSet(facts: readonly Fact[], limits: CardLimits): readonly CardElement[] {
  if (facts.length === 0) return [];
  const shown = facts.slice(0, 20).map(({ label, value }) => ({
    title: cardText(cutAtWord(label, 60)),
    value: cardText(shortText(value, limits.text)),
  }));
  return [{ type: 'FactSet', facts: shown }];
}

/** Facts with free text in them: as text runs, which are never parsed. */
const factRuns = ({ label, value }: Fact, place: number, limits: CardLimits): readonly TextRun[] => [
  textRun(`${place === 0 ? '' : '\n'}${label}: `, { weight: 'Bolder' }),
  ...phraseRuns(cutPhrase(value, limits.text)),
];

function partText({ heading, note, rows }: Part, limits: CardLimits): RichText {
  const shown = rows.slice(0, limits.rows);
  const rest = rows.slice(limits.rows);
  const title =
    heading === undefined
      ? []
      : [
          ...phraseRuns(cutPhrase(heading, 200), { weight: 'Bolder' }),
          textRun(`${note ? `  ${shortText(note, 100)}` : ''}\n`, { isSubtle: true }),
        ];
  const lines = shown.flatMap((row, place) => [
    ...rowRuns(row, limits),
    ...(place < shown.length - 1 || rest.length > 0 ? [textRun('\n')] : []),
  ]);
  const more = rest.length > 0 ? [textRun(restOfRows(rest, limits.names), { isSubtle: true })] : [];
  return { type: 'RichTextBlock', spacing: 'Small', inlines: [...title, ...lines, ...more] };
}

function rowRuns(
  { name, words, note, more = [], address }: Row,
  limits: CardLimits,
  sized: Pick<TextRun, 'size'> = {},
): readonly TextRun[] {
  const start = cutAtWord(name, limits.text);
  return [
    ...(start === '' ? [] : [textRun(`${start}  `, { weight: 'Bolder', ...sized, ...linkTo(address) })]),
    ...phraseRuns(cutPhrase(words, limits.text), sized),
    ...(note ? [textRun(`   ${shortText(note, limits.text)}`, { isSubtle: true })] : []),
    ...more.map((line) => textRun(`\n${shortText(line, limits.text)}`, { isSubtle: true })),
  ];
}

const linkTo = (address: string | undefined): RunStyle =>
  address === undefined ? {} : { selectAction: { type: 'Action.OpenUrl', url: address } };

type RunStyle = Omit<TextRun, 'type' | 'text'>;

const textRun = (text: string, style: RunStyle = {}): TextRun => ({ type: 'TextRun', text, ...style });

/** The runs of a phrase, of one style; texts that follow each other are one run. */
function phraseRuns(phrase: Phrase, style: RunStyle = {}): readonly TextRun[] {
  const runs: TextRun[] = [];
  for (const run of renderPhrase(phrase, pieces)) {
    const last = runs.at(-1);
    if (last && !last.selectAction && !run.selectAction)
      runs[runs.length - 1] = { ...last, text: last.text + run.text };
    else runs.push({ ...run, ...style });
  }
  return runs;
}

const pieces: PieceRenderers<TextRun> = {
  text: ({ text }) => textRun(text),
  rating: ({ rating }) => textRun(colouredRating(rating)),
  name: ({ text }) => textRun(text),
  link: ({ text, address }) => textRun(text, linkTo(address)),
};

function colourOf(tone: Tone): Pick<TextRun, 'color'> {
  if (tone === 'green' || tone === 'recovery') return { color: 'Good' };
  if (tone === 'red' || tone === 'problem') return { color: 'Attention' };
  return tone === 'amber' ? { color: 'Warning' } : {};
}

const richText = (inlines: readonly TextRun[]): RichText => ({ type: 'RichTextBlock', inlines });

/** What a Workflows webhook of Microsoft Teams takes: one Adaptive Card, shortened until it fits. */
export const teamsMessage = (notice: Notice) =>
  ({
    type: 'message',
    attachments: [cardAttachment(notice, { version: '1.4', bytes: CARD_BYTES - ENVELOPE })],
  }) as const;

/** Of the message around the card. */
const ENVELOPE = 200;

/** Teams by a Workflows webhook. It takes four requests a second: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit */
export const teams = chatByWebhook({
  kind: 'teams',
  title: 'Microsoft Teams',
  setUp:
    'In Teams: *Workflows → Post to a channel when a webhook request is received* at the channel, copy the address into the secret.',
  pauseMs: 1_000,
  service: 'Teams',
  render: teamsMessage,
});

const API = 'https://webexapis.com/v1/';
/** Webex takes texts of 7,439 bytes. It states no limit of a card; one of this size shows all rows of an ordinary message. */
const WEBEX_BYTES = 15_000;
const TEXT = 400;

/**
 * What Webex takes: a text for notifications, and the card of Teams in the version that Webex knows.
 * https://developer.webex.com/docs/api/v1/messages/create-a-message
 */
export const webexMessage = (notice: Notice) =>
  ({
    text: shortText(notice.headline, TEXT),
    attachments: [cardAttachment(notice, { version: '1.3', bytes: WEBEX_BYTES })],
  }) as const;

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
