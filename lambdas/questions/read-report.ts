import type { PanelEvent } from '../events/schemas.ts';
import { filterWords } from '../filters/filter-words.ts';
import { createNetChanges } from '../filters/net-changes.ts';
import type { Instant } from '../run/instant.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import { type NamedPlace, namesIn } from '../store/history/unknown-names.ts';
import { answerLimits } from './answer-limits.ts';
import { withKnownIds } from './known-ids.ts';
import type { Report, ReportVersions } from './report.ts';

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
    isAnswer: limits.isAnswer,
    ...(versions && { versions: { ...versions, first, last } }),
  };
}

const SHOWN_EVERY = 500;
