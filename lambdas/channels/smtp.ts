import { connect, type Socket } from 'node:net';
import type { SendMailOptions } from 'nodemailer';
import { withoutSecrets } from '../run/without-secrets.ts';
import { mailHtml, mailSubject, mailText, wholeText } from '../words/mail.ts';
import type { ListFile } from '../words/notice.ts';
import { type ChannelType, notFromHere, type Outgoing } from './channel.ts';

interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  /** Closes the connection, in every state that it can have. */
  readonly signal: AbortSignal;
}

/** The errors of a connection by the codes that the mail library gives them. */
const codes: Readonly<Record<string, string>> = {
  ENOTFOUND: 'EDNS',
  EAI_AGAIN: 'EDNS',
  ETIMEDOUT: 'ETIMEDOUT',
};

/** Opens connections for the mail library that end when a signal says so. */
function connectTo({ host, port, signal }: ConnectOptions) {
  return (
    _options: unknown,
    callback: (error: Error | null, socketOptions?: { readonly connection: Socket }) => void,
  ): void => {
    const socket = connect({ host, port });
    const end = (): void => void socket.destroy(new Error('The delivery has no time left'));
    const fail = (cause: Error): void => {
      const code = 'code' in cause ? String(cause.code) : '';
      callback(Object.assign(cause, { code: codes[code] ?? 'ECONNECTION' }));
    };
    socket.once('error', fail);
    socket.once('close', () => signal.removeEventListener('abort', end));
    socket.once('connect', () => {
      socket.off('error', fail);
      callback(null, { connection: socket });
    });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  };
}

/** The mail server did not take a message. Shows no password. */
class MailError extends Error {
  override readonly name = 'MailError';
  readonly code = 'MAIL_REFUSED';
}

const TIMEOUT = 15_000;

/** What went wrong without an answer of the server, by the code of the library that sends. */
const reasons: Readonly<Record<string, string>> = {
  ECONNECTION: 'nothing accepts connections there',
  ESOCKET: 'nothing accepts connections there, or the connection broke',
  EDNS: 'this name has no address',
  ETIMEDOUT: 'there was no answer in time',
  ETLS: 'the server offers no encryption that is accepted here',
  EAUTH: 'the login was refused',
};

/** Mail through any SMTP server: text and HTML, threads by panel, and a way to unsubscribe. */
export const smtp: ChannelType<'smtp'> = {
  kind: 'smtp',
  title: 'Mail through your own server',
  setUp:
    'Describe the server under `messages.relay`. A `login`, where the server wants one: `"relay": {"user": "…", "password": "…"}` in the secret. Text and HTML, threads by panel.',
  pauseMs: 250,
  // By the Message-ID.
  dropsRepeats: true,
  afterTrial: '',
  preview: ({ notice }) => [
    { ending: '.txt', content: `Subject: ${mailSubject(notice)}\n\n${mailText(notice)}` },
    { ending: '.html', content: mailHtml(notice) },
    ...(notice.file ? [{ ending: '.csv', content: notice.file.content }] : []),
  ],
  async send(message, { channel, context: { relay, secrets }, signal }) {
    if (!relay) throw notFromHere('smtp');
    const login = relay.login === undefined ? undefined : await secrets.login(relay.login);
    // Loaded at need: most runs send no mail of their own.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      host: relay.host,
      port: relay.port,
      secure: relay.security === 'tls',
      requireTLS: relay.security === 'starttls',
      ignoreTLS: relay.security === 'none',
      ...(login && { auth: { user: login.user, pass: login.password } }),
      greetingTimeout: TIMEOUT,
      socketTimeout: TIMEOUT,
      disableFileAccess: true,
      disableUrlAccess: true,
      // The library has no total limit: a server that goes on answering a little would hold it for ever.
      getSocket: connectTo({ host: relay.host, port: relay.port, signal }),
    });
    try {
      const { response } = await transport.sendMail(mailOf(message, { from: relay.from, to: channel.to }));
      return withoutSecrets(response, login ? [login.password] : []).slice(0, 200);
    } catch (cause) {
      const { code, response } = cause as { code?: unknown; response?: unknown };
      const seen = signal.aborted
        ? 'it did not take the mail in the time of one delivery'
        : typeof response === 'string'
          ? `it answered ${JSON.stringify(withoutSecrets(response, login ? [login.password] : []).slice(0, 200))}`
          : (reasons[String(code)] ?? `it gave no answer that can be read (${String(code)})`);
      if (code === 'EAUTH') secrets.forget();
      throw new MailError(
        `Sending mail through ${relay.host}:${relay.port}: ${seen}. Check the mail relay in the settings, its login and what it lets this sender send.`,
      );
    } finally {
      transport.close();
    }
  },
};

const attachmentOf = ({ name, content }: ListFile) => ({
  filename: name,
  content,
  contentType: 'text/csv; charset=utf-8',
});

/** The mail as it is handed to the server. */
function mailOf(
  { id, subscription, notice, at }: Outgoing,
  { from, to }: { readonly from: string; readonly to: readonly string[] },
): SendMailOptions {
  const domain =
    from
      .split('@')
      .at(-1)
      ?.replace(/[^\w.-]/g, '') || 'localhost';
  const thread = `<${notice.thread.id}@${domain}>`;
  const address = from.replace(/^.*<|>.*$/g, '');
  return {
    from,
    to: [...to],
    subject: mailSubject(notice),
    text: mailText(notice),
    html: mailHtml(notice),
    ...(notice.file && { attachments: [attachmentOf(notice.file)] }),
    date: new Date(at),
    messageId: `<${id}@${domain}>`,
    inReplyTo: thread,
    references: [thread],
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Id': `Gene panel changes <${subscription.replace(/[^\w-]/g, '-')}.${domain}>`,
      'List-Unsubscribe': `<mailto:${address}?subject=${encodeURIComponent(`unsubscribe ${subscription}`)}>`,
    },
  };
}

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
