import * as z from 'zod';
import { typeName } from '../../lambdas/events/schemas.ts';
import type { Backlog as KeptBacklog } from '../../lambdas/notify/kept-messages.ts';
import { versionNamed } from '../../lambdas/panels/version-state.ts';
import type { AnomalyName, PollReport } from '../../lambdas/poll/report.ts';
import { refusalCodes } from '../../lambdas/poll/report.ts';
import type { ProofReport } from '../../lambdas/reconcile/proof-options.ts';
import type { SweepReport } from '../../lambdas/reconcile/sweep-report.ts';
import {
  type AlarmLimits,
  FEWEST_UNCLASSIFIED,
  type OwnAlarmId,
  SILENT_PROOFS,
  SILENT_SWEEPS,
  THROTTLED_IN_AN_HOUR,
  whatToDo,
} from '../../lambdas/run/alarm-kinds.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../../lambdas/run/clock.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { type AlarmChange, alarmChangeSchema } from '../../lambdas/words/notice-of-alarm.ts';
import { reasonOf } from '../sweep-summary.ts';

const SHARE_WINDOW = 6 * HOUR_MS;

const windowOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object({ since: z.number(), ...shape });

/** What is known of the runs of one catalogue, as it is stored; times in milliseconds since the epoch. */
const alarmFactsSchema = z.object({
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
type AlarmFacts = z.output<typeof alarmFactsSchema>;

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

const blankFacts = (now: number): AlarmFacts => ({
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

function factsAfter(facts: AlarmFacts, run: Run, now: number): AlarmFacts {
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
const isOver = ({ since }: AlarmFacts['share'], now: number): boolean => now - since >= SHARE_WINDOW;

interface Condition {
  readonly wrong: boolean;
  /** What was seen, in a sentence; of a recovery too. */
  readonly detail?: string;
  /** When it began; now where absent. */
  readonly since?: number | null;
}

interface Situation {
  readonly run: Run;
  readonly before: AlarmFacts;
  readonly facts: AlarmFacts;
  readonly limits: AlarmLimits;
  /** The day on which the credential expires, as `2027-03-31`. */
  readonly credentialExpires: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** What a run says about an alarm; null where it says nothing. */
type Conditional = (situation: Situation) => Condition | null;

/** The alarms that a run on one machine raises, each by the limits of the settings, as CloudWatch does. */
const ownConditions: Readonly<Record<OwnAlarmId, Conditional>> = {
  'no-successful-poll': ({ run, facts, limits }) => {
    if (run.kind === 'polled') {
      const { outcome, activities, notBefore } = run.report;
      if (outcome !== 'postponed') return { wrong: false, detail: caughtUp(activities) };
      if (facts.postponed < limits.silentPolls) return null;
      const until = new Date(notBefore ?? 0).toISOString();
      return { wrong: true, detail: `The catalogue asked not to be read before ${until}.` };
    }
    if (run.kind !== 'poll failed' || facts.failures < limits.silentPolls) return null;
    const code = codeOf(run.error);
    // These have alarms of their own.
    if (refusalCodes.includes(code) || code === 'LOG_EMPTY') return null;
    return { wrong: true, detail: failed(facts, run.error), since: facts.failingSince };
  },
  'lag-growing': ({ run, before, limits }) => {
    if (!readTheLog(run)) return null;
    const { lagSeconds, late, activities } = run.report;
    // After a time without polls, the lag says nothing about the catalogue.
    const comparable = !run.isFirst && before.failures === 0 && before.postponed === 0;
    if (!comparable || lagSeconds === null || late === activities) return null;
    return {
      wrong: lagSeconds > limits.lagMinutes * 60,
      detail: `The newest change was read ${Math.round(lagSeconds / 60)} minutes after it was made.`,
    };
  },
  'feed-empty': ({ run, facts }) => {
    if (readTheLog(run)) return { wrong: false };
    const isEmpty = run.kind === 'poll failed' && codeOf(run.error) === 'LOG_EMPTY';
    return isEmpty ? { wrong: true, since: facts.failingSince } : null;
  },
  'feed-shrunken': whereThePollFound('log-shrunken'),
  'log-behind-mark': whereThePollFound('log-behind-mark'),
  'rows-from-the-future': whereThePollFound('rows-from-the-future'),
  'feed-quiet': ({ run, facts, limits, now }) => {
    if (!isPoll(run)) return null;
    const quietMs = now - facts.lastNew;
    return {
      wrong: quietMs >= limits.quietDays * DAY_MS,
      detail: `The last new change was read ${Math.floor(quietMs / DAY_MS)} days ago.`,
      since: facts.lastNew,
    };
  },
  'volume-high': ({ run, before, facts, limits }) => {
    if (!readTheLog(run)) return null;
    const { events } = facts.volume;
    if (events > limits.eventsPerHour) {
      return { wrong: true, detail: `${events} events were published within an hour.` };
    }
    // The alarm ends with the first whole hour that has fewer.
    const isNewHour = facts.volume.since !== before.volume.since;
    return isNewHour && before.volume.events <= limits.eventsPerHour ? { wrong: false } : null;
  },
  'unclassified-share': ({ run, before, facts, limits, now }) => {
    if (!readTheLog(run)) return null;
    const isHigh = ({ read, unclassified }: AlarmFacts['share']): boolean =>
      unclassified >= FEWEST_UNCLASSIFIED && 100 * unclassified > limits.unclassifiedPercent * read;
    const { read, unclassified } = facts.share;
    if (isHigh(facts.share)) {
      const detail = `${unclassified} of the last ${read} changes have a text that no template matches.`;
      return { wrong: true, detail };
    }
    // The alarm ends with the first whole period whose share is low.
    return isOver(before.share, now) && !isHigh(before.share) ? { wrong: false } : null;
  },
  'rows-quarantined': ({ run, facts, now }) => {
    if (!readTheLog(run)) return null;
    const { quarantined } = run.report;
    return {
      wrong: isWithinHour(facts.quarantinedAt, now),
      detail: `${quarantined} ${quarantined === 1 ? 'row' : 'rows'} could not be read.`,
    };
  },
  'sweeps-failing': ({ run, facts }) => {
    if (run.kind === 'swept') return { wrong: false };
    if (run.kind !== 'sweep failed' || facts.failedSweeps < SILENT_SWEEPS) return null;
    const detail = `The last ${facts.failedSweeps} sweeps failed. The last error: ${messageOf(run.error)}`;
    return { wrong: true, detail };
  },
  'listing-refused': ({ run }) => {
    if (run.kind !== 'swept') return null;
    return run.report.outcome === 'refused' || run.report.refusal !== null
      ? { wrong: true, detail: `Nothing was published: ${reasonOf(run.report)}.` }
      : { wrong: false };
  },
  'proofs-failing': ({ run, facts, now }) => {
    if (run.kind === 'proved') return { wrong: false };
    if (run.kind !== 'proof failed' || facts.failedProofs < SILENT_PROOFS) return null;
    // Here they are as frequent as polls: what passes within the hour is not worth a message.
    const since = facts.proofsFailingSince ?? now;
    if (now - since < HOUR_MS) return null;
    const detail = `The last ${facts.failedProofs} runs failed. The last error: ${messageOf(run.error)}`;
    return { wrong: true, detail, since };
  },
  'versions-unproven': ({ run }) => {
    if (run.kind !== 'proved') return null;
    const { unprovenForADay: count, oldestUnproven, refused, statesOff } = run.report;
    if (statesOff) {
      const detail =
        'The catalogue has served no states of panels for hours. It is asked again within a week, and at once by "gene-panel-notifier verify" or on the page “Watcher”; what was missed is read then.';
      return { wrong: true, detail };
    }
    if (refused) {
      const detail =
        'Many panels changed at once without a row. Look at the catalogue before you act on them.';
      return { wrong: true, detail };
    }
    if (count === 0) return { wrong: false };
    const others = count > 1 ? ` and ${count - 1} more` : '';
    const named = oldestUnproven ? `${versionNamed(oldestUnproven)}${others}: ${oldestUnproven.why}.` : '';
    return { wrong: true, detail: named };
  },
  'events-corrected': ({ run, facts, now }) => {
    if (run.kind !== 'proved') return null;
    const { corrected } = run.report;
    return {
      wrong: isWithinHour(facts.correctedAt, now),
      ...(corrected > 0 && {
        detail: `${corrected} ${corrected === 1 ? 'event was' : 'events were'} corrected.`,
      }),
    };
  },
  'catalogue-throttling': ({ run, facts }) =>
    isPoll(run)
      ? {
          wrong: facts.throttledAt.length >= THROTTLED_IN_AN_HOUR,
          detail: `It answered 429 ${facts.throttledAt.length} times within an hour.`,
        }
      : null,
  'credential-refused': ({ run, facts }) => {
    if (readTheLog(run)) return { wrong: false };
    if (run.kind !== 'poll failed' || !refusalCodes.includes(codeOf(run.error))) return null;
    return { wrong: true, detail: failed(facts, run.error), since: facts.failingSince };
  },
  'credential-expiring': ({ run, credentialExpires, limits, now }) => {
    if (!isPoll(run) || credentialExpires === undefined) return null;
    const daysLeft = (Date.parse(credentialExpires) - now) / DAY_MS;
    const left = daysLeft < 1 ? 'at most one day from now' : `in ${Math.floor(daysLeft)} days`;
    return daysLeft < limits.credentialDays
      ? { wrong: true, detail: `The credential expires on ${credentialExpires}, ${left}.` }
      : { wrong: false, detail: `The credential is valid until ${credentialExpires}.` };
  },
  'unsent-messages': ({ run }) => {
    if (run.kind !== 'unsent') return null;
    const { setAside, failing, orphaned } = run.backlog;
    if (orphaned.length > 0)
      return {
        wrong: true,
        detail: `Messages wait for ${orphaned.join(' and ')}, which the settings no longer have. “gene-panel-notifier messages move” hands them to another channel, “messages drop” drops them.`,
      };
    if (setAside > 0)
      return {
        wrong: true,
        detail: 'It is tried again twice a day. “gene-panel-notifier messages list” says why it failed.',
      };
    return failing === 0 ? { wrong: false } : null;
  },
};

function whereThePollFound(anomaly: AnomalyName): Conditional {
  return ({ run }) => (readTheLog(run) ? { wrong: run.report.anomalies.includes(anomaly) } : null);
}

const isWithinHour = (at: number | null, now: number): boolean => at !== null && now - at < HOUR_MS;

type Polled = Extract<Run, { readonly kind: 'polled' }>;
const isPoll = (run: Run): boolean => run.kind === 'polled' || run.kind === 'poll failed';
const readTheLog = (run: Run): run is Polled => run.kind === 'polled' && run.report.outcome !== 'postponed';

const caughtUp = (read: number): string =>
  read > 0 ? `${read} ${read === 1 ? 'change was' : 'changes were'} caught up.` : 'No change was missed.';

const failed = ({ failures }: AlarmFacts, error: unknown): string =>
  `The last ${failures === 1 ? 'poll' : `${failures} polls`} failed. The last error: ${messageOf(error)}`;

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface OwnAlarmOptions {
  readonly store: ItemStore;
  readonly catalogue: string;
  readonly limits: AlarmLimits;
  /** The day on which the credential expires, as `2027-03-31`. */
  readonly credentialExpires?: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** Takes a change in; the same change twice does nothing. */
  readonly announce: (change: AlarmChange) => Promise<void>;
}

/** Raises and ends the alarms of a run on one machine. */
export type OwnAlarms = ReturnType<typeof createOwnAlarms>;

const stateSchema = alarmFactsSchema.extend({
  alarms: z.record(z.string(), z.object({ change: alarmChangeSchema, announced: z.boolean() })),
});
type AlarmState = z.output<typeof stateSchema>;

/**
 * Opens the alarms of one catalogue, in the state in which an earlier run left them. It is stored, so that a restart neither
 * repeats nor forgets a message.
 */
export function createOwnAlarms(options: OwnAlarmOptions) {
  const { store, catalogue, limits, credentialExpires, clock, announce } = options;
  const place = { partition: 'notify#operations#own-alarms', id: catalogue };

  /** The state after a run, with the alarms whose condition changed. */
  function stateAfter({ alarms, ...before }: AlarmState, run: Run): AlarmState {
    const now = clock.now();
    const facts = factsAfter(before, run, now);
    const changed = { ...alarms };
    for (const [id, conditional] of Object.entries(ownConditions) as [OwnAlarmId, Conditional][]) {
      const condition = conditional({ run, before, facts, limits, credentialExpires, now });
      const raised = alarms[id]?.change.state === 'alarm';
      if (condition === null || condition.wrong === raised) continue;
      const { wrong, detail, since } = condition;
      const change: AlarmChange = {
        alarm: id,
        catalogue: id === 'unsent-messages' ? null : catalogue,
        state: wrong ? 'alarm' : 'ok',
        description: wrong ? whatToDo(id, limits) : '',
        ...(detail !== undefined && { detail: cleanLine(detail, 600) }),
        at: new Date((wrong ? since : null) ?? now).toISOString(),
      };
      changed[id] = { change, announced: false };
    }
    return { ...facts, alarms: changed };
  }

  /**
   * Takes in what a run came to: stores the state that it leads to, then announces alarms that changed, with those that a killed
   * process did not announce.
   */
  async function after(run: Run): Promise<void> {
    const item = await store.get(place.partition, place.id);
    const before = item ? stateSchema.parse(item.value) : { ...blankFacts(clock.now()), alarms: {} };
    const next = stateAfter(before, run);
    if (!item) await store.create({ ...place, value: next });
    else if (JSON.stringify(before) !== JSON.stringify(next)) await store.replace({ ...item, value: next });
    const pending = Object.values(next.alarms).filter(({ announced }) => !announced);
    if (pending.length === 0) return;
    for (const { change: each } of pending) await announce(each);
    const announced = Object.fromEntries(
      Object.entries(next.alarms).map(([id, alarm]) => [id, { ...alarm, announced: true }]),
    );
    const stored = await store.get(place.partition, place.id);
    if (stored) await store.replace({ ...stored, value: { ...next, alarms: announced } });
  }

  return { after };
}
