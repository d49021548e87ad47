import type { PanelEvent } from '../events/schemas.ts';
import { filterWords } from '../filters/filter-words.ts';
import { createNetChanges, type NetChanges } from '../filters/net-changes.ts';
import type { Instant } from '../run/instant.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import type { ReadPart } from '../store/history/read-part.ts';
import { type NamedPlace, namesIn } from '../store/history/unknown-names.ts';
import { answerLimits } from './answer-limits.ts';
import { withKnownIds } from './known-ids.ts';
import type { Limit } from './question.ts';

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
  /** What else limits the answer, each with its kind. */
  readonly limits?: readonly Limit[];
  /** Sentences about names in the filter that do not exist, or that several panels have. */
  readonly warnings: readonly string[];
  /** False where a name does not exist, or nothing of the period was read: that nothing was found then says nothing. */
  readonly isAnswer: boolean;
}

/** The part of the history that a report covers. */
export interface Span {
  readonly title: string;
  /** Empty between versions, which may lie anywhere in the history. */
  readonly period: { readonly since?: Instant; readonly until?: Instant };
  /** The present. */
  readonly now: Instant;
  readonly includes: (event: PanelEvent) => boolean;
  /** The versions of one panel that are compared, where nothing but the panel limits the events. */
  readonly versions?: Pick<ReportVersions, 'from' | 'to'>;
}

/** Shows how many events were read. */
interface ReadProgress {
  show(read: number, total: null): void;
  end(): void;
}

/**
 * The net changes of a span, and the parts of it that the history does not cover.
 * @throws {HistoryError} when the history cannot be read
 */
export async function readReport(
  place: NamedPlace & { readonly history: History },
  query: HistoryQuery,
  { title, now, includes, versions }: Span,
  progress?: ReadProgress,
): Promise<Report> {
  const { history } = place;
  const builder = createNetChanges();
  let first: string | null = null;
  let last: string | null = null;
  let read = 0;
  try {
    for await (const event of history.findWithoutRows({ ...query, order: 'oldest' })) {
      const version = event.data.panel?.version ?? null;
      first ??= version;
      last = version ?? last;
      if (includes(event)) builder.add(event);
      if (++read % SHOWN_EVERY === 0) progress?.show(read, null);
    }
  } finally {
    progress?.end();
  }
  const { filter = {} } = query;
  const names = await namesIn(place);
  const changes = withKnownIds(builder.result(), names);
  const limits = await answerLimits(place, { ...query, filter, found: changes.events, now });
  return {
    title,
    changes,
    read: limits.read,
    filter: filterWords(filter, names),
    warnings: limits.names,
    limits: limits.limits,
    isAnswer: limits.isAnswer,
    ...(versions && { versions: { ...versions, first, last } }),
  };
}

const SHOWN_EVERY = 500;
