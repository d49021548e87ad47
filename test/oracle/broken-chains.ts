import { contradictionsIn } from '../../lambdas/differences/corrections.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Message } from '../../lambdas/publishing/message.ts';
import { compareByContract, comparePlaces } from './hold-events.ts';

interface ChainOptions {
  /**
   * Whether a row that shows up late may lie between two published events, and contradict the later one: without an archive,
   * nothing corrects that.
   */
  readonly lateRowsBetween?: boolean;
}

/** What an entity was led to, and by which event. */
interface Link {
  readonly rating: string;
  readonly by: PanelEvent;
}

/** The last link of each entity, by panel, type and name. */
type Links = Map<string, Link>;

/**
 * Where the rating that an event states for before it is not the one to which the event before of its entity led, in the order of the
 * contract and in the order in which the events were published; and events that come before a published one and are not marked as late. A line each, and
 * none where all is well. The code of the notifier itself is asked too.
 */
export function brokenChains(
  accepted: readonly Pick<Message, 'id' | 'body'>[],
  { lateRowsBetween = false }: ChainOptions = {},
): readonly string[] {
  const first = new Map(accepted.toReversed().map(({ id, body }) => [id, body]));
  const ids = new Set(accepted.map(({ id }) => id));
  const arrived = [...ids].map((id): PanelEvent => JSON.parse(first.get(id) ?? ''));
  const place = new Map(arrived.map(({ id }, index) => [id, index]));
  const cameBetween = (before: PanelEvent, event: PanelEvent): boolean =>
    before.data.late && (place.get(before.id) ?? 0) > (place.get(event.id) ?? 0);
  const isBroken = (before: PanelEvent, event: PanelEvent): boolean =>
    !(lateRowsBetween && cameBetween(before, event));
  const corrected = new Set(arrived.map(({ data }) => data.corrects));
  const standing = arrived.filter(({ id }) => !corrected.has(id));
  const product = contradictionsIn(arrived).filter(({ before, event }) => isBroken(before, event));
  return [
    ...product.map(({ before, event }) => line('verify', before, event)),
    ...brokenInOrder(standing, isBroken),
    ...brokenByArrival(arrived),
  ];
}

const line = (how: string, before: PanelEvent, event: PanelEvent): string =>
  [how, ...[before, event].map(({ time, data }) => `${time} ${data.panel?.version} ${data.summary}`)].join(
    ' | ',
  );

const kindOf = ({ type }: PanelEvent): string => type.slice('gene-panel.'.length, -'.v1'.length);

function keyOf({ source, data: { panel, entity } }: PanelEvent, name: unknown = entity?.name): string {
  return [source, panel?.id, entity?.type, String(name).trim().toLowerCase()].join(' ');
}

/** The rating that an event states for before it: `absent` where the entity was not on the panel, null where it says nothing. */
function statedBefore(event: PanelEvent): string | null {
  const { change } = event.data;
  if (kindOf(event) === 'entity.removed') return 'rating' in change ? (change.rating ?? null) : null;
  if (kindOf(event) !== 'entity.classified' || !('direction' in change)) return null;
  return change.direction === 'new' ? 'absent' : change.from;
}

function take(links: Links, event: PanelEvent): void {
  const { change } = event.data;
  const key = keyOf(event);
  switch (kindOf(event)) {
    case 'panel.created':
      for (const other of links.keys())
        if (other.startsWith(`${event.source} ${event.data.panel?.id} `)) links.delete(other);
      return;
    case 'entity.added':
      links.delete(key);
      return;
    case 'entity.removed':
      links.set(key, { rating: 'absent', by: event });
      return;
    case 'entity.renamed': {
      const former = keyOf(event, 'from' in change ? change.from : undefined);
      const link = links.get(former);
      links.delete(former);
      if (link) links.set(key, link);
      return;
    }
    case 'entity.classified':
      if ('direction' in change && change.to !== null) links.set(key, { rating: change.to, by: event });
      else links.delete(key);
      return;
    default:
  }
}

function brokenInOrder(
  events: readonly PanelEvent[],
  isBroken: (before: PanelEvent, event: PanelEvent) => boolean,
): readonly string[] {
  const links: Links = new Map();
  const panels = Map.groupBy(events, ({ source, data }) => `${source} ${data.panel?.id}`);
  const ordered = [...panels.values()].flatMap((own) => own.toSorted(compareByContract));
  return ordered.flatMap((event) => {
    const [link, stated] = [links.get(keyOf(event)), statedBefore(event)];
    take(links, event);
    const isOther = link !== undefined && stated !== null && link.rating !== stated;
    return isOther && isBroken(link.by, event) ? [line('in order', link.by, event)] : [];
  });
}

const followed: ReadonlySet<string> = new Set(
  ['added', 'removed', 'renamed', 'classified'].map((kind) => `entity.${kind}`),
);

/** What somebody knows who takes each event as it comes, and leaves out what comes before another one that came already. */
function brokenByArrival(events: readonly PanelEvent[]): readonly string[] {
  const links: Links = new Map();
  const newest = new Map<string, PanelEvent>();
  return events.flatMap((event) => {
    if (kindOf(event) === 'panel.created') take(links, event);
    if (!followed.has(kindOf(event)) || event.time === undefined) return [];
    const { change, corrects, late } = event.data;
    const keys = [keyOf(event)];
    if (kindOf(event) === 'entity.renamed' && 'from' in change) keys.push(keyOf(event, change.from));
    const later = keys
      .map((key) => newest.get(key))
      .find((other) => other && comparePlaces(event, other) < 0);
    if (later) return late ? [] : [line('not marked as late', later, event)];
    for (const key of keys) newest.set(key, event);
    const [link, stated] = [links.get(keyOf(event)), statedBefore(event)];
    take(links, event);
    // A correction leads to where the event led that it takes the place of.
    if (corrects !== undefined || link === undefined || stated === null || link.rating === stated) return [];
    return [line('by arrival', link.by, event)];
  });
}
