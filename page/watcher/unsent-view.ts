import type { UnsentMessage } from '../../lambdas/notify/sqlite-unsent.ts';
import { counted } from '../../lambdas/words/counted.ts';
import { type Html, html } from '../frame/html.ts';
import type { LocalTimes, Moment } from '../frame/local-times.ts';

const SHOWN_MESSAGES = 25;

/** The messages that could not be sent, oldest first; nothing where there are none. */
export function unsentView(messages: readonly UnsentMessage[], moment: Moment): Html {
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

function contentWords({ content }: UnsentMessage, times: LocalTimes): string {
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
function nextAttempt({ nextAttempt: at }: UnsentMessage, { times, now }: Moment): string {
  if (at <= now) return 'next now';
  return `next at ${times.day(at) === times.day(now) ? times.clock(at) : times.moment(at)}`;
}
