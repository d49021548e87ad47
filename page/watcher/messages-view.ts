import type { KeptMessage, ListedSent } from '../../lambdas/notify/kept-messages.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';

const SHOWN_MESSAGES = 25;

/** The messages that could not be sent, oldest first; nothing where there are none. */
export function unsentView(messages: readonly KeptMessage[], moment: Moment): Html {
  if (messages.length === 0) return html``;
  const shown = messages.slice(0, SHOWN_MESSAGES);
  return html`<section><h2>Messages that could not be sent</h2>
<p class="warning"><b>${counted(messages.length, 'message')} could not be sent.</b> The log of <code>watch</code> says why. Each is tried again for a day, then twice a day until it is sent. <code>gene-panel-notifier messages list</code> says why each failed, and lets you send or drop it.</p>
<table class="plain"><thead><tr><th scope="col">Since</th><th scope="col">Subscription</th><th scope="col">Channel</th><th scope="col">Message</th><th scope="col">So far</th><th scope="col">Next attempt</th></tr></thead><tbody>
${shown.map(
  (message) =>
    html`<tr><td><time datetime="${new Date(message.begun).toISOString()}">${moment.times.moment(message.begun)}</time></td><td>${message.subscription}</td><td>${message.channel}</td><td>${contentWords(message, moment.times)}</td><td>${counted(message.attempts, 'attempt')}</td><td>${nextAttempt(message, moment)}</td></tr>
`,
)}</tbody></table>
${messages.length > shown.length ? html`<p class="fine">The ${shown.length} oldest are shown.</p>` : ''}</section>`;
}

/** What was sent in the last 30 days, the newest first, with the receiver's answer; nothing where there is nothing. */
export function sentView(messages: readonly ListedSent[], { times }: Moment): Html {
  if (messages.length === 0) return html``;
  const shown = messages.slice(0, SHOWN_MESSAGES);
  return html`<section><h2>Messages that were sent</h2>
<p><code>gene-panel-notifier messages send ID</code> sends one of them again.</p>
<table class="plain"><thead><tr><th scope="col">Sent</th><th scope="col">Subscription</th><th scope="col">Channel</th><th scope="col">Message</th><th scope="col">Answer of the receiver</th><th scope="col">ID</th></tr></thead><tbody>
${shown.map(
  ({ id, at, subscription, channel, headline, answer }) =>
    html`<tr><td><time datetime="${new Date(at).toISOString()}">${times.moment(at)}</time></td><td>${subscription}</td><td>${channel}</td><td>${headline}</td><td>${answer}</td><td><code>${id}</code></td></tr>
`,
)}</tbody></table>
${messages.length > shown.length ? html`<p class="fine">The ${shown.length} newest of ${messages.length} are shown; <code>gene-panel-notifier messages list --sent</code> lists all of the last 30 days.</p>` : ''}</section>`;
}

function contentWords({ content }: Pick<KeptMessage, 'content'>, times: LocalTimes): string {
  switch (content.kind) {
    case 'events':
      return counted(content.events.length, 'event');
    case 'digest':
      return `digest of ${times.moment(content.period.since)} to ${times.moment(content.period.until)}`;
    case 'alarm':
      return content.alarm.state === 'alarm'
        ? `alarm ${content.alarm.alarm}`
        : `end of the alarm ${content.alarm.alarm}`;
  }
}

/** Whole words, as a phone shows the cells without the heads of their columns. */
function nextAttempt({ notBefore: at }: KeptMessage, { times, now }: Moment): string {
  if (at <= now) return 'next now';
  return `next at ${times.day(at) === times.day(now) ? times.clock(at) : times.moment(at)}`;
}
