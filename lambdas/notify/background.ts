import type { PanelEvent } from '../events/schemas.ts';
import { type Instant, minutes, parseInstant } from '../run/instant.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import type { Background } from '../words/message-context.ts';
import { type Privacy, withPrivacy } from '../words/privacy.ts';
import { byTime } from './by-time.ts';

/** The rows of one action lie seconds apart; a comment may take a person a little longer. */
const SAME_ACTION = minutes(2);
/** The most genes that a query names; for more of them, it reads those of the whole panel. */
const MOST_NAMES = 100;
/** Of one panel: more events than any panel has ratings. */
const MOST_EVENTS = 20_000;

type Rated = PanelEvent<'entity.classified'>;

/** What the history says about each change of rating among events, by their ids. It asks twice for each panel. */
export async function backgroundsOf(
  events: readonly PanelEvent[],
  history: Pick<History, 'find'> | null,
  privacy: Privacy,
): Promise<ReadonlyMap<string, Background>> {
  const backgrounds = new Map<string, Background>();
  const rated = events.filter(
    (event): event is Rated =>
      event.type === 'gene-panel.entity.classified.v1' &&
      typeof event.data.panel.id === 'number' &&
      parseInstant(event.time) !== null,
  );
  if (!history) return backgrounds;
  for (const own of Map.groupBy(rated, ({ data }) => `${data.catalogue} ${data.panel.id}`).values()) {
    const befores = await ratingsBefore(own, history);
    const comments = await commentsOf(own, history, privacy);
    for (const { id } of own) {
      const [before, comment] = [befores.get(id), comments.get(id)];
      backgrounds.set(id, { ...(before && { before }), ...(comment !== undefined && { comment }) });
    }
  }
  return backgrounds;
}

/** What a query about the entities of events of one panel asks for. */
function about(
  events: readonly Rated[],
): Pick<HistoryQuery, 'catalogue'> & Required<Pick<HistoryQuery, 'filter'>> {
  const genes = [...new Set(events.map(({ data }) => data.entity.name))];
  const { catalogue, panel } = (events[0] as Rated).data;
  const panels = [panel.id as number];
  return { catalogue, filter: { panels, ...(genes.length <= MOST_NAMES && { genes }) } };
}

const entityOf = ({ data: { entity } }: PanelEvent): string => `${entity?.type} ${entity?.name}`;
const timeOf = ({ time }: PanelEvent): Instant => parseInstant(time) ?? 0n;

/** The rating before, where an earlier event states it, and since when it held. */
async function ratingsBefore(
  events: readonly Rated[],
  history: Pick<History, 'find'>,
): Promise<ReadonlyMap<string, Background['before']>> {
  const newest = events.map(timeOf).reduce((one, other) => (one > other ? one : other));
  const { filter, ...place } = about(events);
  const open = Map.groupBy(
    events.filter(({ data }) => data.change.from !== null),
    entityOf,
  );
  const found = new Map<string, Background['before']>();
  const ended = new Set<string>();
  const query = { ...place, until: newest, order: 'newest', limit: MOST_EVENTS } as const;
  for await (const each of history.find({ ...query, filter: { ...filter, types: ['entity.classified'] } })) {
    if (each.type !== 'gene-panel.entity.classified.v1' || !each.time) continue;
    for (const event of open.get(entityOf(each)) ?? []) {
      if (ended.has(event.id) || byTime(each, event) >= 0) continue;
      const { from } = event.data.change;
      const { to, direction } = each.data.change;
      const holds = from !== null && to === from;
      if (holds) {
        found.set(event.id, { rating: from, since: each.time, version: each.data.panel.version });
      }
      if (!holds || direction !== 'unchanged') ended.add(event.id);
    }
  }
  return found;
}

/** What the same person wrote about the same entity in the same action. */
async function commentsOf(
  events: readonly Rated[],
  history: Pick<History, 'find'>,
  privacy: Privacy,
): Promise<ReadonlyMap<string, string>> {
  const times = events.map(timeOf).toSorted((one, other) => (one < other ? -1 : 1));
  const { filter, ...place } = about(events);
  const byEntity = Map.groupBy(events, entityOf);
  const comments = new Map<string, string>();
  for (const [since, until] of spans(times)) {
    const query = { ...place, since, until, order: 'oldest', limit: MOST_EVENTS } as const;
    const types = ['entity.commented', 'entity.reviewed'] as const;
    for await (const each of history.find({ ...query, filter: { ...filter, types } })) {
      const shown = withPrivacy(each, privacy).data.change;
      if (!('comment' in shown) || typeof shown.comment !== 'string') continue;
      for (const event of byEntity.get(entityOf(each)) ?? []) {
        const apart = timeOf(each) - timeOf(event);
        if (each.data.actor === event.data.actor && apart < SAME_ACTION && -apart <= SAME_ACTION)
          comments.set(event.id, shown.comment);
      }
    }
  }
  return comments;
}

/** The times in which comments of actions may lie, joined where they overlap. */
function spans(times: readonly Instant[]): readonly (readonly [since: Instant, until: Instant])[] {
  const joined: [Instant, Instant][] = [];
  for (const at of times) {
    const [since, until] = [at - SAME_ACTION, at + SAME_ACTION];
    const last = joined.at(-1);
    if (last && since <= last[1]) last[1] = until;
    else joined.push([since, until]);
  }
  return joined;
}
