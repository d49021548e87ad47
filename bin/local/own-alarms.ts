import type { AlarmChange } from '../../lambdas/messages/alarm.ts';
import type { OutboxStore } from '../../lambdas/notify/outbox-store.ts';
import type { PollReport } from '../../lambdas/poll/report.ts';
import type { SweepReport } from '../../lambdas/sweep/sweep-report.ts';
import {
  type AlarmConditionOptions,
  type AlarmState,
  alarmConditions,
  type Backlog,
} from './alarm-conditions.ts';

interface OwnAlarmOptions extends AlarmConditionOptions {
  readonly store: OutboxStore;
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
  unsent(backlog: Backlog): Promise<void>;
}

/** Opens the alarms of one catalogue, in the state in which an earlier run left them. */
export function createOwnAlarms(options: OwnAlarmOptions): OwnAlarms {
  const { store, catalogue, announce } = options;
  const conditions = alarmConditions(options);
  const place = { partition: 'notify#operations#own-alarms', id: catalogue };
  let isFirst = true;

  /** Changes the stored state, then announces alarms that changed, with those that a killed process did not announce. */
  async function update(change: (state: AlarmState) => AlarmState): Promise<void> {
    const item = await store.get(place.partition, place.id);
    const before = (item?.value as AlarmState | undefined) ?? conditions.blank();
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

  return {
    polled: (report) =>
      update((state) => {
        const next = conditions.polled(state, report, { isFirst });
        if (report.outcome !== 'postponed') isFirst = false;
        return next;
      }),
    pollFailed: (error) => update((state) => conditions.pollFailed(state, error)),
    swept: (report) => update((state) => conditions.swept(state, report)),
    sweepFailed: (error) => update((state) => conditions.sweepFailed(state, error)),
    unsent: (backlog) => update((state) => conditions.unsent(state, backlog)),
  };
}
