import type { FollowedPanels } from '../filters/followed-panels.ts';
import type { Archive, ArchiveAnswer } from '../panels/archive.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import type { UnprovenVersion } from '../panels/proof-record.ts';
import type { Instant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { StateStore } from '../store/store.ts';
import type { FindingRun } from './publish-found.ts';

/** What the catalogue answered for a panel. */
export interface Answered {
  readonly panelId: number;
  /** Undefined for the panel as it is now. */
  readonly version: string | undefined;
  /** When it was asked for, in milliseconds since the epoch. */
  readonly at: number;
  readonly answer: ArchiveAnswer;
}

/** What reading and proving the states of one catalogue needs. */
export interface ProofOptions extends FindingRun {
  /** The catalogue's `/api/v1/` URL. */
  readonly url: string;
  readonly archive: Archive;
  /** What was answered last of the panel that was asked for last: a run that ends before it keeps a version leaves it to the next. */
  readonly lastAnswers?: { answers: readonly Answered[] };
  readonly states: PanelStateStore;
  /** The events of a panel, by which a version is explained; keeps what is published. */
  readonly history: Pick<History, 'append' | 'find'>;
  /**
   * The panels as they were listed last, and since when the log is followed; it takes over what is published, so that no late row
   * repeats it.
   */
  readonly state: Pick<StateStore, 'listing' | 'learn' | 'load' | 'panels' | 'published' | 'silent'>;
  /** Reads the log to its end and publishes its rows. */
  readonly readLog: () => Promise<{ readonly complete: boolean }>;
  /** How long a row may become visible after its time. */
  readonly overlap: Instant;
  /** The panels to read first, such as those of subscriptions. */
  readonly first?: FollowedPanels;
  /** Panels of which every version is read, from the first one that the archive has; absent for new versions alone. */
  readonly fromStart?: readonly number[];
  /** Called after each panel: what was done, and how many panels are left. */
  readonly onProgress?: (progress: ProofProgress) => void;
  /** Called after each signed-off version that was asked for, once the panels are read: how many there are after it at most. */
  readonly onSignedOffProgress?: (
    progress: Pick<ProofProgress, 'requests'> & { readonly versionsLeft: number },
  ) => void;
  readonly signal?: AbortSignal | undefined;
}

interface ProofProgress {
  readonly panelId: number;
  readonly panelsLeft: number;
  readonly requests: number;
}

/** What a run did. */
export interface ProofReport {
  /** `paused`: no request may be sent before `until`, or the time is over; the next run goes on. */
  readonly outcome: 'done' | 'paused' | 'log-unread';
  /** Why it was paused; null where it was not. */
  readonly why: string | null;
  /** In milliseconds since the epoch; null where the next run may go on. */
  readonly until: number | null;
  readonly requests: number;
  /** Versions that this run proved, and versions that it explained by their snapshot. */
  readonly proven: number;
  readonly explained: number;
  /** Events that were published. */
  readonly events: number;
  /** Earlier events that these correct. */
  readonly corrected: number;
  /** Panels that were not come to yet; at the end of a run, panels whose state could not be read. */
  readonly panelsLeft: number;
  /** Versions that nothing proves yet. */
  readonly unproven: number;
  /** Of these, versions for more than a day. */
  readonly unprovenForADay: number;
  /** The version that is unproven for the longest time; null where every one is proven. */
  readonly oldestUnproven: UnprovenVersion | null;
  /** Whether a catalogue that served states has served none for hours, so that it is asked once a week. */
  readonly statesOff: boolean;
  /** Whether so many panels differ from their events at once that the catalogue may be wrong. */
  readonly refused: boolean;
  /** The share of versions that are proven, in percent; null while no version is known. */
  readonly percent: number | null;
}
