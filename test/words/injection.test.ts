import { AdaptiveCard, SerializationContext, Versions } from 'adaptivecards';
import { describe, expect, test } from 'vitest';
import { CARD_BYTES, teamsMessage } from '../../lambdas/channels/adaptive-card.ts';
import { amazonQMessage } from '../../lambdas/channels/amazon-q.ts';
import { atomFeed, feedEntry } from '../../lambdas/channels/atom.ts';
import { channelKinds, settingsOf } from '../../lambdas/channels/channel-settings.ts';
import { channelType } from '../../lambdas/channels/channels.ts';
import { webhookMessage } from '../../lambdas/channels/post.ts';
import { slackMessage } from '../../lambdas/channels/slack.ts';
import { cleanLine, cleanText } from '../../lambdas/words/clean-text.ts';
import { mailHtml, mailSubject, mailText } from '../../lambdas/words/mail.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { noticeOfAlarm } from '../../lambdas/words/notice-of-alarm.ts';
import { noticeOfPanel } from '../../lambdas/words/notice-of-changes.ts';
import { noticeOfDigest } from '../../lambdas/words/notice-of-digest.ts';
import { reasonOf } from '../../lambdas/words/reason.ts';
import { amazonQSchema } from './amazon-q-schema.ts';
import { breast, eventOf, london, turnedGreen } from './events.ts';
import { hostileTexts } from './hostile-texts.ts';
import { slackSchema } from './slack-schema.ts';

/** One hostile text in every place where the catalogue's texts reach a message. */
function notices(text: string): readonly Notice[] {
  const panel = { ...breast, name: text, version: text, relevantDisorders: [`R1 ${text}`] };
  const parts = { panel, gene: text, actor: text };
  const events = [
    eventOf(
      'panel.promoted',
      { version: text, previousVersion: text, via: 'activity' },
      { panel, actor: text },
    ),
    turnedGreen(parts),
    eventOf('entity.commented', { comment: text, action: 'added' }, parts),
    eventOf('entity.tags-changed', { added: [text], removed: [text] }, parts),
    eventOf(
      'entity.annotated',
      {
        changes: [
          { field: 'transcript', from: text, to: text },
          { field: 'sources', added: [text] },
        ],
      },
      parts,
    ),
    eventOf(
      'entity.added',
      { rating: null, sources: [text], tags: [text], copiedFrom: text, phenotypes: [text] },
      parts,
    ),
    eventOf('entity.renamed', { from: text, to: text }, parts),
    eventOf('panel.changed', { changes: [{ field: 'name', from: text, to: text }] }, { panel, actor: text }),
    eventOf('activity.unclassified', { reason: 'unknown-text', row: { text } }, parts),
  ] as const;
  const context = {
    ...london,
    reason: reasonOf(text, { genes: [text], panels: [text] }),
    background: () => ({ comment: text }),
  };
  const period = { since: '2026-11-14T07:00:00Z', until: '2026-11-21T07:00:00Z' };
  return [
    ...events.map((event) => noticeOfPanel([event], context)),
    noticeOfPanel([...events], context),
    noticeOfDigest(events, period, { ...context, subscription: 'weekly' }),
    // An error may quote what a service answered.
    ...(['no-successful-poll', text] as const).map((alarm) =>
      noticeOfAlarm(
        { alarm, catalogue: text, state: 'alarm', description: text, detail: text, at: london.now },
        london,
      ),
    ),
  ];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/;
const bidi = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe.each(hostileTexts)('%s', (_name, text) => {
  const all = notices(text);
  /** A part of it that every rendering must show. */
  const sample = (cleanLine(text).match(/[a-z]{3,12}|[a-z]/i) ?? ['&'])[0];

  test('stays text in a mail’s subject and plain text', () => {
    for (const notice of all) {
      const subject = mailSubject(notice);
      expect(subject.length).toBeLessThan(100);
      expect(subject).not.toMatch(/\n/);
      for (const part of [subject, mailText(notice)]) {
        expect(part).not.toMatch(control);
        expect(part).not.toMatch(bidi);
        expect(part.isWellFormed()).toBe(true);
        expect(part.length).toBeLessThan(60_000);
      }
    }
    expect(all.map((notice) => mailText(notice)).join('\n')).toContain(sample);
  });

  test('cannot imitate lines of the message in plain text', () => {
    const comment = mailText(all[2] as Notice);
    const links = comment.split('\n').filter((line) => line.startsWith('Panel:'));
    expect(links).toStrictEqual(links.filter((line) => line.includes('panelapp.genomicsengland.co.uk')));
  });

  test('gives no markup in HTML', () => {
    for (const notice of all) {
      const html = mailHtml(notice);
      const body = html.slice(html.indexOf('<body'));
      expect(body.replace(ourTags, '')).not.toMatch(/[<>]/);
      expect(html).not.toMatch(control);
      const targets = [...body.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
      expect(
        targets.every((href) => href.startsWith('https://panelapp.genomicsengland.co.uk/panels/635/')),
      ).toBe(true);
    }
  });

  test.each(channelKinds.filter((kind) => settingsOf(kind).takes === 'messages'))(
    'steers nothing in a message of the channel %s',
    async (kind) => {
      const previews = all.map((notice) =>
        channelType(kind).preview({ id: 'one', subscription: 'weekly', notice, event: null, at: london.now }),
      );
      const files = (await Promise.all(previews)).flat();
      const shown = files.flatMap(({ ending, content }) =>
        ending === '.json' ? textsIn(JSON.parse(content)) : [content],
      );
      for (const part of shown) {
        expect(part.replaceAll('\r\n', '\n')).not.toMatch(control);
        expect(part).not.toMatch(bidi);
      }
      expect(shown.join('\n')).toContain(sample);
    },
  );

  test('gives no markup in Slack, whose limits hold', () => {
    for (const notice of all) {
      expect(slackSchema.safeParse(slackMessage(notice)).error?.issues ?? []).toStrictEqual([]);
    }
  });

  test('gives no markup in an Adaptive Card of at most 28 KB', () => {
    for (const notice of all) {
      const message = teamsMessage(notice);
      expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThanOrEqual(CARD_BYTES);
      expect(cardProblems(message)).toStrictEqual([]);
      for (const each of objectsIn(message)) {
        expect(each.type).not.toBe('TextBlock');
        if (each.type === 'FactSet') {
          for (const { value } of each.facts as { value: string }[]) {
            expect(value).not.toMatch(/(?<!\\)(?:\\\\)*[*_[\]<>`~]/);
            expect(value).not.toContain('{{');
          }
        }
      }
    }
  });

  test('gives no markup in Amazon Q', () => {
    for (const notice of all) {
      const message = amazonQMessage(notice, { id: 'one' });
      expect(amazonQSchema.safeParse(message).error?.issues ?? []).toStrictEqual([]);
      const { content, metadata } = message;
      for (const part of [content.title, content.description, ...content.keywords, metadata.summary]) {
        expect(part).not.toMatch(/[<>]/);
        expect(part).not.toMatch(/(?<!\u2060)\]\(/);
        expect(part).not.toMatch(/https?:\/\/evil/);
        expect(part.length).toBeLessThan(10_000);
      }
    }
  });

  test('stays text in the event of a webhook, in one JSON text', () => {
    const event = eventOf('entity.commented', { comment: text.toWellFormed(), action: 'added' });
    const { json, headers } = webhookMessage(event, { id: 'one', now: 0 });
    expect(JSON.parse(json)).toStrictEqual(event);
    for (const value of Object.values(headers)) expect(value).toMatch(/^[ -~]+$/);
  });

  test('stays text in a feed', async () => {
    const entries = all.map((notice, place) => feedEntry(notice, { id: `urn:one:${place}`, at: london.now }));
    const xml = await atomFeed(entries, { name: text.slice(0, 5_000), id: 'urn:feed', updated: london.now });
    expect(xml).not.toMatch(control);
    const names = [...xml.replace(/<!\[CDATA\[.*?\]\]>/gs, '').matchAll(/<\/?([\w:]+)/g)].map(
      ([, name]) => name,
    );
    expect([...new Set(names)].filter((name) => !feedTags.includes(name ?? ''))).toStrictEqual([]);
    expect(xml.replace(/<!\[CDATA\[.*?\]\]>/gs, '')).not.toMatch(/&(?!amp;|lt;|gt;|quot;|apos;|#39;)/);
  });
});

const ourTags =
  /<\/?(?:body|div|h1|h2|h3|p|b|span|table|tr|th|td|blockquote|br|a|html)(?: [a-z-]+="[^"<>]*")*>/g;
const feedTags = [
  'feed',
  'id',
  'title',
  'updated',
  'generator',
  'entry',
  'link',
  'content',
  'rights',
  'summary',
  'xml',
];

/** Every object inside a value. */
function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const each of Object.values(value)) yield* objectsIn(each);
}

/** Every text inside a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What the library of Adaptive Cards finds wrong with a card of the version that it states. */
function cardProblems({ attachments: [{ content }] }: ReturnType<typeof teamsMessage>): readonly string[] {
  const context = new SerializationContext(Versions.v1_4);
  new AdaptiveCard().parse(content, context);
  return Array.from({ length: context.eventCount }, (_, place) => context.getEventAt(place).message);
}

test('the library finds what is wrong with a card', () => {
  const message = teamsMessage(noticeOfPanel([turnedGreen()], london));
  const [attachment] = message.attachments;
  const wrong = { ...attachment.content, body: [{ type: 'RichTextBlocc' }] } as object;
  expect(
    cardProblems({ ...message, attachments: [{ ...attachment, content: wrong as never }] }),
  ).not.toStrictEqual([]);
});

test('text that people read is not changed', () => {
  const text = 'Zoë Ångström-Müller, “three” families (p < 0.05) & 5′-UTR → 2·3 👩‍🔬';
  expect(cleanText(text)).toBe(text);
});
