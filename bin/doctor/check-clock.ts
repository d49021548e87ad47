import type { Finding, Heard } from './finding.ts';

/** Dates in HTTP are whole seconds, and an answer takes a moment. */
const TOLERATED_MS = 30_000;
/** Beyond this, tokens and signed requests are taken for expired or not yet valid. */
const HARMFUL_MS = 5 * 60_000;

/** Whether the clock of this machine agrees with those of the services. */
export function checkClock({ skews }: Heard): Finding {
  const check = 'clock';
  const [furthest] = [...skews].sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  if (!furthest) return { check, outcome: 'skipped', says: 'No service said what time it is.' };
  const [service, skew] = furthest;
  const seconds = Math.round(Math.abs(skew) / 1000);
  if (Math.abs(skew) <= TOLERATED_MS)
    return { check, outcome: 'ok', says: 'The clock here agrees with the services.' };
  const says = `The clock here is ${seconds} s ${skew > 0 ? 'ahead of' : 'behind'} that of ${service}. Set it by NTP.`;
  return { check, outcome: Math.abs(skew) > HARMFUL_MS ? 'failed' : 'warning', says };
}
