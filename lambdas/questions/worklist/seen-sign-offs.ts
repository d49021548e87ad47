import { isBeforeVersion } from '../../events/panel-version.ts';
import { type SignOffEvent, signedVersion } from './sign-off-changes.ts';
import type { WorklistChange } from './worklist-change.ts';
import type { SeenSignOff } from './worklist-entry.ts';

/** The sign-offs of panels that have a change in them, or may have it, by when they were made known. */
export function seenSignOffs(
  events: readonly SignOffEvent[],
): (change: WorklistChange) => readonly SeenSignOff[] {
  const byPanel = Map.groupBy(events, ({ source, data }) => `${source} ${data.panel.id ?? data.panel.name}`);
  return (change) => {
    const { source, panel } = change;
    const all = byPanel.get(`${source} ${panel.id ?? panel.name}`) ?? [];
    const withdrawals = all.filter(({ data }) => !data.change.signedOff);
    return all
      .filter((event) => event.data.change.signedOff && mayHave(event, change))
      .map((event) => ({ ...seenOf(event), isWithdrawn: withdrawals.some((later) => undoes(later, event)) }));
  };
}

/** A sign-off of an earlier version lacks the change, whenever it is made. Where a version is unknown, the times decide. */
function mayHave(event: SignOffEvent, { panel, at, kind, event: own }: WorklistChange): boolean {
  if (event.id === own.id) return false;
  const signed = signedVersion(event);
  const isOfSignOff = /sign-off|signed-off/.test(kind);
  if (signed === null || panel.version === null || isOfSignOff) return (event.time ?? '') > at;
  return !isBeforeVersion(signed, panel.version);
}

function undoes(withdrawal: SignOffEvent, event: SignOffEvent): boolean {
  const version = signedVersion(withdrawal);
  return (
    (withdrawal.time ?? '') > (event.time ?? '') && (version === null || version === signedVersion(event))
  );
}

const seenOf = (event: SignOffEvent): Omit<SeenSignOff, 'isWithdrawn'> => {
  const { signedOffDate, date } = event.data.change;
  return {
    event: event.id,
    at: event.time ?? '',
    version: signedVersion(event),
    countsFrom: signedOffDate ?? date ?? (event.time ?? '').slice(0, 10),
  };
};

/** Whether the day of a sign-off has come. */
export const countsAt = ({ countsFrom }: SeenSignOff, now: string): boolean => countsFrom <= now.slice(0, 10);
