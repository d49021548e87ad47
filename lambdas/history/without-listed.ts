import { type Instant, instantOf, parseInstant } from '../clock/instant.ts';
import { kindOf, type PanelEvent } from '../events/schemas.ts';
import type { StateStore } from '../state/store.ts';
import type { History } from './history.ts';

/** Drops events of the log that a sweep published already. */
export type WithoutListed = (events: readonly PanelEvent[]) => Promise<readonly PanelEvent[]>;

interface ListedEvents {
  readonly history: Pick<History, 'find'>;
  readonly facts: Pick<StateStore, 'listing'>;
}

/**
 * Drops events of the log that a sweep published already: a row that surfaces late may state what the listings
 * showed before. Only rows from before the last stored listing can, so that others cost no look into the history.
 */
export function createWithoutListed({ history, facts }: ListedEvents): WithoutListed {
  let lastListing: Promise<Instant> | undefined;
  const wasListed = async (event: PanelEvent): Promise<boolean> => {
    const { panel, catalogue } = event.data;
    const at = parseInstant(event.time);
    if (typeof panel?.id !== 'number' || at === null || statementOf(event) === null) return false;
    lastListing ??= facts.listing().then((listing) => listing?.readAt ?? 0n);
    // The `Date` header of a listing has whole seconds.
    if (at > (await lastListing) + instantOf(1000)) return false;
    const since = at - instantOf(1000);
    const filter = { panels: [panel.id], types: [event.type] };
    for await (const other of history.find({ catalogue, since, filter, order: 'oldest' })) {
      if (isListed(other) && statementOf(other) === statementOf(event)) return true;
    }
    return false;
  };
  return async (events) => {
    const kept: PanelEvent[] = [];
    for (const event of events) if (!(await wasListed(event))) kept.push(event);
    return kept;
  };
}

const isListed = ({ data }: PanelEvent): boolean => 'via' in data.change && data.change.via === 'listing';

/** What an event states, in the same words for the log and the listing; null for what no listing can show. */
function statementOf({ type, data: { entity, change } }: PanelEvent): string | null {
  const stated = change as Readonly<Record<string, unknown>>;
  switch (kindOf(type)) {
    case 'panel.promoted':
      return String(stated.version).split('.')[0] ?? null;
    case 'panel.signed-off':
      return String(stated.signedOff);
    case 'panel.published':
    case 'panel.withdrawn':
      return 'panel';
    case 'entity.added':
    case 'entity.removed':
      return entity?.type === 'region' ? entity.name : null;
    case 'entity.classified':
      return entity?.type === 'region' ? `${entity.name} ${stated.to}` : null;
    case 'entity.tags-changed':
      return entity?.type === 'region' ? JSON.stringify([entity.name, stated.added, stated.removed]) : null;
    case 'panel.changed':
      return outcomesOf(stated.changes);
    case 'entity.annotated':
      return entity?.type === 'region' ? `${entity.name} ${outcomesOf(stated.changes)}` : null;
    default:
      return null;
  }
}

/** The fields of several changes, and what each is now. */
function outcomesOf(changes: unknown): string {
  const all = changes as readonly {
    readonly field: string;
    readonly aspect?: string;
    readonly to?: unknown;
  }[];
  return JSON.stringify(all.map(({ field, aspect, to }) => [field, aspect, to]).toSorted());
}
