import { cleanLine, cleanText } from '../../lambdas/messages/clean-text.ts';
import { headlineOf, noticesOf, ratingsOf } from '../../lambdas/worklist/entry-words.ts';
import type { WorklistEntry } from '../../lambdas/worklist/worklist-entry.ts';
import { worklistStateForms } from '../../lambdas/worklist/worklist-states.ts';
import type { Visitor } from '../access/access.ts';
import { geneAddress, panelAddress } from '../addresses.ts';
import { type Html, html } from '../frame/html.ts';
import type { Moment } from '../frame/local-times.ts';
import { commentForm, decisionForm, mayDecide } from './decision-form.ts';

/** One entry: the change, what happened since, every decision with its reason, the comments, and who read it. */
export function entryPageView(entry: WorklistEntry, visitor: Visitor, { times }: Moment): Html {
  const { panel, catalogue, entity, decisions, comments, readings } = entry;
  const facts: readonly (readonly [string, string | Html])[] = [
    ['State', `${worklistStateForms[entry.state].words} since ${times.moment(entry.since || 0)}`],
    [
      'Panel',
      panel.id === null
        ? cleanLine(panel.name)
        : html`<a href="${panelAddress(catalogue, panel.id)}">${cleanLine(panel.name)}</a>${panel.version === null ? '' : `, version ${cleanLine(panel.version)}`}`,
    ],
    ...(ratingsOf(entry) === null ? [] : [['Rating', ratingsOf(entry) ?? ''] as const]),
    ['Changed', entry.at === '' ? 'at an unknown time' : times.moment(entry.at)],
    ...(entry.actor === null ? [] : [['By', cleanLine(entry.actor)] as const]),
    ...(entry.due === null
      ? []
      : [['Due', `${times.moment(entry.due)}${entry.isOverdue ? ', overdue' : ''}`] as const]),
    ...(entity === null
      ? []
      : [
          [
            'Also on',
            html`<a href="${geneAddress(entity.name)}">the panels that hold ${cleanLine(entity.name)}</a>`,
          ] as const,
        ]),
    [
      'Event',
      html`<a href="/?since=all&amp;open=${entry.event.id}#event">${cleanLine(entry.event.summary, 300)}</a>`,
    ],
  ];
  return html`<div class="page">
<p><a href="/worklist">Worklist</a></p>
<h1>${cleanLine(headlineOf(entry))}</h1>
<dl class="known">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${noticesOf(entry).map((notice) => html`<p class="warning">${cleanLine(notice)}</p>`)}
<h2>Decisions</h2>
${
  decisions.length === 0
    ? html`<p>There is no decision yet.</p>`
    : html`<ol class="decisions">${decisions.map(
        ({ state, by, at, why }) =>
          html`<li><b>${worklistStateForms[state].words}</b>, ${cleanLine(by)}, <time datetime="${at}">${times.moment(at)}</time><br>${cleanText(why)}</li>`,
      )}</ol>`
}
${
  mayDecide(visitor)
    ? html`<form action="/worklist/decide" method="post"><input type="hidden" name="entry" value="${entry.id}:${entry.revision}">${decisionForm(visitor, 'Decide')}</form>`
    : html`<p class="fine">${visitor.person ? 'You are a reader: deciders decide.' : 'Decide with gene-panel-notifier worklist decide, or open the page to a team that signs in.'}</p>`
}
<h2>Comments</h2>
${
  comments.length === 0
    ? html`<p>There is no comment.</p>`
    : html`<ul class="decisions">${comments.map(
        ({ by, at, text }) =>
          html`<li>${cleanLine(by)}, <time datetime="${at}">${times.moment(at)}</time><br>${cleanText(text)}</li>`,
      )}</ul>`
}
${mayDecide(visitor) ? commentForm(visitor, entry.id) : ''}
<h2>Read by</h2>
<p>${readings.length === 0 ? 'no person who signed in' : readings.map(({ by, at }) => `${cleanLine(by)} (${times.moment(at)})`).join(', ')}</p>
</div>`;
}
