import { createHash } from 'node:crypto';
import { eventKinds } from '../../lambdas/events/changes.ts';
import { kindOf, type PanelEvent } from '../../lambdas/events/schemas.ts';
import { knownOf } from '../../lambdas/notify/compare-sign-off.ts';
import { entityAddress, geneAddress, panelAddress } from '../../lambdas/questions/addresses.ts';
import { safeJson } from '../../lambdas/run/text.ts';
import { cleanLine, cleanText, cutAtWord } from '../../lambdas/words/clean-text.ts';
import { mailHtml, mailSubject, mailText } from '../../lambdas/words/mail.ts';
import type { Notice } from '../../lambdas/words/notice.ts';
import { noticeOfEvent } from '../../lambdas/words/notice-of-changes.ts';
import { everythingKept } from '../../lambdas/words/privacy.ts';
import { timeWords } from '../../lambdas/words/value-words.ts';
import { blockView, type Html, html, linesView, phraseView } from '../html.ts';
import type { RouteContext } from '../route-context.ts';
import { openAddress, type View } from '../view.ts';
import { chatForms } from './chat-forms.ts';

const renderings = [
  ['', 'Rows'],
  ['mail', 'Mail'],
  ...chatForms.map(({ kind, label }) => [kind, label] as const),
  ['json', 'JSON'],
] as const;

/** An event with its body and the words of its messages. */
export type OpenEvent = NonNullable<Awaited<ReturnType<typeof readOpenEvent>>>;

/** One event in full, beside the stream. */
export function eventView({ event, body, notice, correction }: OpenEvent, view: View): Html {
  const { panel, entity, catalogue, activities } = event.data;
  const kind = kindOf(event.type);
  const links = [
    ...notice.links.map(
      ({ address }) =>
        html`<a class="button" href="${address}" rel="noreferrer" target="_blank">Open in the catalogue<span class="unseen"> (in a new tab)</span></a>`,
    ),
    typeof panel?.id === 'number' &&
      html`<a href="${panelAddress(catalogue, panel.id)}">Timeline of the panel</a>`,
    entity !== null &&
      html`<a href="${entityAddress(entity.name)}">All changes of ${cleanLine(entity.name)}</a> <a href="${geneAddress(entity.name)}">Panels with it</a>`,
  ].filter((link) => link !== false);
  return html`<article aria-labelledby="event-title">
<p class="close"><a href="${openAddress(view, '')}#e-${event.id}">Close<span class="unseen"> this event</span> <span aria-hidden="true">×</span></a></p>
<h2 id="event-title" tabindex="-1">${titleOf(notice)}</h2>
${correction !== null && html`<p><strong>This was wrong.</strong> <a href="${openAddress(view, correction)}#event">The correction</a></p>`}
${event.data.corrects !== undefined && html`<p><a href="${openAddress(view, event.data.corrects)}#event">What was reported before</a></p>`}
${notice.blocks.map(blockView)}
<p class="links">${links.map((link) => html`${link} `)}</p>
<nav class="tabs" aria-label="Forms of this event"><ul>${renderings.map(
    ([value, label]) =>
      html`<li><a href="${openAddress(view, event.id, value)}#event"${view.show === value ? html` aria-current="true"` : ''}>${label}${value === '' ? ` ${activities.length}` : ''}</a></li>`,
  )}</ul></nav>
<div class="rendering">${renderingView({ event, body, notice, correction }, view.show)}</div>
<p class="fine">${kind === undefined ? event.type : eventKinds[kind].meaning} Event <code class="id">${event.id}</code></p>
</article>`;
}

function titleOf({ headline, blocks }: Notice): Html {
  const change = blocks.find((block) => block.kind === 'change');
  return change ? html`${change.row.name} ${phraseView(change.row.words)}` : phraseView(headline);
}

function renderingView({ event, body, notice }: OpenEvent, show: string): Html {
  switch (show) {
    case 'mail':
      return html`<p class="subject"><span>Subject</span> ${mailSubject(notice)}</p>
<iframe title="The mail about this event" src="/event/${event.id}/mail" loading="lazy"></iframe>
<details><summary>Plain text of the mail</summary><pre tabindex="0" role="region" aria-label="Plain text of the mail">${mailText(notice)}</pre></details>`;
    case 'json':
      return html`${jsonView(body, 'The event as it was published')}<p class="fine"><a href="/event/${event.id}/json">The event as a file</a>, byte for byte as it was published</p>`;
    default: {
      const form = chatForms.find(({ kind }) => kind === show);
      if (!form) return rowsView(event);
      const sent = `What is sent to ${form.label}`;
      return html`${form.preview(notice)}<details><summary>${sent}</summary>${jsonView(JSON.stringify(form.message(notice)), sent)}</details>`;
    }
  }
}

const LONGEST_ROW_TEXT = 2_000;
const rowFields = [
  ['created', 'Time'],
  ['user_name', 'By'],
  ['panel_name', 'Panel'],
  ['panel_version', 'Version'],
  ['entity_name', 'Gene, STR or region'],
] as const;

function rowsView(event: PanelEvent): Html {
  const { activities } = event.data;
  if (activities.length === 0) {
    return html`<p>No row of the log states this change. ${foundBy(event)}</p>`;
  }
  return html`<ol class="rows">${activities.map((row) => {
    const fields = rowFields.flatMap(([name, label]) => {
      const value = row[name];
      const text = typeof value === 'string' || typeof value === 'number' ? cleanLine(String(value)) : '';
      return text === '' ? [] : [html`<div><dt>${label}</dt><dd>${text}</dd></div>`];
    });
    const text = typeof row.text === 'string' ? row.text : null;
    return html`<li><blockquote>${text === null ? 'This row has no text.' : linesView(cutAtWord(cleanText(text), LONGEST_ROW_TEXT))}</blockquote><dl>${fields}</dl></li>`;
  })}</ol>`;
}

function foundBy({ type, data: { change } }: PanelEvent): string {
  if (type === 'gene-panel.activity.unclassified.v1') return '';
  return 'via' in change && change.via === 'snapshot'
    ? 'It was found by comparing two versions of the panel.'
    : 'It was found by comparing listings.';
}

const LONGEST_JSON = 20_000;

/** JSON for reading: indented, cut where it is very long, with invisible characters as escapes. */
function jsonView(body: string, label: string): Html {
  const text = safeJson(JSON.stringify(JSON.parse(body), null, 2));
  const shown =
    text.length > LONGEST_JSON
      ? `${text.slice(0, LONGEST_JSON)}\n… (${text.length.toLocaleString('en-GB')} characters in all)`
      : text;
  return html`<pre class="json" tabindex="0" role="region" aria-label="${label}">${shown}</pre>`;
}

/** One event as it was published, or the mail about it; null where there is none, or no such form. */
export async function answerEvent(context: RouteContext, id: string, form: string): Promise<Response | null> {
  const open = form === 'json' || form === 'mail' ? await readOpenEvent(context, id) : null;
  if (!open) return null;
  if (form === 'mail') return mailResponse(open.notice);
  return new Response(open.body, { headers: { 'content-type': 'application/json; charset=utf-8' } });
}

/** The mail as a page of its own, which a frame shows: its one style sheet is allowed by its digest. */
function mailResponse(notice: Notice): Response {
  const body = mailHtml(notice);
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(body) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  return new Response(body, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups`,
    },
  });
}

/**
 * Events with the words of their messages, by id; without those that the history does not have.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readOpenEvents(
  { pages, history, times, clock, states }: RouteContext,
  ids: readonly string[],
) {
  const found = [...new Set(ids)].flatMap((id) => {
    const body = pages.body(id);
    return body === null ? [] : [{ id, body, event: JSON.parse(body) as PanelEvent }];
  });
  const known = await knownOf(
    found.map(({ event }) => event),
    {
      history,
      statesOf: states,
      privacy: everythingKept,
      now: clock.now(),
      whenSignedOff: undefined,
    },
  );
  const context = {
    times: timeWords(times.zone),
    now: new Date(clock.now()).toISOString(),
    reason: null,
    ...known,
  };
  return new Map(
    found.map(({ id, body, event }) => {
      const notice = noticeOfEvent(event, context);
      /** `body` is that which was published; `correction` the id of the event that corrects it, null where none does. */
      return [id, { event, body, notice, correction: pages.correctionOf(id) }] as const;
    }),
  );
}

/** One of them; null where the history does not have it. */
export const readOpenEvent = async (context: RouteContext, id: string) =>
  (await readOpenEvents(context, [id])).get(id) ?? null;
