import * as z from 'zod';
import type { AlarmLimits } from '../../lambdas/run/alarm-kind.ts';
import { type OwnAlarmId, whatToDo } from '../../lambdas/run/alarm-kinds.ts';
import type { Clock } from '../../lambdas/run/clock.ts';
import type { ItemStore } from '../../lambdas/store/items.ts';
import { type AlarmChange, alarmChangeSchema } from '../../lambdas/words/alarm.ts';
import { cleanLine } from '../../lambdas/words/clean-text.ts';
import { ownConditions } from './alarm-conditions.ts';
import { alarmFactsSchema, blankFacts, factsAfter, type Run } from './alarm-facts.ts';

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

/**
 * Raises and ends the alarms of a run on one machine, by the limits of the settings, as CloudWatch does for a
 * deployment. Its state is stored, so that a restart neither repeats nor forgets a message.
 */
export interface OwnAlarms {
  /** Takes in what a run came to. */
  after(run: Run): Promise<void>;
}

/** The last change of each alarm, and whether the outbox has it. */
const stateSchema = alarmFactsSchema.extend({
  alarms: z.record(z.string(), z.object({ change: alarmChangeSchema, announced: z.boolean() })),
});
type AlarmState = z.output<typeof stateSchema>;

/** Opens the alarms of one catalogue, in the state in which an earlier run left them. */
export function createOwnAlarms(options: OwnAlarmOptions): OwnAlarms {
  const { store, catalogue, limits, credentialExpires, clock, announce } = options;
  const place = { partition: 'notify#operations#own-alarms', id: catalogue };

  /** The state after a run, with the alarms whose condition changed. */
  function stateAfter({ alarms, ...before }: AlarmState, run: Run): AlarmState {
    const now = clock.now();
    const facts = factsAfter(before, run, now);
    const changed = { ...alarms };
    for (const [id, conditional] of Object.entries(ownConditions) as [
      OwnAlarmId,
      (typeof ownConditions)[OwnAlarmId],
    ][]) {
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

  /** Stores the state that a run leads to, then announces alarms that changed, with those that a killed process did not announce. */
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
