import type { Clock } from '../../lambdas/clock/clock.ts';
import { typeName } from '../../lambdas/events/schemas.ts';
import type { AlarmChange } from '../../lambdas/messages/alarm.ts';
import { cleanLine } from '../../lambdas/messages/clean-text.ts';
import type { OutboxStore } from '../../lambdas/notify/outbox-store.ts';
import type { AnomalyName } from '../../lambdas/poll/anomalies.ts';
import { refusalCodes } from '../../lambdas/poll/measure.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { SweepReport } from '../../lambdas/sweep/sweep-report.ts';
import type { AlarmId } from '../../lib/alarm-rule.ts';
import type { AlarmSettings } from '../../lib/settings.ts';

interface OwnAlarmOptions {
  readonly store: OutboxStore;
  readonly catalogue: string;
  readonly limits: AlarmSettings;
  /** The day on which the credential expires, as `2027-03-31`. */
  readonly credentialExpires?: string | undefined;
  readonly clock: Pick<Clock, 'now'>;
  /** Takes a change in; the same change twice does nothing. */
  readonly announce: (change: AlarmChange) => Promise<void>;
}

/**
 * Raises and ends the alarms of a run on one machine, by the limits of the settings, as CloudWatch does for a
 * deployment. Its state is stored, so that a restart neither repeats nor forgets a message.
 */
export interface OwnAlarms {
  polled(report: PollReport): Promise<void>;
  pollFailed(error: unknown): Promise<void>;
  swept(report: SweepReport): Promise<void>;
  sweepFailed(error: unknown): Promise<void>;
  /** How many messages were set aside, or fail at present. */
  unsent(backlog: { readonly setAside: number; readonly failing: number }): Promise<void>;
}

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
/** The period over which unrecognised texts are counted. */
const SHARE_WINDOW = 6 * HOUR;
/** Fewer unrecognised texts are not a new wording yet. */
const FEWEST_UNCLASSIFIED = 3;
const FAILED_SWEEPS = 3;

interface Known {
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

/** Opens the alarms of one catalogue, in the state in which an earlier run left them. */
export function createOwnAlarms(options: OwnAlarmOptions): OwnAlarms {
  const { store, catalogue, limits, credentialExpires, clock, announce } = options;
  const place = { partition: 'notify#operations#own-alarms', id: catalogue };
  let firstPoll = true;

  const blank = (): Known => ({
    failures: 0,
    failingSince: null,
    postponed: 0,
    failedSweeps: 0,
    lastNew: clock.now(),
    quarantinedAt: null,
    share: { since: clock.now(), read: 0, unclassified: 0 },
    alarms: {},
  });

  /** Changes the stored state, then announces alarms that changed, with those that a killed process did not announce. */
  async function update(change: (known: Known) => Known): Promise<void> {
    const item = await store.get(place.partition, place.id);
    const before = (item?.value as Known | undefined) ?? blank();
    const after = change(before);
    if (!item) await store.create({ ...place, value: after });
    else if (JSON.stringify(before) !== JSON.stringify(after)) await store.replace({ ...item, value: after });
    const pending = Object.values(after.alarms).filter(({ announced }) => !announced);
    if (pending.length === 0) return;
    for (const { change: each } of pending) await announce(each);
    const announced = Object.fromEntries(
      Object.entries(after.alarms).map(([id, alarm]) => [id, { ...alarm, announced: true }]),
    );
    const stored = await store.get(place.partition, place.id);
    if (stored) await store.replace({ ...stored, value: { ...after, alarms: announced } });
  }

  interface Condition {
    readonly wrong: boolean;
    /** What was seen, in a sentence; of a recovery too. */
    readonly detail?: string;
    /** When it began; now where absent. */
    readonly since?: number | null;
  }

  /** Raises or ends an alarm where its condition changed. */
  function turn(known: Known, alarm: AlarmId, { wrong, detail, since }: Condition): Known {
    const raised = known.alarms[alarm]?.change.state === 'alarm';
    if (raised === wrong) return known;
    const change: AlarmChange = {
      alarm,
      catalogue: alarm === 'unsent-messages' ? null : catalogue,
      state: wrong ? 'alarm' : 'ok',
      description: wrong ? whatToDo(alarm, limits) : '',
      ...(detail !== undefined && { detail: cleanLine(detail, 600) }),
      at: new Date((wrong ? since : null) ?? clock.now()).toISOString(),
    };
    return { ...known, alarms: { ...known.alarms, [alarm]: { change, announced: false } } };
  }

  function withDates(known: Known): Known {
    const quietMs = clock.now() - known.lastNew;
    const quiet = turn(known, 'feed-quiet', {
      wrong: quietMs >= limits.quietDays * DAY,
      detail: `The last new change was read ${Math.floor(quietMs / DAY)} days ago.`,
      since: known.lastNew,
    });
    if (credentialExpires === undefined) return quiet;
    const daysLeft = (Date.parse(credentialExpires) - clock.now()) / DAY;
    const expiring = daysLeft < limits.credentialDays;
    return turn(quiet, 'credential-expiring', {
      wrong: expiring,
      detail: expiring
        ? `The credential expires on ${credentialExpires}, ${daysLeft < 1 ? 'at most one day from now' : `in ${Math.floor(daysLeft)} days`}.`
        : `The credential is valid until ${credentialExpires}.`,
    });
  }

  function withTexts(known: Known, report: PollReport): Known {
    const now = clock.now();
    const unclassified = (report.events[typeName('activity.unclassified')] ?? 0) - report.quarantined;
    const over = now - known.share.since >= SHARE_WINDOW;
    const isHigh = ({ read, unclassified: count }: Known['share']): boolean =>
      count >= FEWEST_UNCLASSIFIED && 100 * count > limits.unclassifiedPercent * read;
    const before = over ? { since: now, read: 0, unclassified: 0 } : known.share;
    const share = {
      since: before.since,
      read: before.read + report.activities,
      unclassified: before.unclassified + unclassified,
    };
    const next = { ...known, share };
    const high = isHigh(share);
    // The alarm ends with the first whole period whose share is low.
    if (!high && !(over && !isHigh(known.share))) return next;
    return turn(next, 'unclassified-share', {
      wrong: high,
      ...(high && {
        detail: `${share.unclassified} of the last ${share.read} changes have a text that no template matches.`,
      }),
    });
  }

  function withQuarantine(known: Known, { quarantined }: PollReport): Known {
    const now = clock.now();
    const quarantinedAt = quarantined > 0 ? now : known.quarantinedAt;
    const wrong = quarantinedAt !== null && now - quarantinedAt < HOUR;
    return turn({ ...known, quarantinedAt: wrong ? quarantinedAt : null }, 'rows-quarantined', {
      wrong,
      detail: `${quarantined} ${quarantined === 1 ? 'row' : 'rows'} could not be read.`,
    });
  }

  function withLag(known: Known, report: PollReport, comparable: boolean): Known {
    if (!comparable || report.lagSeconds === null || report.late === report.activities) return known;
    return turn(known, 'lag-growing', {
      wrong: report.lagSeconds > limits.lagMinutes * 60,
      detail: `The newest change was read ${Math.round(report.lagSeconds / 60)} minutes after it was made.`,
    });
  }

  return {
    polled: (report) =>
      update((known) => {
        if (report.outcome === 'postponed') {
          const postponed = known.postponed + 1;
          return withDates(
            turn({ ...known, postponed }, 'catalogue-throttling', {
              wrong: postponed >= limits.silentPolls,
              detail: `It asked not to be read before ${new Date(report.notBefore ?? 0).toISOString()}.`,
            }),
          );
        }
        // After a time without polls, the lag says nothing about the catalogue.
        const comparable = !firstPoll && known.failures === 0 && known.postponed === 0;
        firstPoll = false;
        const read = report.activities;
        const caughtUp =
          read > 0
            ? `${read} ${read === 1 ? 'change was' : 'changes were'} caught up.`
            : 'No change was missed.';
        let next: Known = {
          ...known,
          failures: 0,
          failingSince: null,
          postponed: 0,
          lastNew: read > 0 || report.outcome === 'begun' ? clock.now() : known.lastNew,
        };
        next = turn(next, 'runs-failing', { wrong: false, detail: caughtUp });
        for (const alarm of ['credential-refused', 'feed-empty', 'catalogue-throttling'] as const)
          next = turn(next, alarm, { wrong: false });
        for (const [anomaly, alarm] of Object.entries(anomalyAlarms))
          next = turn(next, alarm, { wrong: report.anomalies.includes(anomaly as AnomalyName) });
        return withDates(withLag(withQuarantine(withTexts(next, report), report), report, comparable));
      }),
    pollFailed: (error) =>
      update((known) => {
        const failures = known.failures + 1;
        const failingSince = known.failingSince ?? clock.now();
        const code = codeOf(error);
        const detail = `The last ${failures === 1 ? 'poll' : `${failures} polls`} failed. The last error: ${messageOf(error)}`;
        const failing = { ...known, failures, failingSince };
        if (refusalCodes.includes(code))
          return withDates(turn(failing, 'credential-refused', { wrong: true, detail, since: failingSince }));
        if (code === 'LOG_EMPTY')
          return withDates(turn(failing, 'feed-empty', { wrong: true, since: failingSince }));
        if (failures < limits.silentPolls) return withDates(failing);
        return withDates(turn(failing, 'runs-failing', { wrong: true, detail, since: failingSince }));
      }),
    swept: ({ outcome }) =>
      update((known) => {
        const next = turn({ ...known, failedSweeps: 0 }, 'sweeps-failing', { wrong: false });
        return turn(next, 'listing-refused', { wrong: outcome === 'refused' });
      }),
    sweepFailed: (error) =>
      update((known) => {
        const failedSweeps = known.failedSweeps + 1;
        const next = { ...known, failedSweeps };
        if (failedSweeps < FAILED_SWEEPS) return next;
        return turn(next, 'sweeps-failing', {
          wrong: true,
          detail: `The last ${failedSweeps} sweeps failed. The last error: ${messageOf(error)}`,
        });
      }),
    unsent: ({ setAside, failing }) =>
      update((known) =>
        setAside > 0 || failing === 0
          ? turn(known, 'unsent-messages', {
              wrong: setAside > 0,
              ...(setAside > 0 && { detail: 'The next start of “watch” tries it again.' }),
            })
          : known,
      ),
  };
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
