import type { EventPanel } from '../../lambdas/events/schemas.ts';
import { panelAddress } from '../../lambdas/questions/addresses.ts';
import { millisecondsOf } from '../../lambdas/run/instant.ts';
import type { PlacedEvent } from '../../lambdas/store/history/sqlite-pages.ts';
import { cleanLine, cutAtWord } from '../../lambdas/words/clean-text.ts';
import { actionsOf, stepsOf } from '../../lambdas/words/curator-action.ts';
import { eventWords } from '../../lambdas/words/event-words.ts';
import { panelName } from '../../lambdas/words/panel-words.ts';
import type { LocalTimes } from '../html.ts';
import { codesView, type Html, html, phraseView } from '../html.ts';
import { addressOf, type View } from '../view.ts';

interface PanelGroup {
  readonly key: string;
  readonly events: PlacedEvent[];
}

interface DayGroup {
  readonly day: string;
  readonly panels: PanelGroup[];
}

/** Events, newest first, by day and within a day by panel; a panel has the place of its newest event. */
function groupsOf(events: readonly PlacedEvent[], times: LocalTimes): readonly DayGroup[] {
  const days: DayGroup[] = [];
  for (const placed of events) {
    const day = times.iso(placed.at);
    let group = days.at(-1);
    if (group?.day !== day) {
      group = { day, panels: [] };
      days.push(group);
    }
    const { catalogue, panel } = placed.event.data;
    const key = JSON.stringify([catalogue, panel?.id ?? panel?.name ?? null]);
    const known = group.panels.find((each) => each.key === key);
    if (known) known.events.push(placed);
    else group.panels.push({ key, events: [placed] });
  }
  return days;
}

interface StreamContext {
  readonly view: View;
  readonly times: LocalTimes;
  readonly now: number;
  readonly severalCatalogues: boolean;
}

/** The stream of changes: a heading for each day, below it one for each panel, and its events. */
export function streamView(events: readonly PlacedEvent[], context: StreamContext): Html {
  return html`${groupsOf(events, context.times).map((group) => dayView(group, context))}`;
}

function dayView({ day, panels }: DayGroup, context: StreamContext): Html {
  const { times, now } = context;
  const today = times.iso(now);
  const yesterday = times.iso(times.startOf(today, -1));
  const near = day === today ? 'Today' : day === yesterday ? 'Yesterday' : null;
  const long = times.longDay(day);
  return html`<section class="day" aria-labelledby="day-${day}">
<h2 id="day-${day}">${near === null ? long : html`${near} <span class="date">${long}</span>`}</h2>
${panels.map((group) => panelView(group, context))}
</section>
`;
}

function panelView({ events }: PanelGroup, context: StreamContext): Html {
  const [newest] = events;
  if (!newest) return html``;
  const { panel, catalogue } = newest.event.data;
  const { name, codes } = panelName(panel);
  const versions = versionsOf(events);
  const facts = [
    context.severalCatalogues && catalogue,
    versions,
    panel?.signedOff === true && signedOffWords(panel),
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  const title =
    typeof panel?.id === 'number' ? html`<a href="${panelAddress(catalogue, panel.id)}">${name}</a>` : name;
  return html`<section class="panel">
<h3>${panel === null ? 'Without a panel' : title}${codesView(codes)} <span class="facts">${facts.join(' · ')}</span></h3>
<ol>
${actionsOf(events, eventOf).map((action) => actionRow(action, context))}</ol>
</section>
`;
}

/** Which version is signed off, where that is known: it may be another one than that of the change. */
function signedOffWords({ signedOffVersion }: EventPanel): string {
  return signedOffVersion == null
    ? 'has a signed-off version'
    : `signed-off version ${cleanLine(signedOffVersion)}`;
}

/** `4.12`, or `4.10 → 4.12` where the events have several. */
function versionsOf(events: readonly PlacedEvent[]): string {
  const versions = events.flatMap(({ event }) => cleanLine(event.data.panel?.version ?? '') || []);
  const [last, first] = [versions[0] ?? '', versions.at(-1) ?? ''];
  return last === first ? last && `version ${last}` : `version ${first} → ${last}`;
}

const SNIPPET = 180;

const eventOf = ({ event }: PlacedEvent) => event;

/** One action of a curator: each of its events is a link, and the first one covers the whole row. */
function actionRow(action: readonly PlacedEvent[], { view, times }: StreamContext): Html {
  const steps = stepsOf(action, eventOf);
  const [first] = steps;
  if (!first) return html``;
  const { entity, actor } = first.item.event.data;
  const words = steps.map(({ item }) => eventWords(item.event));
  const tone = words.find((each) => each.tone !== 'plain')?.tone ?? 'plain';
  const quotes = words.flatMap(({ quote }) => quote ?? []);
  const time = millisecondsOf(first.item.at);
  const isOpen = action.some(({ id }) => id === view.open);
  return html`<li class="event ${tone}${isOpen ? ' is-open' : ''}">
<time datetime="${new Date(time).toISOString()}">${times.clock(time)}</time>
<p>${steps.map(
    ({ item, row, separator }, index) =>
      html`${separator}<a class="open${index > 0 ? ' also' : ''}" id="e-${item.id}" href="${addressOf(view, { open: item.id, show: '' })}#event"${view.open === item.id ? html` aria-current="true"` : ''}>${index > 0 || entity === null ? '' : html`<b>${row.name}</b> `}<span class="words">${phraseView(row.words)}</span></a>`,
  )}${steps.some(({ item }) => item.event.data.late) ? html` <span class="late">late</span>` : ''}
${quotes.map((quote) => html`<q>${cutAtWord(cleanLine(quote), SNIPPET)}</q>`)}</p>
<span class="who">${cleanLine(actor ?? '')}</span>
</li>
`;
}
