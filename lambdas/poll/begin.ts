import { classifyRow } from '../classifier/classify-row.ts';
import { correlate } from '../classifier/correlation/correlate.ts';
import { createKnownStates } from '../classifier/correlation/known-states.ts';
import { earlier, formatInstant, type Instant } from '../run/instant.ts';
import type { LedgerRow } from '../store/ledger.ts';
import type { Position } from '../store/position.ts';
import { CLOCK_SKEW } from './anomalies.ts';
import { ledgerRow } from './ledger-row.ts';
import type { LogPage } from './log-page.ts';
import type { PageReader } from './page-reader.ts';
import { PollError } from './poll-error.ts';
import type { PollOptions } from './poll-options.ts';
import { rowsSince } from './read-back.ts';

interface Start {
  readonly first: LogPage;
  /** The catalogue's own time. */
  readonly now: Instant;
  readonly reader: PageReader;
}

/**
 * Writes the first position in a log: at `from`, or else at the newest row, so that no existing row is published.
 * Rows since `learnSince` are read for the ratings that they state, and are not published.
 * @throws {PollError} `START_WRONG` when a start is in the future
 */
export async function begin(run: PollOptions, { first, now, reader }: Start): Promise<Position> {
  refuseFuture(run, now);
  const newest = earlier(first.newest, now);
  const mark = run.from ?? newest;
  const start = run.from ?? newest - run.overlap;
  const floor = run.learnSince !== undefined && run.learnSince < start ? run.learnSince : start;
  const known = createKnownStates();
  const finished: LedgerRow[] = [];
  let counted: number | null = null;
  if (run.from === undefined || floor < start) {
    const unknown = { expected: null, seen: new Map<string, Instant>(), gap: null };
    for await (const { rows, count } of rowsSince({
      ...unknown,
      readPage: reader.read,
      first,
      floor,
      log: run.log,
    })) {
      const old = rows.filter(({ at }) => run.from === undefined || at < run.from);
      const context = { catalogue: { name: run.name, url: run.catalogue.url }, listing: null };
      known.learn(correlate(old.map(classifyRow), known, context).learnt);
      finished.push(...old.filter(({ at }) => at >= start).map(ledgerRow));
      if (old.length < rows.length) break;
      counted = count;
    }
  }
  const count = run.from === undefined ? counted : null;
  return run.store.begin({ mark, start, count, source: run.catalogue.url }, finished, known);
}

/** Refuses a start in the future: until then, no row would be published. */
function refuseFuture({ name, from, learnSince }: PollOptions, now: Instant): void {
  for (const [what, at] of [
    ['publish', from],
    ['learn ratings', learnSince],
  ] as const) {
    if (at === undefined || at <= now + CLOCK_SKEW) continue;
    throw new PollError(
      'START_WRONG',
      `Beginning to read the log of "${name}": the poll would ${what} since ${formatInstant(at)}, which is in the future: the time of the catalogue is ${formatInstant(now)}. Nothing was written. Is the year right?`,
    );
  }
}
