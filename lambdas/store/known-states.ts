import * as z from 'zod';
import { type Rating, ratingSchema } from '../events/changes.ts';
import { type PanelEvent, panelFactsSchema, someFactsSchema } from '../events/schemas.ts';
import type { Instant } from '../run/instant.ts';
import { instantSchema, listOf } from './packed.ts';

/** How a state was found that no row states: by a listing, or by the state of a panel at a version. */
const originSchema = z.enum(['listing', 'snapshot']);

const unpairedSchema = z.lazy(() =>
  z.object({
    form: z.string(),
    at: instantSchema,
    by: z.string().nullable(),
    to: ratingSchema.nullable(),
    /** When the entity was rated again: a later row pairs with another one. */
    until: instantSchema.optional(),
  }),
);
/** A published row whose paired row has not been read yet. */
export type UnpairedRow = Readonly<z.infer<typeof unpairedSchema>>;

export const entitySchema = z.lazy(() =>
  z.object({
    /** The last published rating; null where it is unknown. */
    rating: ratingSchema.nullable(),
    /** The time of the row that set the rating, or that made it unknown. */
    at: instantSchema,
    /** The last published rows whose paired row has not been read yet. */
    unpaired: listOf(unpairedSchema),
    /** How the rating was found; absent where a row set it. `at` is then when it was shown. */
    origin: originSchema.optional(),
    /** The version of the panel that the row led to, or that was listed; absent where it is unknown. */
    version: z.string().optional(),
    /** Whether a row removed the entity from the panel; absent where none did. */
    isRemoved: z.boolean().optional(),
    /** The last rating that was published, where a row may have changed it without saying so; absent otherwise. */
    was: z.object({ rating: ratingSchema, version: z.string().optional() }).optional(),
  }),
);
/** The state of one entity on one panel. */
export type EntityState = Readonly<z.infer<typeof entitySchema>>;

/** Entity states by the key of `entityKey`. */
export type EntityStates = ReadonlyMap<string, EntityState>;

const statedSchema = z.lazy(() =>
  z.object({
    /** The time of the last row that stated one of them. */
    at: instantSchema,
    facts: someFactsSchema,
    /** Facts that rows changed in a way that cannot be read; absent where there are none. */
    unknown: listOf(panelFactsSchema.unwrap().keyof()).optional(),
    /** When the listing was read that was known then; one that is read later replaces the facts. */
    listedAt: instantSchema.optional(),
  }),
);
/** Facts of a panel that rows stated. */
export type StatedFacts = Readonly<z.infer<typeof statedSchema>>;

export const panelSchema = z.lazy(() =>
  z.object({
    /** The version that the newest row stated; null where none did. */
    version: z.string().nullable(),
    /** The time of that row. */
    at: instantSchema,
    /** Facts of the panel that rows stated; null where none did. A later listing replaces them. */
    stated: statedSchema.nullable(),
    /** How the version was found; absent where a row stated it. `at` is then when it was shown. */
    origin: originSchema.optional(),
  }),
);
/** What rows stated of one panel. */
export type PanelState = Readonly<z.infer<typeof panelSchema>>;

/** Panel states by panel id. */
export type PanelStates = ReadonlyMap<number, PanelState>;

/** The states of entities and panels. */
export interface KnownStates {
  readonly entities: EntityStates;
  readonly panels: PanelStates;
}

const PREFIX = 'panel#';

/** The key of a panel's state, beside those of entities: theirs begin with a digit. */
export const panelKey = (id: number): string => PREFIX + id;

/** The id of the panel whose state has this key. */
export const panelIdOf = (key: string): number => Number(key.slice(PREFIX.length));

/** What a listing or the state of a panel showed, and no row: the poller's known states take it over. */
export interface Learnt {
  readonly origin: z.infer<typeof originSchema>;
  readonly at: Instant;
  /** What the poller published after this version of its position is newer. */
  readonly asOf: number;
  /** Ratings by the key of `entityKey`; null where the entity is not on the panel any more. */
  readonly ratings: ReadonlyMap<string, Rating | null>;
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
