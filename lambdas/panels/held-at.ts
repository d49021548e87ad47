import { timeOf } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { Instant } from '../run/instant.ts';
import { contentsOf, type PanelContents } from './compare-states.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import {
  changesRating,
  changesWithin,
  type PublishedEvents,
  type StateSince,
  shownAt,
  stateBefore,
  stateSince,
} from './version-since.ts';
import type { Holding, VersionState, VersionSummary } from './version-state.ts';

/**
 * What a panel held, for messages and questions, is decided here alone: a state that is kept, with what events state of the time
 * after its reading. An archive shows its version at the end, which no event changes: of an earlier instant, what came later is undone.
 */

/** Where what was read and published of one catalogue is kept. */
export interface HeldPlace<Read extends 'newest' | 'find' | 'at' | 'panels' | 'holdings'> {
  /** Its configured name. */
  readonly catalogue: string;
  readonly states: Pick<PanelStateStore, Read>;
  /** Null where no events are kept: a state then counts as it was read. */
  readonly history: PublishedEvents | null;
}

type Held = Promise<StateSince | null>;

/**
 * What a panel holds as far as is known; null where no state of it is kept.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export const heldNow = async (panelId: number, place: HeldPlace<'newest'>): Held =>
  withEvents(await place.states.newest(panelId), place);

/**
 * The panels that hold entities as far as is known, by panel id: as their newest states show them, and where events came after the
 * reading, with these.
 * @param entities by `identityOf`, as the result is
 * @throws {HistoryError | StateError} when it cannot be read
 */
export async function holdingsNow(
  entities: ReadonlyMap<string, Pick<Holding, 'type' | 'name' | 'hgncId'>>,
  place: HeldPlace<'newest' | 'panels' | 'holdings'>,
): Promise<ReadonlyMap<string, readonly Holding[]>> {
  const { catalogue, states, history } = place;
  const readAt = new Map((await states.panels()).map((panel) => [panel.panelId, panel.readAt]));
  const since = [...readAt.values()].reduce<Instant | null>(
    (least, at) => (least === null || at < least ? at : least),
    null,
  );
  const anew = new Map<number, PanelContents>();
  const genes = [...entities.values()].map(({ name }) => name);
  const query = { catalogue, filter: { genes, types: [...changesRating] }, order: 'oldest' } as const;
  const events = since !== null && history ? history.findWithoutRows({ ...query, since }) : [];
  for await (const event of events) {
    const panelId = event.data.panel?.id ?? 0;
    const read = readAt.get(panelId);
    if (read === undefined || timeOf(event) < read || anew.has(panelId)) continue;
    const held = await heldNow(panelId, place);
    if (held) anew.set(panelId, contentsOf(held.state));
  }
  const found = new Map<string, readonly Holding[]>();
  for (const [identity, entity] of entities) {
    const kept = (await states.holdings(identity)).filter(({ panelId }) => !anew.has(panelId));
    const changed = [...anew.values()].flatMap((held) => held.find(entity) ?? []);
    found.set(
      identity,
      [...kept, ...changed].sort((one, other) => one.panelId - other.panelId),
    );
  }
  return found;
}

/**
 * What a panel held at the end of a version, or holds in it until now; null where no state of it is kept.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export async function heldInVersion(panelId: number, version: string, place: HeldPlace<'find'>): Held {
  const state = await place.states.find(panelId, version);
  return state?.source === 'present' ? withEvents(state, place, { version }) : asRead(state);
}

/** What a panel held at an instant. */
interface HeldThen extends StateSince {
  /** The events that changed it later within the version, oldest first. */
  readonly later: readonly PanelEvent[];
}

/**
 * What a panel held at an instant; null where no state of that time is kept. What events of its version changed later is undone, as
 * far as they say what was so before.
 * @throws {HistoryError | StateError} when it cannot be read
 */
export async function heldAt(panelId: number, at: Instant, place: HeldPlace<'at'>): Promise<HeldThen | null> {
  const state = await place.states.at(panelId, at);
  if (!state) return null;
  const { catalogue, history } = place;
  const changes = history ? await changesWithin(state, { catalogue, history }) : [];
  const later = changes.filter((event) => timeOf(event) > at);
  if (state.source === 'present' && at > state.readAt) {
    const held = await withEvents(state, place, { at });
    return held && { ...held, later };
  }
  const shown = later.filter((event) => timeOf(event) <= shownAt(state));
  return { state: stateBefore(state, shown), isChanged: false, asOf: shownAt(state), later };
}

/**
 * The instants at which events changed what a panel held within a version, oldest first: in between, `heldAt` finds the same.
 * @throws {HistoryError} when the history cannot be read
 */
export const changeTimes = async (
  version: VersionSummary,
  { catalogue, history }: Pick<HeldPlace<'at'>, 'catalogue' | 'history'>,
): Promise<readonly Instant[]> =>
  history ? (await changesWithin(version, { catalogue, history })).map(timeOf) : [];

const withEvents = async (
  state: VersionState | null,
  { catalogue, history }: Pick<HeldPlace<'find'>, 'catalogue' | 'history'>,
  until?: Parameters<typeof stateSince>[2],
): Held => (state && history ? stateSince(state, { catalogue, history }, until) : asRead(state));

const asRead = (state: VersionState | null): StateSince | null =>
  state && { state, isChanged: false, asOf: shownAt(state) };
