import { type KeptMessage, type ListedSent, messagesIn } from '../lambdas/notify/kept-messages.ts';
import { askAgain, loadArchiveRecord, refusedStates } from '../lambdas/panels/archive-record.ts';
import { keptInFile } from '../lambdas/panels/sqlite-panel-states.ts';
import type { AnomalyName } from '../lambdas/poll/report.ts';
import { loadSweep } from '../lambdas/reconcile/sweep-state.ts';
import { millisecondsOf } from '../lambdas/run/instant.ts';
import { counted } from '../lambdas/run/text.ts';
import type { History } from '../lambdas/store/history/history.ts';
import { createSqliteItems } from '../lambdas/store/items-sqlite.ts';
import { cleanLine } from '../lambdas/words/clean-text.ts';
import { refusalWords } from '../lambdas/words/panel-words.ts';
import { durationWords, type Html, html, type LocalTimes, type Moment } from './html.ts';
import type { DeployedPlace, KeptInPlace, RouteContext, Run, WatchRecord } from './route-context.ts';
import type { Visitor } from './sign-in/access.ts';

const SHOWN_RUNS = 25;
const SHOWN_SHAPES = 50;

/** How far each catalogue was read, and how the last polls, sweeps and messages went. */
export async function answerWatcher(context: RouteContext): Promise<Response> {
  const { file, place, clock, record, deployed } = context;
  const moment = context.moment();
  const here = (await context.followed()).map((catalogue) => keptInFile(file, catalogue, clock));
  const catalogues = deployed?.copied().problem
    ? null
    : await readCatalogues(deployed?.kept ?? here, place.history, moment.now);
  const messages = deployed
    ? null
    : await messagesIn(createSqliteItems(file, { what: 'the messages', now: clock.now }));
  // A catalogue cannot be asked from the page of a stage.
  const visitor = deployed ? null : context.visitor();
  return context.answer({
    title: 'Watcher',
    current: 'watcher',
    main: html`<div class="page watcher-page">
<h1>Watcher</h1>
<p class="lead">${leadOf(record, moment)}</p>
${deployed ? copyView(deployed, moment) : ''}
${catalogues?.length === 0 ? html`<p class="notice">No catalogue has been read yet. The first poll bookmarks the newest row of its log.</p>` : ''}
${messages ? unsentView(messages.unsent, moment) : ''}
${(catalogues ?? []).map((catalogue) => catalogueView(catalogue, visitor, moment))}
${messages ? sentView(messages.sent, moment) : ''}
${record ? runsView(record.runs(), moment) : ''}
</div>`,
  });
}

/** Has a catalogue that refused its states asked for them at once. */
export async function answerAskAgain(context: RouteContext, catalogue: unknown): Promise<Response> {
  const { file, clock, deployed } = context;
  const asked = (await context.followed()).find((name) => name === catalogue);
  if (deployed || asked === undefined || !mayAskAgain(context.visitor())) {
    return context.refuse(
      'Nothing was asked',
      'Only a decider may ask a catalogue again, on the machine that reads it.',
      403,
    );
  }
  await askAgain(keptInFile(file, asked, clock).documents);
  return new Response(null, { status: 303, headers: { location: '/watcher' } });
}

/** Whether a visitor may have a catalogue asked for states at once: a decider, or the user of this machine. */
const mayAskAgain = ({ person }: Visitor): boolean => person === null || person.role === 'decider';

type CatalogueState = Awaited<ReturnType<typeof readCatalogues>>[number];

async function readCatalogues(kept: readonly KeptInPlace[], history: Pick<History, 'coverage'>, now: number) {
  const coverage = await history.coverage();
  return Promise.all(
    kept
      .toSorted((one, other) => (one.catalogue < other.catalogue ? -1 : 1))
      .map(async ({ catalogue: name, state, documents }) => {
        const stored = await state.load(0n);
        const shapes = await state.shapes();
        return {
          name,
          /** Undefined where no poll began. */
          position: stored?.position,
          /** Whether a recorded chunk is not published yet. */
          isPending: stored?.pending != null,
          /** What was found where the state is older than it was. */
          rollback: stored?.rollback?.found ?? null,
          /** Wordings that no template matches; the newest first. */
          shapes: shapes.toSorted((one, other) => Number(other.lastAt - one.lastAt)),
          listing: (await loadSweep(documents))?.snapshot,
          covered: coverage.filter(({ catalogue }) => catalogue === name),
          /** Since when a catalogue that served states of panels serves something else; null where it serves them. */
          refused: refusedStates(await loadArchiveRecord(documents), now),
        };
      }),
  );
}

function leadOf(record: WatchRecord | undefined, { times }: Moment): string {
  if (!record) return 'This page shows what polls kept. It does not read the catalogue itself.';
  return `Polls every ${durationWords(record.every * 1000)} since ${times.moment(record.startedAt)}; ${counted(record.requests, 'request')} so far.`;
}

function refusedView(
  name: string,
  { since, until, why }: NonNullable<CatalogueState['refused']>,
  { visitor, times }: { readonly visitor: Visitor | null; readonly times: LocalTimes },
): Html {
  const isAllowed = visitor !== null && mayAskAgain(visitor);
  return html`<p class="warning"><b>The catalogue has served no states of panels</b> since ${times.moment(since)}: ${cleanLine(why, 200)}. It is asked again after ${times.moment(until)}; what was missed is read then.</p>
${
  isAllowed
    ? html`<form method="post" action="/watcher/ask-again"><input type="hidden" name="token" value="${visitor.formToken}"><input type="hidden" name="catalogue" value="${name}"><p class="buttons"><button>Ask again now</button></p></form>`
    : ''
}`;
}

function copyView({ stage, copied }: DeployedPlace, { times }: Moment): Html {
  const { at, problem } = copied();
  return html`<p>The page reads the stage “${stage}” every minute, and its whole history every six hours: a change that is published with a date of more than three days ago may be shown that much later. It was last read ${times.moment(at)}.</p>
${problem === null ? '' : html`<p class="warning"><b>It cannot be read now</b>, so newer changes are not shown. ${cleanLine(problem, 1_000)}</p>`}
<p>Messages are not shown here: <code>gene-panel-notifier messages list --stage ${stage}</code> lists those that could not be sent, and with <code>--sent</code> those that were sent.</p>`;
}

function catalogueView(catalogue: CatalogueState, visitor: Visitor | null, { times, now }: Moment): Html {
  const { name, position, isPending, listing, rollback, shapes, covered, refused } = catalogue;
  const { source, mark, count, waits = 0, search, notBefore } = position ?? {};
  const panels = [...(listing?.panels.values() ?? [])];
  const regions = panels.reduce((sum, panel) => sum + panel.regions.length, 0);
  const facts = [
    source != null && ['Address', source],
    mark !== undefined && [
      'Log read up to',
      html`${times.moment(mark)} <span class="fine">every row up to here was published (${durationWords(now - millisecondsOf(mark))} ago)</span>`,
    ],
    count != null && ['Rows in the log', count.toLocaleString('en-GB')],
    waits > 0 && [
      'Rows held back',
      html`for ${counted(waits, 'poll')}, because a paired row may still be missing`,
    ],
    isPending && [
      'Recorded',
      'a chunk of events that is not published yet; the next poll publishes it first',
    ],
    search != null && ['Search', 'for rows that became visible late; it goes on with the next polls'],
    [
      'Lists of panels and regions',
      listing
        ? html`${times.moment(listing.listedAt)} <span class="fine">${counted(panels.length, 'panel')} and ${counted(regions, 'region')}; the next sweep looks for differences</span>`
        : 'not read yet; the first sweep reads them',
    ],
    notBefore != null && notBefore > now && ['Asked to wait', `until ${times.moment(notBefore)}`],
    [
      'History',
      covered.length === 0
        ? 'covers no period yet'
        : covered.map(({ since, until }) => `${times.moment(since)} to ${times.moment(until)}`).join('; '),
    ],
  ].filter((fact): fact is [string, string | Html] => fact !== false);
  return html`<section><h2>${name}</h2>
${rollback === null ? '' : html`<p class="warning">${rollback}</p>`}
${refused === null ? '' : refusedView(name, refused, { visitor, times })}
<dl class="known">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
<h3>Wordings that are not recognised</h3>
${
  shapes.length === 0
    ? html`<p>${covered.length === 0 ? 'Nothing has been read yet.' : 'None: every text that was read was recognised.'}</p>`
    : html`<table class="plain"><thead><tr><th scope="col">Wording, without names and free text</th><th scope="col">Times</th><th scope="col">Last</th></tr></thead><tbody>${shapes
        .slice(0, SHOWN_SHAPES)
        .map(
          ({ shape, count: seen, lastAt }) =>
            html`<tr><td><code>${cleanLine(shape)}</code></td><td>${seen}</td><td>${times.moment(lastAt)}</td></tr>`,
        )}</tbody></table>
<p class="fine">Each is published as <a href="/?topic=unclassified&amp;since=all">activity.unclassified</a>, for a person to look at.</p>`
}</section>`;
}

function runsView(runs: readonly Run[], { times, now }: Moment): Html {
  const failures = runs.filter(({ kind }) => kind.startsWith('failed')).length;
  const shown = withoutQuietRuns(runs).slice(0, SHOWN_RUNS);
  return html`<section><h2>Last polls and sweeps</h2>
<p>${runs.length === 0 ? 'No run has ended yet.' : failures === 0 ? `None of the last ${counted(runs.length, 'run')} failed.` : html`<b>${counted(failures, 'run')} failed.</b> Nothing is lost: the next poll goes on from the same place.`}</p>
<table class="plain"><thead><tr><th scope="col">When</th><th scope="col">Run</th><th scope="col">Outcome</th><th scope="col">Requests</th><th scope="col">Took</th></tr></thead><tbody>
${shown.map(
  ({
    run,
    quiet,
  }) => html`<tr class="${run.kind.startsWith('failed') ? 'failed' : ''}"><td><time datetime="${new Date(run.at).toISOString()}">${times.iso(run.at) === times.iso(now) ? times.clock(run.at) : times.moment(run.at)}</time></td><td>${run.kind}</td><td>${quiet > 1 ? `nothing new, ${quiet} times in a row` : outcomeOf(run, times)}</td><td>${run.requests}<span class="narrow"> ${run.requests === 1 ? 'request' : 'requests'}</span></td><td>${run.milliseconds < 10_000 ? `${(run.milliseconds / 1000).toFixed(1)} s` : durationWords(run.milliseconds)}</td></tr>
`,
)}</tbody></table></section>`;
}

interface ShownRun {
  readonly run: Run;
  /** How many polls in a row found nothing, of which this is the newest; 0 for another run. */
  readonly quiet: number;
}

/** The runs, where polls in a row that found nothing are one. */
function withoutQuietRuns(runs: readonly Run[]): readonly ShownRun[] {
  const shown: ShownRun[] = [];
  for (const run of runs) {
    const isQuiet =
      run.kind === 'poll' && run.report.outcome === 'quiet' && run.report.anomalies.length === 0;
    const last = shown.at(-1);
    if (isQuiet && last && last.quiet > 0) shown[shown.length - 1] = { ...last, quiet: last.quiet + 1 };
    else shown.push({ run, quiet: isQuiet ? 1 : 0 });
  }
  return shown;
}

function outcomeOf(run: Run, times: LocalTimes): string {
  if (!('report' in run)) return cleanLine(run.message, 500);
  const events = Object.values(run.report.events).reduce((sum, count) => sum + count, 0);
  const wait = run.report.notBefore === null ? '' : ` until ${times.moment(run.report.notBefore)}`;
  if (run.kind === 'sweep') {
    const { outcome, changedPanels, refusal } = run.report;
    const words = {
      baseline: 'stored the first listing',
      quiet: 'nothing changed without a row',
      explained: 'the log explains what differs',
      published: `${counted(events, 'event')} of changes without a row, on ${counted(changedPanels, 'panel')}`,
      refused: `published nothing: ${refusal === null ? 'the listings are not trusted' : refusalWords[refusal]}`,
      interrupted: 'read a part of the listings; the next sweep goes on',
      'log-unread': 'the log could not be read to its end',
      'out-of-time': 'ran out of time; the next sweep goes on',
      postponed: `was asked to wait${wait}`,
    }[outcome];
    return refusal === 'sign-offs' && outcome !== 'refused' ? `${words}; ${refusalWords[refusal]}` : words;
  }
  const { outcome, activities, late, anomalies, waiting, lagSeconds } = run.report;
  const words = {
    published: `${counted(events, 'event')} of ${counted(activities, 'row')}`,
    quiet: 'nothing new',
    begun: 'bookmarked the newest row',
    postponed: `was asked to wait${wait}`,
    'out-of-time': `${counted(events, 'event')}, then out of time; the next poll goes on`,
  }[outcome];
  return [
    words,
    late > 0 && `${late} late`,
    waiting > 0 && `${counted(waiting, 'row')} held back`,
    lagSeconds !== null && `newest row ${durationWords(lagSeconds * 1000)} old`,
    ...anomalies.map((anomaly) => anomalyWords[anomaly]),
  ]
    .filter(Boolean)
    .join('; ');
}

const anomalyWords: Readonly<Record<AnomalyName, string>> = {
  'log-behind-mark': 'the newest rows of a public panel have vanished',
  'log-shrunken': 'the log has far fewer rows than before',
  'panels-unlisted': 'the list of panels could not be read',
  'rows-from-the-future': 'rows have a date in the future',
  'state-set-back': 'the state is older than one that was in use',
};

const SHOWN_MESSAGES = 25;

function unsentView(messages: readonly KeptMessage[], moment: Moment): Html {
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

function sentView(messages: readonly ListedSent[], { times }: Moment): Html {
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
  return `next at ${times.iso(at) === times.iso(now) ? times.clock(at) : times.moment(at)}`;
}
