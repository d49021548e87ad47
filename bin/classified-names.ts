import type { PanelEvent } from '../lambdas/events/schemas.ts';
import { compileFilter, type Filter } from '../lambdas/filters/filter.ts';
import { toMessage } from '../lambdas/publishing/to-message.ts';
import { instantOf } from '../lambdas/run/instant.ts';
import { createSqliteHistory } from '../lambdas/store/history/sqlite.ts';
import { namesIn, unknownNames } from '../lambdas/store/history/unknown-names.ts';
import type { Listing } from '../lambdas/store/listing.ts';
import { openStateFile } from '../lambdas/store/sqlite-file.ts';

interface ClassifiedLog {
  readonly catalogue: string;
  readonly listing: Listing | null;
  readonly filter: Filter;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The events that a filter finds, by every name that the log gives. */
interface FilteredEvents {
  readonly events: readonly PanelEvent[];
  /** Sentences about names of the filter that neither the log nor the listing has. */
  readonly unknown: readonly string[];
}

/** Filters the events of a whole log, kept in memory: a renaming is known only once the whole log is read. */
export async function filterClassified(
  all: readonly PanelEvent[],
  { catalogue, listing, filter, now }: ClassifiedLog,
): Promise<FilteredEvents> {
  const file = openStateFile();
  try {
    const history = createSqliteHistory(file);
    const period = { catalogue, since: 0n, until: instantOf(now) };
    await history.append(
      all.map((event) => toMessage(event)),
      period,
    );
    const place = {
      history,
      isLocal: true,
      listings: async () => (listing === null ? [] : [{ catalogue, listing }]),
    };
    const events = all.filter(compileFilter(filter, await namesIn(place)));
    const unknown = await unknownNames(place, filter, { found: events.length });
    return { events, unknown: unknown.map(({ sentence }) => sentence) };
  } finally {
    file.close();
  }
}
