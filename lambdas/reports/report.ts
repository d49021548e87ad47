import type { NetChanges } from '../subscriptions/net-changes.ts';
import type { Instant } from '../clock/instant.ts';

/** The two versions of a panel between which a report lies. */
export interface ReportVersions {
  readonly from: string;
  /** Null: the newest. */
  readonly to: string | null;
  readonly first: string | null;
  readonly last: string | null;
}

/** The net changes of a period, and the parts of the period that the history does not cover. */
export interface Report {
  /** The period for people: `2026-10-01 to 2026-11-01`, `version 3.1 to 4.0`. */
  readonly title: string;
  readonly changes: NetChanges;
  /** In a report between versions of one panel: the two versions, and the first and last that the history has. */
  readonly versions?: ReportVersions;
  /** Parts of the period of which events may be missing; empty where the history covers it all. */
  readonly gaps: readonly ReportGap[];
}

/** A part of the period that the history of a catalogue does not cover. */
interface ReportGap {
  readonly since: Instant;
  readonly until: Instant;
  readonly catalogue: string;
  /** It lasts until now: rows of that time were not read yet, if there are any. */
  readonly unread?: true;
}
