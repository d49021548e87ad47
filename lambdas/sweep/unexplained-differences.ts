import { type Instant, instantOf, parseInstant } from '../clock/instant.ts';
import { type Compared, comparePanel } from '../differences/compare.ts';
import { isSilent } from '../differences/difference.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { History } from '../history/history.ts';
import type { ListedTwice } from './differences-of.ts';

const DAY: Instant = instantOf(24 * 60 * 60 * 1000);
/** A row that surfaced this late may explain what the listings show now. */
const LATE: Instant = 7n * DAY;
const SECOND: Instant = instantOf(1000);

interface UnexplainedOptions {
  readonly catalogue: string;
  readonly history: Pick<History, 'find'>;
  /** When the stored listing was read, in milliseconds since the epoch. */
  readonly storedAt: number;
  /** When the later listing was read. The log was read after it, and may have gone on. */
  readonly listedAt: number;
}

/** The differences of one panel that the activity log does not explain. */
export async function unexplainedDifferences(
  { id, before: shown, after, since }: ListedTwice,
  { catalogue, history, storedAt, listedAt }: UnexplainedOptions,
): Promise<Compared> {
  // The `Date` header of the listing has whole seconds.
  const from = instantOf(since ?? storedAt) - SECOND;
  const events: PanelEvent[] = [];
  const filter = { panels: [id] };
  for await (const event of history.find({ catalogue, since: from - LATE, filter, order: 'oldest' })) {
    // An earlier sweep found an earlier change: a panel can be withdrawn twice.
    if (isSilent(event.data.change)) continue;
    // A row that surfaced late was unknown when the stored listing was read.
    if (since === null || (parseInstant(event.time) ?? 0n) >= from || event.data.late) events.push(event);
  }
  // A page of the listing shows the panel as it was at some moment between the first page and the reading of the log.
  const until = instantOf(listedAt) + SECOND;
  const certain = events.filter((event) => (parseInstant(event.time) ?? 0n) < until);
  const later = events.filter((event) => !certain.includes(event));
  const moments = later.map((_event, index) =>
    comparePanel({
      before: shown,
      events: [...certain, ...later.slice(0, index + 1)],
      after,
      via: 'listing',
    }),
  );
  const found = comparePanel({ before: shown, events: certain, after, via: 'listing' });
  const about = ({ kind, entity }: Compared['differences'][number]): string =>
    `${kind} ${entity?.name ?? ''}`;
  const differences = found.differences.filter((one) =>
    moments.every((moment) => moment.differences.some((other) => about(other) === about(one))),
  );
  return { ...found, differences };
}
