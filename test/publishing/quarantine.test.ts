import { expect, test } from 'vitest';
import type { Activity } from '../../lambdas/catalogue/schemas.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Publisher } from '../../lambdas/publishing/message.ts';
import {
  type Message,
  publishOrQuarantine,
  quarantine,
  type Rejection,
  toMessage,
} from '../../lambdas/publishing/message.ts';
import { type LogFields, silentLog } from '../../lambdas/run/log.ts';
import { eventsOf, row } from '../classifier/correlation/rows.ts';

const text = 'commented on gene: BRCA1: naïve “words” 💉';
const messagesOf = (rows: readonly Activity[]): Message[] => eventsOf(rows).map((event) => toMessage(event));
const rejectionOf = (message: Message): Rejection => ({ message, code: 'InvalidParameter', reason: 'no' });

/** Refuses the messages for which the test says so, and lists what was sent to it. */
function refusing(refuses: (message: Message) => boolean): Publisher & { readonly sent: Message[] } {
  const sent: Message[] = [];
  return {
    sent,
    publish: async (messages) => {
      sent.push(...messages);
      return messages.filter(refuses).map(rejectionOf);
    },
  };
}

test('the event in place of a refused one carries its row, panel and catalogue, and its name and code', () => {
  const [refused] = messagesOf([row(0, text)]);
  if (!refused) throw new Error('no event');
  const { topic, body } = quarantine(rejectionOf(refused));
  expect(topic).toBe('unclassified');
  expect(JSON.parse(body)).toMatchObject({
    type: 'gene-panel.activity.unclassified.v1',
    source: 'https://catalogue.example/api/v1/',
    data: {
      catalogue: 'uk',
      panel: { id: 7, name: 'Hereditary breast cancer', version: '3.2' },
      entity: null,
      actor: null,
      late: false,
      activities: [row(0, text)],
      change: {
        reason: 'invalid-row',
        detail: `SNS refused the event ${refused.id} (InvalidParameter)`,
        row: row(0, text),
      },
    },
  });
});

test('the event in place of a refused one has nothing that SNS could refuse: ASCII, and few attributes', () => {
  const [refused] = messagesOf([row(0, text, { panel_name: 'Panel\u0007 é' })]);
  const [replacement] = refused ? [quarantine(rejectionOf(refused))] : [];
  expect(replacement?.body).toMatch(/^[ -~]+$/);
  expect(replacement?.body).toContain('na\\u00efve \\u201cwords\\u201d \\ud83d\\udc89');
  expect(replacement?.attributes).toStrictEqual({
    type: { type: 'String', value: 'gene-panel.activity.unclassified.v1' },
    catalogue: { type: 'String', value: 'uk' },
    panelId: { type: 'Number', value: '7' },
  });
});

test('an event without a panel and without rows can be refused as well', () => {
  const [refused] = messagesOf(['no object' as never]);
  const { data } = JSON.parse(refused ? quarantine(rejectionOf(refused)).body : '{}') as PanelEvent;
  expect(data).toMatchObject({ panel: null, activities: [] });
});

test('what is published are the accepted events in their order, then those in place of refused ones', async () => {
  const messages = messagesOf([row(0, `${text} 1`), row(1, `${text} poison`), row(2, `${text} 2`)]);
  const [first, refused, third] = messages;
  const publisher = refusing(({ id }) => id === refused?.id);
  const published = await publishOrQuarantine(messages, { publisher, log: silentLog });
  expect(published.slice(0, 2)).toStrictEqual([first, third]);
  expect(published.slice(2)).toStrictEqual(publisher.sent.slice(3));
  expect(published.map(({ topic }) => topic)).toStrictEqual(['reviews', 'reviews', 'unclassified']);
});

test('an event is named in the log where SNS refuses the event in its place too', async () => {
  const [refused] = messagesOf([row(0, text)]);
  const lines: LogFields[] = [];
  const log = { ...silentLog, error: (_message: string, fields: LogFields = {}) => lines.push(fields) };
  await publishOrQuarantine(refused ? [refused] : [], { publisher: refusing(() => true), log });
  expect(lines).toStrictEqual([
    { id: expect.stringMatching(/^[0-9a-f]{32}$/), code: 'InvalidParameter', reason: 'no' },
  ]);
});
