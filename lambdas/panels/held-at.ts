import type { Instant } from '../run/instant.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { type PublishedEvents, type StateSince, shownAt, stateSince } from './version-since.ts';
import type { VersionState, VersionSummary } from './version-state.ts';

/**
 * What a panel held, for messages and questions, is decided here alone: a state that is kept, with what events state of the time
 * after its reading. An archive shows its version at the end, which no event changes.
 */

/** Where what was read and published of one catalogue is kept. */
export interface HeldPlace<Read extends 'newest' | 'find' | 'at'> {
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
 * What a panel held at the end of a version, or holds in it until now; null where no state of it is kept.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export async function heldInVersion(panelId: number, version: string, place: HeldPlace<'find'>): Held {
  const state = await place.states.find(panelId, version);
  return state?.source === 'present' ? withEvents(state, place, { version }) : asRead(state);
}

/**
 * What a panel held at an instant, or later in the same version where that was read; null where no state of that time is kept.
 * @throws {StateError | HistoryError} when it cannot be read
 */
export async function heldAt(panelId: number, at: Instant, place: HeldPlace<'at'>): Held {
  const state = await place.states.at(panelId, at);
  return state && isReadBefore(state, at) ? withEvents(state, place, { at }) : asRead(state);
}

/** Whether a state was read before an instant of its version, so that events may have changed it by then. */
export const isReadBefore = ({ source, readAt }: VersionSummary, at: Instant): boolean =>
  source === 'present' && at > readAt;

const withEvents = async (
  state: VersionState | null,
  { catalogue, history }: Pick<HeldPlace<'find'>, 'catalogue' | 'history'>,
  until?: Parameters<typeof stateSince>[2],
): Held => (state && history ? stateSince(state, { catalogue, history }, until) : asRead(state));

const asRead = (state: VersionState | null): StateSince | null =>
  state && { state, isChanged: false, asOf: shownAt(state) };
