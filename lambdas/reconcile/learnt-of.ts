import { entityKey } from '../classifier/correlation/subject.ts';
import type { Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Message } from '../publishing/message.ts';
import { instantOf } from '../run/instant.ts';
import type { Learnt } from '../store/known-states.ts';
import { eventsIn } from '../store/published.ts';
import type { KnownPanel } from './listed.ts';

interface Found {
  readonly panels: readonly KnownPanel[];
  readonly messages: readonly Message[];
  /** When the listing was read, in milliseconds since the epoch. */
  readonly listedAt: number;
  /** What the poller published after this version of its position is newer than the listing. */
  readonly asOf: number;
}

/** What a listing of some panels shows the poller: the ratings of their regions, their versions, and the silent changes. */
export function knownAfter({ panels, messages, listedAt, asOf }: Found): Learnt {
  const events = eventsIn(messages);
  const removed = events.flatMap((event): [string, null][] => {
    const { panel, entity } = event.data;
    const isRemoval = event.type === 'gene-panel.entity.removed.v1';
    return isRemoval && entity && typeof panel?.id === 'number' ? [[entityKey(panel.id, entity), null]] : [];
  });
  const listed = panels.filter(({ lastListedAt }) => lastListedAt === undefined);
  const rated = listed.flatMap(({ panel, regions, regionsUnread }) =>
    regionsUnread
      ? []
      : regions.map(({ name, rating }): [string, Rating] => [
          entityKey(panel.id, { type: 'region', name }),
          rating,
        ]),
  );
  return {
    origin: 'listing',
    at: instantOf(listedAt),
    asOf,
    ratings: new Map<string, Rating | null>([...removed, ...rated]),
    versions: new Map(listed.map(({ panel }) => [panel.id, panel.version])),
    silent: byPanel(events),
  };
}

function byPanel(events: readonly PanelEvent[]): Learnt['silent'] {
  const named = events.filter(({ data }) => typeof data.panel?.id === 'number');
  return Map.groupBy(named, ({ data }) => data.panel?.id ?? 0);
}
