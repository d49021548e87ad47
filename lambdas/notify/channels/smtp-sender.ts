import { createTransport, type SendMailOptions } from 'nodemailer';
import { mailHtml } from '../../messages/mail-html.ts';
import { mailSubject, mailText } from '../../messages/mail-text.ts';
import { withoutSecrets } from '../../text/without-secrets.ts';
import type { Outgoing, Sender } from '../sender.ts';
import type { MailRelay } from '../subscription.ts';
import type { ChannelSecrets } from './channel-secrets.ts';

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
export function smtpSender({
  relay,
  secrets,
}: {
  readonly relay: MailRelay;
  readonly secrets: ChannelSecrets;
}): Sender {
  return {
    pauseMs: 250,
    async send(message, channel) {
      if (channel.kind !== 'smtp')
        throw new TypeError(`A channel of the kind ${channel.kind} has no mail addresses`);
      const login = relay.login === undefined ? undefined : await secrets.login(relay.login);
      const transport = createTransport({
        host: relay.host,
        port: relay.port,
        secure: relay.security === 'tls',
        requireTLS: relay.security === 'starttls',
        ignoreTLS: relay.security === 'none',
        ...(login && { auth: { user: login.user, pass: login.password } }),
        connectionTimeout: TIMEOUT,
        greetingTimeout: TIMEOUT,
        socketTimeout: TIMEOUT,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        await transport.sendMail(mailOf(message, { from: relay.from, to: channel.to }));
      } catch (cause) {
        const { code, response } = cause as { code?: unknown; response?: unknown };
        const seen =
          typeof response === 'string'
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
}

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
