import type { PlacedEvent } from '../../../lambdas/history/sqlite-pages.ts';
import { cleanLine, cutAtWord } from '../../../lambdas/messages/clean-text.ts';
import { eventWords } from '../../../lambdas/messages/event-words.ts';
import { panelName } from '../../../lambdas/messages/panel-words.ts';
import { type Html, html } from './html.ts';
import type { LocalTimes } from './local-times.ts';
import { wordsView } from './rating-view.ts';
import { addressOf, type View } from './view.ts';

/** Events of one panel within a day. */
interface PanelGroup {
  readonly key: string;
  readonly events: PlacedEvent[];
}

interface DayGroup {
  readonly day: string;
  readonly panels: PanelGroup[];
}

/** Events, newest first, by day and within a day by panel; a panel stands where its newest event does. */
function groupsOf(events: readonly PlacedEvent[], times: LocalTimes): readonly DayGroup[] {
  const days: DayGroup[] = [];
  for (const placed of events) {
    const day = times.day(Number(placed.at / 1000n));
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
  const today = times.day(now);
  const yesterday = times.day(Number(times.startOf(today, -1) / 1000n));
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
    panel?.signedOff === true && 'signed-off panel',
  ].filter((fact) => typeof fact === 'string' && fact !== '');
  const title =
    typeof panel?.id === 'number' ? html`<a href="${panelAddress(catalogue, panel.id)}">${name}</a>` : name;
  return html`<section class="panel">
<h3>${panel === null ? 'Without a panel' : title}${codes === '' ? '' : html` <span class="codes">${codes.trim().slice(1, -1)}</span>`} <span class="facts">${facts.join(' · ')}</span></h3>
<ol>
${events.map((placed) => eventRow(placed, context))}</ol>
</section>
`;
}

/** `4.12`, or `4.10 → 4.12` where the events have several. */
function versionsOf(events: readonly PlacedEvent[]): string {
  const versions = events.flatMap(({ event }) => cleanLine(event.data.panel?.version ?? '') || []);
  const [last, first] = [versions[0] ?? '', versions.at(-1) ?? ''];
  return last === first ? last && `version ${last}` : `version ${first} → ${last}`;
}

/** The address of the page of a panel. */
export const panelAddress = (catalogue: string, id: number): string =>
  `/panel/${encodeURIComponent(catalogue)}/${id}`;

const SNIPPET = 180;

function eventRow({ at, id, event }: PlacedEvent, { view, times }: StreamContext): Html {
  const { row, quote, tone } = eventWords(event);
  const { entity, actor, late } = event.data;
  const time = Number(at / 1000n);
  const isOpen = view.open === id;
  const address = `${addressOf(view, { open: id, show: '' })}#event`;
  return html`<li id="e-${id}" class="event ${tone}${isOpen ? ' is-open' : ''}">
<time datetime="${new Date(time).toISOString()}">${times.clock(time)}</time>
<p><a class="open" href="${address}"${isOpen ? html` aria-current="true"` : ''}>${entity === null ? '' : html`<b>${row.name}</b> `}<span class="words">${wordsView(row)}</span></a>${late ? html` <span class="late">late</span>` : ''}
${quote === null ? '' : html`<q>${cutAtWord(cleanLine(quote), SNIPPET)}</q>`}</p>
<span class="who">${cleanLine(actor ?? '')}</span>
</li>
`;
}
