import { mailSubject, mailText } from '../messages/mail-text.ts';
import type { ChannelType } from './channel.ts';
import { notFromHere } from './not-from-here.ts';

/** SNS takes 256 KiB; a mail of that size is unreadable. */
const LONGEST_MAIL = 60_000;

/**
 * E-mail by SNS, which switches an address off that gets more than ten messages a second. All addresses of a
 * subscription are subscribed to one topic. The filter policy of each lets through what is sent to it, because two
 * addresses may differ in what they may show of people.
 */
export const email: ChannelType<'email'> = {
  kind: 'email',
  title: 'E-mail by SNS',
  setUp: 'Confirm the mail "AWS Notification - Subscription Confirmation". Text only, of one sender for all.',
  pauseMs: 500,
  dropsRepeats: false,
  afterTrial:
    'SNS took it. It arrives once the address has confirmed the mail "AWS Notification - Subscription Confirmation".',
  preview: ({ notice }) => [
    { ending: '.txt', content: `Subject: ${mailSubject(notice)}\n\n${mailText(notice)}` },
  ],
  async send({ subscription, notice }, { channel, context: { publish }, signal }) {
    if (!publish) throw notFromHere('email');
    const text = mailText(notice).slice(0, LONGEST_MAIL);
    const address = channel.to;
    await publish({ topic: 'mail', subscription, subject: mailSubject(notice), text, address }, { signal });
  },
};
