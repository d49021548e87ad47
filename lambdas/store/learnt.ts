import type { Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Instant } from '../run/instant.ts';
import { entitySchema, panelSchema } from './json-schemas.ts';
import { type EntityState, type Origin, type PanelState, panelKey } from './known-states.ts';

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

/** A state as JSON, and the version of the position that saved it. */
export interface SavedState {
  readonly savedAt: number;
  readonly state: unknown;
}

/**
 * The states, by their keys, that differ once something is learnt: those of which the poller has published nothing newer.
 * @param savedOf what is kept under a key
 * @throws {Error} when a kept state is damaged
 */
export function statesAfter(
  learnt: Learnt,
  savedOf: (key: string) => SavedState | undefined,
): readonly (readonly [key: string, EntityState | PanelState])[] {
  const isOld = (saved: SavedState | undefined): boolean => (saved?.savedAt ?? 0) <= learnt.asOf;
  const entities = [...learnt.ratings].flatMap(([key, rating]) => {
    const saved = savedOf(key);
    if (!isOld(saved)) return [];
    const before = saved && entitySchema.parse(saved.state);
    return [[key, entityAfter(before, [key, rating], learnt)] as const];
  });
  const panels = [...learnt.versions].flatMap(([id, version]) => {
    const saved = savedOf(panelKey(id));
    if (!isOld(saved)) return [];
    const before = saved && panelSchema.parse(saved.state);
    return [[panelKey(id), panelAfter(before, version, learnt)] as const];
  });
  return [...entities, ...panels];
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
