import type { Clock } from '../../lambdas/clock/clock.ts';
import { typeName } from '../../lambdas/events/schemas.ts';
import type { AlarmChange } from '../../lambdas/messages/alarm.ts';
import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import type { AnomalyName } from '../../lambdas/poll/anomalies.ts';
import { refusalCodes } from '../../lambdas/poll/measure.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { SweepReport } from '../../lambdas/sweep/sweep-report.ts';
import type { AlarmId } from '../../lib/alarm-rule.ts';
import type { AlarmSettings } from '../../lib/settings.ts';
import { reasonOf } from '../sweep-summary.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** The period over which unrecognised texts are counted. */
const SHARE_WINDOW = 6 * HOUR;
/** Fewer unrecognised texts are not a new wording yet. */
const FEWEST_UNCLASSIFIED = 3;
const FAILED_SWEEPS = 3;

/** What is known of the runs of one catalogue; times in milliseconds since the epoch. */
export interface AlarmState {
  readonly failures: number;
  readonly failingSince: number | null;
  readonly postponed: number;
  readonly failedSweeps: number;
  /** When rows were last read that were new. */
  readonly lastNew: number;
  readonly quarantinedAt: number | null;
  readonly share: { readonly since: number; readonly read: number; readonly unclassified: number };
  /** The last change of each alarm, and whether the outbox has it. */
  readonly alarms: Readonly<
    Partial<Record<AlarmId, { readonly change: AlarmChange; readonly announced: boolean }>>
  >;
}

const anomalyAlarms: Readonly<Partial<Record<AnomalyName, AlarmId>>> = {
  'log-behind-mark': 'log-behind-mark',
  'log-shrunken': 'feed-shrunken',
  'rows-from-the-future': 'rows-from-the-future',
};

/** Leads to the same section of the runbook as the alarm of a deployment. */
const whatToDo = (alarm: AlarmId, { runbook }: AlarmSettings): string =>
  `What to do: ${runbook === undefined ? `"${alarm}" in docs/runbook.md` : `${runbook}#${alarm}`}`;

export interface AlarmConditionOptions {
  readonly catalogue: string;
  readonly limits: AlarmSettings;
  /** The day on which the credential expires, as `2027-03-31`. */
  readonly credentialExpires?: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** Gives the state of the alarms after each kind of run, from the state before it. */
interface AlarmConditions {
  /** The state before the first run. */
  blank(): AlarmState;
  /** @param options `isFirst`: no poll of this process has read the log yet */
  polled(state: AlarmState, report: PollReport, options: { readonly isFirst: boolean }): AlarmState;
  pollFailed(state: AlarmState, error: unknown): AlarmState;
  swept(state: AlarmState, report: SweepReport): AlarmState;
  sweepFailed(state: AlarmState, error: unknown): AlarmState;
  unsent(state: AlarmState, backlog: Backlog): AlarmState;
}

/** How many messages were set aside, or fail at present. */
export interface Backlog {
  readonly setAside: number;
  readonly failing: number;
}

interface Condition {
  readonly wrong: boolean;
  /** What was seen, in a sentence; of a recovery too. */
  readonly detail?: string;
  /** When it began; now where absent. */
  readonly since?: number | null;
}

/** The conditions of the alarms of one catalogue, by the limits of the settings. */
export function alarmConditions(options: AlarmConditionOptions): AlarmConditions {
  const { catalogue, limits, credentialExpires, clock } = options;
  const now = (): number => clock.now();

  /** Raises or ends an alarm where its condition changed. */
  function turn(state: AlarmState, alarm: AlarmId, { wrong, detail, since }: Condition): AlarmState {
    const raised = state.alarms[alarm]?.change.state === 'alarm';
    if (raised === wrong) return state;
    const change: AlarmChange = {
      alarm,
      catalogue: alarm === 'unsent-messages' ? null : catalogue,
      state: wrong ? 'alarm' : 'ok',
      description: wrong ? whatToDo(alarm, limits) : '',
      ...(detail !== undefined && { detail: cleanLine(detail, 600) }),
      at: new Date((wrong ? since : null) ?? now()).toISOString(),
    };
    return { ...state, alarms: { ...state.alarms, [alarm]: { change, announced: false } } };
  }

  function withDates(state: AlarmState): AlarmState {
    const quietMs = now() - state.lastNew;
    const quiet = turn(state, 'feed-quiet', {
      wrong: quietMs >= limits.quietDays * DAY,
      detail: `The last new change was read ${Math.floor(quietMs / DAY)} days ago.`,
      since: state.lastNew,
    });
    if (credentialExpires === undefined) return quiet;
    const daysLeft = (Date.parse(credentialExpires) - now()) / DAY;
    const expiring = daysLeft < limits.credentialDays;
    return turn(quiet, 'credential-expiring', {
      wrong: expiring,
      detail: expiring
        ? `The credential expires on ${credentialExpires}, ${daysLeft < 1 ? 'at most one day from now' : `in ${Math.floor(daysLeft)} days`}.`
        : `The credential is valid until ${credentialExpires}.`,
    });
  }

  function withTexts(state: AlarmState, report: PollReport): AlarmState {
    const at = now();
    const unclassified = (report.events[typeName('activity.unclassified')] ?? 0) - report.quarantined;
    const over = at - state.share.since >= SHARE_WINDOW;
    const isHigh = ({ read, unclassified: count }: AlarmState['share']): boolean =>
      count >= FEWEST_UNCLASSIFIED && 100 * count > limits.unclassifiedPercent * read;
    const before = over ? { since: at, read: 0, unclassified: 0 } : state.share;
    const share = {
      since: before.since,
      read: before.read + report.activities,
      unclassified: before.unclassified + unclassified,
    };
    const next = { ...state, share };
    const high = isHigh(share);
    // The alarm ends with the first whole period whose share is low.
    if (!high && !(over && !isHigh(state.share))) return next;
    return turn(next, 'unclassified-share', {
      wrong: high,
      ...(high && {
        detail: `${share.unclassified} of the last ${share.read} changes have a text that no template matches.`,
      }),
    });
  }

  function withQuarantine(state: AlarmState, { quarantined }: PollReport): AlarmState {
    const at = now();
    const quarantinedAt = quarantined > 0 ? at : state.quarantinedAt;
    const wrong = quarantinedAt !== null && at - quarantinedAt < HOUR;
    return turn({ ...state, quarantinedAt: wrong ? quarantinedAt : null }, 'rows-quarantined', {
      wrong,
      detail: `${quarantined} ${quarantined === 1 ? 'row' : 'rows'} could not be read.`,
    });
  }

  function withLag(state: AlarmState, report: PollReport, comparable: boolean): AlarmState {
    if (!comparable || report.lagSeconds === null || report.late === report.activities) return state;
    return turn(state, 'lag-growing', {
      wrong: report.lagSeconds > limits.lagMinutes * 60,
      detail: `The newest change was read ${Math.round(report.lagSeconds / 60)} minutes after it was made.`,
    });
  }

  return {
    blank: () => ({
      failures: 0,
      failingSince: null,
      postponed: 0,
      failedSweeps: 0,
      lastNew: now(),
      quarantinedAt: null,
      share: { since: now(), read: 0, unclassified: 0 },
      alarms: {},
    }),
    polled(state, report, { isFirst }) {
      if (report.outcome === 'postponed') {
        const postponed = state.postponed + 1;
        return withDates(
          turn({ ...state, postponed }, 'catalogue-throttling', {
            wrong: postponed >= limits.silentPolls,
            detail: `It asked not to be read before ${new Date(report.notBefore ?? 0).toISOString()}.`,
          }),
        );
      }
      // After a time without polls, the lag says nothing about the catalogue.
      const comparable = !isFirst && state.failures === 0 && state.postponed === 0;
      const read = report.activities;
      const caughtUp =
        read > 0
          ? `${read} ${read === 1 ? 'change was' : 'changes were'} caught up.`
          : 'No change was missed.';
      let next: AlarmState = {
        ...state,
        failures: 0,
        failingSince: null,
        postponed: 0,
        lastNew: read > 0 || report.outcome === 'begun' ? now() : state.lastNew,
      };
      next = turn(next, 'runs-failing', { wrong: false, detail: caughtUp });
      for (const alarm of ['credential-refused', 'feed-empty', 'catalogue-throttling'] as const)
        next = turn(next, alarm, { wrong: false });
      for (const [anomaly, alarm] of Object.entries(anomalyAlarms))
        next = turn(next, alarm, { wrong: report.anomalies.includes(anomaly as AnomalyName) });
      return withDates(withLag(withQuarantine(withTexts(next, report), report), report, comparable));
    },
    pollFailed(state, error) {
      const failures = state.failures + 1;
      const failingSince = state.failingSince ?? now();
      const code = codeOf(error);
      const detail = `The last ${failures === 1 ? 'poll' : `${failures} polls`} failed. The last error: ${messageOf(error)}`;
      const failing = { ...state, failures, failingSince };
      if (refusalCodes.includes(code))
        return withDates(turn(failing, 'credential-refused', { wrong: true, detail, since: failingSince }));
      if (code === 'LOG_EMPTY')
        return withDates(turn(failing, 'feed-empty', { wrong: true, since: failingSince }));
      if (failures < limits.silentPolls) return withDates(failing);
      return withDates(turn(failing, 'runs-failing', { wrong: true, detail, since: failingSince }));
    },
    swept(state, report) {
      const { outcome } = report;
      const next = turn({ ...state, failedSweeps: 0 }, 'sweeps-failing', { wrong: false });
      return turn(next, 'listing-refused', {
        wrong: outcome === 'refused',
        ...(outcome === 'refused' && { detail: `Nothing was published: ${reasonOf(report)}.` }),
      });
    },
    sweepFailed(state, error) {
      const failedSweeps = state.failedSweeps + 1;
      const next = { ...state, failedSweeps };
      if (failedSweeps < FAILED_SWEEPS) return next;
      return turn(next, 'sweeps-failing', {
        wrong: true,
        detail: `The last ${failedSweeps} sweeps failed. The last error: ${messageOf(error)}`,
      });
    },
    unsent: (state, { setAside, failing }) =>
      setAside > 0 || failing === 0
        ? turn(state, 'unsent-messages', {
            wrong: setAside > 0,
            ...(setAside > 0 && { detail: 'The next start of “watch” tries it again.' }),
          })
        : state,
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
