import type { Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Instant } from '../run/instant.ts';
import type { EntityState, Origin, PanelState } from './known-states.ts';

/** What a listing or the state of a panel showed, and no row: the poller's known states take it over. */
export interface Learnt {
  readonly origin: Origin;
  /** When it was shown. */
  readonly at: Instant;
  /** What the poller published after this version of its position is newer. */
  readonly asOf: number;
  /** Ratings by the key of `entityKey`; null where the entity is not on the panel any more. */
  readonly ratings: ReadonlyMap<string, Rating | null>;
  /** Versions by panel id. */
  readonly versions: ReadonlyMap<number, string>;
  /** The events that publish it, by panel id. */
  readonly silent: ReadonlyMap<number, readonly PanelEvent[]>;
}

/** The state of an entity, by its key, once its rating is learnt. */
export function entityAfter(
  before: EntityState | undefined,
  [key, rating]: readonly [string, Rating | null],
  { at, origin, versions }: Learnt,
): EntityState {
  const version = versions.get(Number.parseInt(key, 10));
  return { rating, at, unpaired: before?.unpaired ?? [], origin, ...(version !== undefined && { version }) };
}

/** A panel's state once its version is learnt. */
export function panelAfter(
  before: PanelState | undefined,
  version: string,
  { at, origin }: Learnt,
): PanelState {
  return { version, at, stated: before?.stated ?? null, origin };
}

/** Silent events of one panel that are kept: a row may show up long after the change that it states was seen. */
const MOST_SILENT = 40;

/** A panel's silent events with more of them, oldest first, each once. */
export function silentAfter(
  before: readonly PanelEvent[],
  more: readonly PanelEvent[],
): readonly PanelEvent[] {
  const all = new Map([...before, ...more].map((event) => [event.id, event]));
  return [...all.values()].slice(-MOST_SILENT);
}
