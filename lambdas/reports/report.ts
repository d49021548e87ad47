import type { ReadPart } from '../history/read-part.ts';
import type { NetChanges } from '../subscriptions/net-changes.ts';

/** The two versions of a panel between which a report lies. */
export interface ReportVersions {
  readonly from: string;
  /** Null: the newest. */
  readonly to: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

/** The net changes of a period, and what of the period was read. */
export interface Report {
  /** The period for people: `2026-10-01 to 2026-11-01`, `version 3.1 to 4.0`. */
  readonly title: string;
  readonly changes: NetChanges;
  /** In a report between versions of one panel: the two versions, and the first and last that the history has. */
  readonly versions?: ReportVersions;
  /** What of the period was read, by catalogue: the report is about this part alone. */
  readonly read: readonly ReadPart[];
  /** The filter in words, such as `panel Hearing loss; R code R67`; empty without one. */
  readonly filter: string;
  /** Sentences about names in the filter that do not exist, or that several panels have. */
  readonly warnings: readonly string[];
  /** False where a name does not exist, or nothing of the period was read: that nothing was found then says nothing. */
  readonly isAnswer: boolean;
}
