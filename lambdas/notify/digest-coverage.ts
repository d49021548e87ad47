import type { Clock } from '../run/clock.ts';
import { instantOf } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { isWhole, readPartsOf } from '../store/history/read-part.ts';
import { nothingFoundWords, unreadSentences } from '../store/history/read-part-words.ts';
import type { DigestCoverage, DigestPeriod } from '../words/notice-of-digest.ts';
import type { TimeWords } from '../words/time-words.ts';

interface CoverageOptions {
  /** Of which the reader gets changes. */
  readonly catalogues: readonly string[];
  readonly history: Pick<History, 'coverage'> | null;
  readonly clock: Pick<Clock, 'now'>;
  readonly times: TimeWords;
}

/** How much of a digest's period was read, of the catalogues that it asks for; undefined where no history is kept. */
export async function digestCoverage(
  { since, until }: DigestPeriod,
  { catalogues, history, clock, times }: CoverageOptions,
): Promise<DigestCoverage | undefined> {
  if (!history) return undefined;
  const asked = {
    since: instantOf(Date.parse(since)),
    until: instantOf(Date.parse(until)),
    now: instantOf(clock.now()),
  };
  const coverage = await history.coverage();
  const parts = catalogues.flatMap((catalogue) => readPartsOf(coverage, { ...asked, catalogue }));
  const moment = (at: bigint): string => times.moment(new Date(Number(at / 1000n)).toISOString());
  return {
    nothing: nothingFoundWords('No change was found', parts),
    // The time since the newest row counts as read for an hour: polls follow each other faster.
    unread: unreadSentences(
      parts.map((part) => (isWhole(part) ? { ...part, openSince: null } : part)),
      moment,
      (catalogue, newest) =>
        `The newest row of ${catalogue} that was read is of ${newest}. The log has no later one, or could not be read since: then those who run the notifier get an alarm.`,
    ),
  };
}
