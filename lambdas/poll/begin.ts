import { classifyRow } from '../classifier/classify-row.ts';
import { earlier, formatInstant, type Instant } from '../clock/instant.ts';
import { correlate } from '../correlation/correlate.ts';
import type { EntityState, LedgerRow, Position } from '../state/store.ts';
import { CLOCK_SKEW } from './anomalies.ts';
import { ledgerRow } from './ledger-row.ts';
import type { LogPage } from './log-page.ts';
import { PollError } from './poll-error.ts';
import type { PollOptions } from './poll-options.ts';
import { rowsSince } from './read-back.ts';

export interface Beginning {
  readonly first: LogPage;
  /** The catalogue's own time. */
  readonly now: Instant;
  readonly readPage: (number: number) => Promise<LogPage | null>;
}

/**
 * Takes the first place in a log: at `from`, or else at the newest row, with all that is there taken as told.
 * Rows since `learnSince` are read for the ratings they state, without telling them.
 */
export async function begin(run: PollOptions, { first, now, readPage }: Beginning): Promise<Position> {
  refuseFuture(run, now);
  const newest = earlier(first.newest, now);
  const mark = run.from ?? newest;
  const start = run.from ?? newest - run.overlap;
  const floor = run.learnSince !== undefined && run.learnSince < start ? run.learnSince : start;
  const known = new Map<string, EntityState>();
  const finished: LedgerRow[] = [];
  if (run.from === undefined || floor < start) {
    for await (const { rows } of rowsSince({ readPage, first, floor, log: run.log })) {
      const old = rows.filter(({ at }) => run.from === undefined || at < run.from);
      const context = { catalogue: { name: run.name, url: run.catalogue.url }, panels: new Map() };
      const correlated = correlate(old.map(classifyRow), known, context);
      for (const [key, value] of correlated.known) known.set(key, value);
      finished.push(...old.filter(({ at }) => at >= start).map(ledgerRow));
      if (old.length < rows.length) break;
    }
  }
  const position = { mark, start, count: first.count, source: run.catalogue.url };
  return run.store.begin(position, finished, known);
}

/** A start that is still to come would keep everything from being told until then. */
function refuseFuture({ name, from, learnSince }: PollOptions, now: Instant): void {
  for (const [what, at] of [
    ['be told', from],
    ['be learnt from', learnSince],
  ] as const) {
    if (at === undefined || at <= now + CLOCK_SKEW) continue;
    throw new PollError(
      'START_WRONG',
      `Beginning to read the log of "${name}": it is to ${what} since ${formatInstant(at)}, but at the catalogue it is ${formatInstant(now)}. No place was taken. Is the year right?`,
    );
  }
}
