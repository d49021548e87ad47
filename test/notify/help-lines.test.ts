import { describe, expect, test } from 'vitest';
import type { NotifyPlan, Subscription } from '../../lambdas/notify/subscription.ts';
import { mailHtml, mailText } from '../../lambdas/words/mail.ts';
import { turnedGreen } from '../words/events.ts';
import { createNotifyHarness, planOf, smtp, subscriptionOf } from './notify-harness.ts';

const contact = 'Genomics IT <genomics-it@example.org>';
const page = 'https://panels.example.org/';
const bySmtp = (parts: Partial<Subscription> = {}) => subscriptionOf({ channels: [smtp], ...parts });

/** The messages about two genes that turn green, a week and a day later. */
async function sentOf(plan: NotifyPlan) {
  const harness = createNotifyHarness(plan);
  await harness.notifier().run();
  for (const gene of ['BRCA1', 'PALB2']) {
    const event = turnedGreen({ gene });
    harness.published.push(event);
    await harness.notifier().receive(event);
  }
  await harness.runAfter(8 * 24 * 3_600_000);
  expect(harness.sent.length).toBeGreaterThan(0);
  return harness.sent;
}

describe('the end of a message', () => {
  test.each<[string, Partial<Subscription>]>([
    ['several changes', {}],
    ['a digest', { when: { kind: 'digest', every: 'weekly', hour: 7, ifNothing: false } }],
  ])('names the person to write to and the page, in a mail of %s', async (_title, parts) => {
    const [message] = await sentOf({ ...planOf(bySmtp(parts)), help: { contact, page } });
    if (!message) throw new Error('No message was sent');
    expect(mailText(message.notice)).toMatch(
      /^You receive this because .*\nChange or stop these mails: Genomics IT <genomics-it@example\.org>\nAll changes: https:\/\/panels\.example\.org\/\n/m,
    );
    expect(mailHtml(message.notice)).toContain(
      '<p>Change or stop these mails: Genomics IT &lt;genomics-it@example.org&gt;</p>',
    );
  });

  test('calls what comes over a chat messages', async () => {
    const [message] = await sentOf({ ...planOf(subscriptionOf()), help: { contact } });
    expect(message?.notice.footer).toContain(`Change or stop these messages: ${contact}`);
  });

  test('names no person where the settings name none', async () => {
    const [message] = await sentOf(planOf(bySmtp()));
    expect(message?.notice.footer.join()).not.toMatch(/Change or stop|All changes/);
  });
});
