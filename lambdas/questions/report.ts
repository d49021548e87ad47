import type { NetChanges } from '../filters/net-changes.ts';
import type { ReadPart } from '../store/history/read-part.ts';

/** The two versions of a panel between which a report lies. */
export interface ReportVersions {
  readonly from: string;
  /** Null: the newest. */
  readonly to: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

/** A version whose state was compared. Times are ISO 8601 in UTC. */
export interface ComparedState {
  readonly version: string;
  readonly validFrom: string;
  readonly source: 'archive' | 'present';
  readonly readAt: string;
  readonly sha256: string;
}

/** The states of two versions of a panel, which a report between them begins and ends with. */
export interface ComparedStates {
  readonly before: ComparedState;
  readonly after: ComparedState;
  /** Changes that the states show and no row that was read states. */
  readonly unexplained: number;
  /** The types of entities that one of the two does not state: an archive of years ago has genes alone. */
  readonly notCompared: readonly ('gene' | 'str' | 'region')[];
  /** Whether every row between the two was read: else changes that were taken back may be missing, and who made them. */
  readonly rows: 'read' | 'not all read';
}

/** The net changes of a period, and what of the period was read. */
export interface Report {
  /** The period for people: `2026-10-01 to 2026-11-01`, `version 3.1 to 4.0`. */
  readonly title: string;
  readonly changes: NetChanges;
  /** In a report between versions of one panel: the two versions, and the first and last that the history has. */
  readonly versions?: ReportVersions;
  /** In a report between two versions whose states are known: what was compared. Every net change is then in the report. */
  readonly compared?: ComparedStates;
  /** What of the period was read, by catalogue: the report is about this part alone. */
  readonly read: readonly ReadPart[];
  /** The filter in words, such as `panel Hearing loss; R code R67`; empty without one. */
  readonly filter: string;
  /** Sentences about names in the filter that do not exist, or that several panels have. */
  readonly warnings: readonly string[];
  /** False where a name does not exist, or nothing of the period was read: that nothing was found then says nothing. */
  readonly isAnswer: boolean;
}
