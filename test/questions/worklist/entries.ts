import type { PanelEvent } from '../../../lambdas/events/schemas.ts';
import { createAskedChanges } from '../../../lambdas/questions/worklist/changes-of-events.ts';
import { type WorklistEntry, worklistOf } from '../../../lambdas/questions/worklist/worklist-of.ts';
import type { WorklistRecord } from '../../../lambdas/questions/worklist/worklist-record.ts';
import {
  defaultWorklist,
  type WorklistSettings,
} from '../../../lambdas/questions/worklist/worklist-settings.ts';
import { type Instant, parseInstant } from '../../../lambdas/run/instant.ts';

export const instant = (text: string): Instant => parseInstant(text) ?? 0n;

const nothingDecided: WorklistRecord = { decisions: [], readings: [], comments: [], assignments: [] };

interface Given {
  readonly record?: WorklistRecord;
  readonly settings?: Partial<WorklistSettings>;
  readonly now?: string;
}

/** The entries that events give, which come oldest first. */
export function entriesOf(events: readonly PanelEvent[], given: Given = {}): readonly WorklistEntry[] {
  const { record = nothingDecided, settings, now = '2026-11-22T09:00:00Z' } = given;
  const all = { ...defaultWorklist, ...settings };
  const builder = createAskedChanges(all);
  for (const event of events) builder.add(event);
  const { changes, signOffs } = builder.result();
  return worklistOf({ changes, signOffs, record, now: instant(now), overdueDays: all.overdueDays });
}

/** The only entry that events give. */
export function entryOf(...[events, given]: Parameters<typeof entriesOf>): WorklistEntry {
  const [entry, ...others] = entriesOf(events, given);
  if (!entry || others.length > 0)
    throw new Error(`Expected one entry, saw ${entry ? others.length + 1 : 0}`);
  return entry;
}
