import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import type { Subscription } from '../../lambdas/notify/subscription.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { readPartsOf } from '../../lambdas/store/history/read-part.ts';
import { readWords } from '../../lambdas/store/history/read-part-words.ts';
import type { OpenEvents } from './open-events.ts';

/** For how long events were read, over which a rate can be said. */
export interface ReadTime {
  readonly seconds: number;
  /** `in the 12 of 90 days that were read`. */
  readonly words: string;
}

interface AskedTime {
  readonly history: OpenEvents['history'];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly since: number;
  /** A file says nothing of what was read: its own first and last event bound it. */
  readonly isFile: boolean;
}

/** How much of the asked time was read, of the catalogues that a subscription asks for. */
export async function readTime(
  { history, now, since, isFile }: AskedTime,
  { filter: { catalogues } }: Subscription,
  events: readonly PanelEvent[],
): Promise<ReadTime> {
  if (isFile) {
    const times = events
      .flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]))
      .sort((one, other) => one - other);
    const seconds = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000;
    return { seconds, words: 'between the first and the last event of the file' };
  }
  const asked = { since: instantOf(since), until: instantOf(now), now: instantOf(now) };
  const parts = readPartsOf(await history.coverage(), asked).filter(
    ({ catalogue }) => catalogues?.includes(catalogue) ?? true,
  );
  return { seconds: Math.max(0, ...parts.map(({ readSeconds }) => readSeconds)), words: readWords(parts) };
}

const DAY_SECONDS = 86_400;

/** `About 3.2 messages a week, in the 12 of 90 days that were read`; `About one message in 14 days` where they are rarer. */
export function perWeek(messages: number, { seconds, words }: ReadTime): string {
  if (seconds < DAY_SECONDS) {
    return `How many messages that is a week cannot be said: less than a day was read (${words}).`;
  }
  if (messages === 0) return `No message ${words}.`;
  const rate = (messages * 7 * DAY_SECONDS) / seconds;
  if (rate < 0.95) return `About one message in ${Math.round(7 / rate)} days, ${words}.`;
  const shown = rate >= 10 ? String(Math.round(rate)) : rate.toFixed(1);
  return `About ${shown} ${shown === '1.0' ? 'message' : 'messages'} a week, ${words}.`;
}
