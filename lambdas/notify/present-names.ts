import type { PanelEvent } from '../events/schemas.ts';
import { instantOf } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { byTime } from './by-time.ts';

/** The newest event of the panel of some events up to `begun`, in milliseconds since the epoch, if the history has one. */
export async function newestOf(
  [first]: readonly PanelEvent[],
  begun: number,
  history: Pick<History, 'find'> | null,
): Promise<readonly PanelEvent[]> {
  const id = first?.data.panel?.id ?? null;
  if (!history || !first || id === null) return [];
  const { catalogue } = first.data;
  const until = instantOf(begun) + 1n;
  const found = history.find({ catalogue, until, filter: { panels: [id] }, order: 'newest', limit: 1 });
  for await (const event of found) return [event];
  return [];
}

/** Each look-up is a query; the panels of a burst keep the names that their events have. */
const MOST_PANELS = 50;

/**
 * Events of several panels, oldest first, the last of each panel under the name that the panel has then.
 * @param until in milliseconds since the epoch
 * @param kept events that the history may not have yet
 */
export async function underPresentNames(
  events: readonly PanelEvent[],
  until: number,
  { history, kept }: { readonly history: Pick<History, 'find'> | null; readonly kept: readonly PanelEvent[] },
): Promise<readonly PanelEvent[]> {
  const ofPanels = Map.groupBy(events, ({ source, data }) => `${source} ${data.panel?.id ?? ''}`);
  const renamed = new Map<PanelEvent, PanelEvent>();
  for (const own of [...ofPanels.values()].slice(0, MOST_PANELS)) {
    const last = own.at(-1);
    const ofPanel = kept.filter(
      ({ source, time = '', data }) =>
        source === last?.source && data.panel?.id === last.data.panel?.id && Date.parse(time) <= until,
    );
    const newest = [...(await newestOf(own, until, history)), ...ofPanel].sort(byTime).at(-1);
    if (last && newest && (newest.time ?? '') >= (last.time ?? ''))
      renamed.set(last, onPanelOf(last, newest));
  }
  return events.map((event) => renamed.get(event) ?? event);
}

/** An event on its panel under the name that the panel has in another event. */
export function onPanelOf<Event extends PanelEvent>(
  event: Event,
  { data: { panel: named } }: PanelEvent,
): Event {
  const { panel } = event.data;
  if (!panel || !named || named.name === panel.name) return event;
  return { ...event, data: { ...event.data, panel: { ...panel, name: named.name } } };
}
