import { mailSubject, wholeText } from '../words/mail-text.ts';
import { type ChannelType, notFromHere } from './channel.ts';

/** In bytes. SNS takes 256 KiB; its mails carry no file, so that the text has the whole list. */
const LONGEST_MAIL = 200_000;

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
  afterTrial: 'The address is subscribed, and SNS took it. Check that it arrived.',
  preview: ({ notice }) => [
    { ending: '.txt', content: `Subject: ${mailSubject(notice)}\n\n${wholeText(notice, LONGEST_MAIL)}` },
  ],
  async send({ subscription, notice }, { channel, context: { publish }, signal }) {
    if (!publish) throw notFromHere('email');
    const text = wholeText(notice, LONGEST_MAIL);
    const address = channel.to;
    return publish({ topic: 'mail', subscription, subject: mailSubject(notice), text, address }, { signal });
  },
};
