import * as z from 'zod';
import { typeName } from '../../lambdas/events/schemas.ts';
import type { Backlog as KeptBacklog } from '../../lambdas/notify/kept-messages.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import type { SweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import { HOUR_MS } from '../../lambdas/run/clock.ts';

const SHARE_WINDOW = 6 * HOUR_MS;

const windowOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ since: z.number(), ...shape });

/** What is known of the runs of one catalogue, as it is stored; times in milliseconds since the epoch. */
export const alarmFactsSchema = z.object({
  failures: z.number(),
  failingSince: z.number().nullable(),
  postponed: z.number(),
  failedSweeps: z.number(),
  /** Runs in a row that failed to prove versions, and the first of them. */
  failedProofs: z.number(),
  proofsFailingSince: z.number().nullable(),
  /** When rows were last read that were new. */
  lastNew: z.number(),
  quarantinedAt: z.number().nullable(),
  /** When events were last corrected. */
  correctedAt: z.number().nullable(),
  share: windowOf({ read: z.number(), unclassified: z.number() }),
  /** Responses with HTTP 429 of the last hour. */
  throttledAt: z.array(z.number()),
  /** Events of an hour, and whether the hour before had too many. */
  volume: windowOf({ events: z.number() }),
});
export type AlarmFacts = z.output<typeof alarmFactsSchema>;

/** How many messages were set aside, or fail at present. */
export type Backlog = Omit<KeptBacklog, 'begun'>;

/** What a run came to. `throttled`: the responses with HTTP 429 that it got. */
export type Run =
  | {
      readonly kind: 'polled';
      readonly report: PollReport;
      readonly throttled: number;
      /** Whether no poll of this process has read the log yet. */
      readonly isFirst: boolean;
    }
  | { readonly kind: 'poll failed'; readonly error: unknown; readonly throttled: number }
  | { readonly kind: 'swept'; readonly report: SweepReport }
  | { readonly kind: 'sweep failed'; readonly error: unknown }
  | { readonly kind: 'proved'; readonly report: ProofReport }
  | { readonly kind: 'proof failed'; readonly error: unknown }
  | { readonly kind: 'unsent'; readonly backlog: Backlog };

/** The facts before the first run. */
export const blankFacts = (now: number): AlarmFacts => ({
  failures: 0,
  failingSince: null,
  postponed: 0,
  failedSweeps: 0,
  failedProofs: 0,
  proofsFailingSince: null,
  lastNew: now,
  quarantinedAt: null,
  correctedAt: null,
  share: { since: now, read: 0, unclassified: 0 },
  throttledAt: [],
  volume: { since: now, events: 0 },
});

/** The facts after a run. */
export function factsAfter(facts: AlarmFacts, run: Run, now: number): AlarmFacts {
  switch (run.kind) {
    case 'polled':
      return afterPoll(withThrottled(facts, run.throttled, now), run.report, now);
    case 'poll failed':
      return {
        ...withThrottled(facts, run.throttled, now),
        failures: facts.failures + 1,
        failingSince: facts.failingSince ?? now,
      };
    case 'swept':
      return { ...facts, failedSweeps: 0 };
    case 'sweep failed':
      return { ...facts, failedSweeps: facts.failedSweeps + 1 };
    case 'proved':
      return {
        ...facts,
        failedProofs: 0,
        proofsFailingSince: null,
        correctedAt: run.report.corrected > 0 ? now : facts.correctedAt,
      };
    case 'proof failed':
      return {
        ...facts,
        failedProofs: facts.failedProofs + 1,
        proofsFailingSince: facts.proofsFailingSince ?? now,
      };
    case 'unsent':
      return facts;
    default:
      return run satisfies never;
  }
}

function withThrottled(facts: AlarmFacts, throttled: number, now: number): AlarmFacts {
  const recent = facts.throttledAt.filter((at) => now - at < HOUR_MS);
  return { ...facts, throttledAt: [...recent, ...Array.from({ length: throttled }, () => now)] };
}

function afterPoll(facts: AlarmFacts, report: PollReport, now: number): AlarmFacts {
  if (report.outcome === 'postponed') return { ...facts, postponed: facts.postponed + 1 };
  const { activities, quarantined, events, outcome } = report;
  const unclassified = (events[typeName('activity.unclassified')] ?? 0) - quarantined;
  const published = Object.values(events).reduce((sum, count) => sum + count, 0);
  const share = isOver(facts.share, now) ? { since: now, read: 0, unclassified: 0 } : facts.share;
  const volume = now - facts.volume.since >= HOUR_MS ? { since: now, events: 0 } : facts.volume;
  return {
    ...facts,
    failures: 0,
    failingSince: null,
    postponed: 0,
    lastNew: activities > 0 || outcome === 'begun' ? now : facts.lastNew,
    quarantinedAt: quarantined > 0 ? now : facts.quarantinedAt,
    share: {
      since: share.since,
      read: share.read + activities,
      unclassified: share.unclassified + unclassified,
    },
    volume: { since: volume.since, events: volume.events + published },
  };
}

/** Whether the period over which texts are counted has ended. */
export const isOver = ({ since }: AlarmFacts['share'], now: number): boolean => now - since >= SHARE_WINDOW;
