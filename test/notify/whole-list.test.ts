import type { Email } from 'postal-mime';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Channel } from '../../lambdas/channels/channel-settings.ts';
import { openSenders } from '../../lambdas/notify/deliver.ts';
import { createNotifier } from '../../lambdas/notify/notifier.ts';
import { silentLog } from '../../lambdas/run/log.ts';
import { memoryItems } from '../../lambdas/store/items.ts';
import { everythingKept as privacy } from '../../lambdas/words/privacy.ts';
import { startReceivers } from '../aws/receivers.ts';
import { chatWebhooks } from '../channels/chat-webhooks.ts';
import { secretsOf } from '../channels/open-channels.ts';
import { createTestClock } from '../run/test-clock.ts';
import { turnedGreen } from '../words/events.ts';
import { planOf, subscriptionOf } from './notify-harness.ts';

const genes = Array.from({ length: 400 }, (_, place) => `GENE${place + 1}`);
const events = genes.map((gene, place) =>
  turnedGreen({ gene, panel: { ...turnedGreen().data.panel, version: place === 0 ? '8.10' : '8.11' } }),
);

interface Received {
  readonly mail: Email;
  /** What the other channels got, by their kind. */
  readonly posts: ReadonlyMap<string, string>;
}

/** What real receivers get of one message about 400 genes. */
async function received(when: 'at once' | 'digest'): Promise<Received> {
  const receivers = await startReceivers();
  const clock = createTestClock();
  const posts = new Map<string, string>();
  const channels: readonly Channel[] = [
    { kind: 'smtp', to: ['lab@example.org'], privacy },
    ...chatWebhooks.map((kind): Channel => ({ kind, webhook: kind, privacy })),
    { kind: 'email', to: 'lab@example.org', privacy },
    { kind: 'atom', privacy },
  ];
  const daily = { kind: 'digest', every: 'daily', hour: 7, ifNothing: false } as const;
  const notifier = createNotifier({
    plan: planOf(subscriptionOf({ channels, ...(when === 'digest' && { when: daily }) })),
    store: memoryItems(() => clock.now()),
    senders: openSenders({
      secrets: secretsOf(Object.fromEntries(chatWebhooks.map((kind) => [kind, receivers.address(kind)]))),
      clock,
      log: silentLog,
      publish: async (message) => `${posts.set('email', message.text).size}`,
      relay: { host: '127.0.0.1', port: receivers.mailPort, security: 'none', from: 'panels@example.org' },
      writeFeed: async (_name, xml) => void posts.set('atom', xml),
    }),
    history: null,
    clock,
    log: silentLog,
    runId: 'run',
    keepDeadLetter: async () => {},
  });
  await notifier.run();
  for (const event of events) await notifier.receive(event);
  clock.pass(24 * 3_600_000);
  await notifier.run();
  const [mail, ...others] = await receivers.takeMails('lab@example.org');
  for (const kind of chatWebhooks) posts.set(kind, receivers.takePosted(kind)[0]?.body ?? '');
  await receivers.stop();
  if (!mail || others.length > 0) throw new Error(`There were ${others.length + 1} mails, not one`);
  return { mail, posts };
}

const missingIn = (body: string): readonly string[] =>
  genes.filter((gene) => !new RegExp(`\\b${gene}\\b`).test(body));

describe.each(['at once', 'digest'] as const)('a message about 400 genes, %s', (when) => {
  let got: Received;
  beforeAll(async () => {
    got = await received(when);
  });

  test('has the whole list as a file for a spreadsheet, a gene a line', async () => {
    const [file, ...others] = got.mail.attachments;
    expect(others).toStrictEqual([]);
    expect(file?.filename).toMatch(/^[\w.-]+\.csv$/);
    expect(file?.mimeType).toBe('text/csv');
    const csv = new TextDecoder('utf-8', { ignoreBOM: true }).decode(file?.content as ArrayBuffer);
    expect(csv.codePointAt(0)).toBe(0xfeff);
    const [heading = '', first = '', ...lines] = csv.trimEnd().split('\r\n');
    expect(heading).toContain('R codes,type,"gene, STR or region",HGNC id');
    expect(lines).toHaveLength(399);
    expect(missingIn(csv)).toStrictEqual([]);
    expect(first).toMatch(/^now green,uk,635,Inherited breast cancer and ovarian cancer,R208,gene,/);
    expect(csv).toContain('v8.10');
    expect(first).toContain(',amber → green,2026-11-21,');
    expect(got.mail.text).toContain(`is attached for a spreadsheet: ${file?.filename}`);
    expect(got.mail.text).toContain('and 300 more: see the attached list');
    expect(got.mail.html).toContain('and 300 more: see the attached list');
    expect(got.mail.text).toContain('https://panelapp.genomicsengland.co.uk/panels/635/');
  });

  test.each([...chatWebhooks, 'atom'])('names every gene in %s', (kind) => {
    expect(missingIn(got.posts.get(kind) ?? '')).toStrictEqual([]);
  });

  test('names every gene in a mail of SNS, which carries no file', () => {
    const text = got.posts.get('email') ?? '';
    expect(missingIn(text)).toStrictEqual([]);
    expect(text).not.toMatch(/and \d+ more|attached/);
  });
});
