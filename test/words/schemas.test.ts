import { describe, expect, test } from 'vitest';
import { CARD_BYTES, teamsMessage } from '../../lambdas/channels/adaptive-card.ts';
import { amazonQMessage } from '../../lambdas/channels/amazon-q.ts';
import { slackMessage } from '../../lambdas/channels/slack.ts';
import { namesMessage, noticeOfPlain, trialMessage } from '../../lambdas/notify/trial.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { messageExamples } from '../../scripts/message-examples.ts';
import { amazonQSchema } from './amazon-q-schema.ts';
import { breast, eventOf, london, turnedGreen } from './events.ts';
import { slackSchema } from './slack-schema.ts';

/** More of everything than a message can hold. */
function largest(): Notice {
  const panel = {
    ...breast,
    name: 'A long name of a panel '.repeat(20),
    relevantDisorders: Array.from({ length: 40 }, (_, place) => `R${place}`),
  };
  const [first, ...others] = Array.from({ length: 900 }, (_, place) =>
    turnedGreen({ gene: `GENE${place}`, panel, actor: `Person ${place} ${'x'.repeat(200)}` }),
  );
  const comments = Array.from({ length: 60 }, () =>
    eventOf('entity.commented', { comment: 'word '.repeat(5_000), action: 'added' }, { panel }),
  );
  return noticeOfPanel([first as NonNullable<typeof first>, ...others, ...comments], {
    ...london,
    reason: 'because '.repeat(400),
  });
}

const notices: readonly (readonly [string, Notice])[] = [
  ...Object.entries(messageExamples()),
  ['trial', noticeOfPlain(trialMessage('green-genes'), london)],
  ['names', noticeOfPlain(namesMessage('green-genes', ['No panel is named “Hering”.']), london)],
  ['largest', largest()],
];

describe.each(notices)('the message "%s"', (_name, notice) => {
  test('is one that Slack accepts', () => {
    expect(slackSchema.safeParse(slackMessage(notice)).error?.issues ?? []).toStrictEqual([]);
  });

  test('is one that Amazon Q does not drop', () => {
    const message: unknown = JSON.parse(JSON.stringify(amazonQMessage(notice, { id: 'one' })));
    expect(amazonQSchema.safeParse(message).error?.issues ?? []).toStrictEqual([]);
  });

  test('fits into a card of Teams', () => {
    expect(Buffer.byteLength(JSON.stringify(teamsMessage(notice)))).toBeLessThanOrEqual(CARD_BYTES);
  });
});

describe('the schemas of the tests refuse', () => {
  const slack = slackMessage(messageExamples().one);
  const [header, ...others] = slack.blocks;
  const text = (length: number) => ({ type: 'plain_text', text: 'x'.repeat(length), emoji: false });

  test.each<[string, object]>([
    ['51 blocks', { ...slack, blocks: Array.from({ length: 51 }, () => header) }],
    ['a header of 151 characters', { ...slack, blocks: [{ type: 'header', text: text(151) }] }],
    ['a section of 3,001 characters', { ...slack, blocks: [{ type: 'section', text: text(3_001) }] }],
    [
      '11 fields',
      { ...slack, blocks: [{ type: 'section', fields: Array.from({ length: 11 }, () => text(1)) }] },
    ],
    ['a field of 2,001 characters', { ...slack, blocks: [{ type: 'section', fields: [text(2_001)] }] }],
    [
      '11 elements of context',
      { ...slack, blocks: [{ type: 'context', elements: Array.from({ length: 11 }, () => text(1)) }] },
    ],
    [
      'text that Slack parses',
      { ...slack, blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*x*' } }] },
    ],
    ['a mention', { ...slack, blocks: [{ type: 'section', text: { ...text(1), text: '<!channel>' } }] }],
    [
      'a button of 76 characters',
      {
        ...slack,
        blocks: [
          { type: 'actions', elements: [{ type: 'button', text: text(76), url: 'https://example.org' }] },
        ],
      },
    ],
    [
      'a link that is none',
      {
        ...slack,
        blocks: [{ type: 'actions', elements: [{ type: 'button', text: text(1), url: 'javascript:x' }] }],
      },
    ],
    ['an unknown block', { ...slack, blocks: [header, { type: 'markdown', text: 'x' }, ...others] }],
    ['an empty text', { ...slack, blocks: [{ type: 'header', text: text(0) }] }],
  ])('of Slack: %s', (_title, message) => {
    expect(slackSchema.safeParse(slack).success).toBe(true);
    expect(slackSchema.safeParse(message).success).toBe(false);
  });

  const chat = amazonQMessage(messageExamples().one, { id: 'one' });
  test.each<[string, object]>([
    ['another version', { ...chat, version: '2.0' }],
    ['another source', { ...chat, source: 'gene-panel-notifier' }],
    ['an unknown key', { ...chat, event: {} }],
    ['another type of text', { ...chat, content: { ...chat.content, textType: 'plain' } }],
    ['no description', { ...chat, content: { ...chat.content, description: '' } }],
    ['an unknown key of the content', { ...chat, content: { ...chat.content, text: 'x' } }],
    ['an unknown key of the metadata', { ...chat, metadata: { ...chat.metadata, thread: 'x' } }],
  ])('of Amazon Q: %s', (_title, message) => {
    expect(amazonQSchema.safeParse(chat).success).toBe(true);
    expect(amazonQSchema.safeParse(message).success).toBe(false);
  });
});
