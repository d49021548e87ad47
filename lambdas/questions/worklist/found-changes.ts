import type { PanelEvent } from '../../events/schemas.ts';
import type { EntityStatus } from '../../filters/entity-history.ts';
import type { WorklistChange } from './worklist-change.ts';

/** A further change of what an entry is about. */
export interface LaterTurn {
  /** The id of its event. */
  readonly event: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly from: EntityStatus;
  readonly to: EntityStatus;
  readonly version: string | null;
}

/** A change, and what happened later to the same gene, STR or region. */
export interface FoundChange {
  readonly change: WorklistChange;
  /** Oldest first; the same objects in each change of one entity. */
  readonly later: readonly LaterTurn[];
  readonly isReverted: boolean;
  readonly signedOff: SignedOffThen;
}

/** What an event says of the version that was signed off when it happened; null where it says nothing. */
export interface SignedOffThen {
  readonly version: string | null;
  readonly isSignedOff: boolean | null;
}

/** What the events of a history give a worklist, before the states of panels are asked. */
export interface FoundChanges {
  /** Changes of working versions that the filter asks for. */
  readonly changes: readonly FoundChange[];
  /** Every sign-off and withdrawal, oldest first, also of panels that the filter leaves out. */
  readonly signOffs: readonly PanelEvent<'panel.signed-off'>[];
  /** Rows of the log that could not be read, on the panels asked for: they may state a change. */
  readonly unread: readonly WorklistChange[];
}
