import type { ClockDifferences } from './clock-differences.ts';
import type { Finding } from './finding.ts';

/** Dates in HTTP are whole seconds, and a response takes time. */
const TOLERATED_MS = 30_000;
/** Beyond this, services take tokens and signed requests for expired or not yet valid. */
const HARMFUL_MS = 5 * 60_000;

/** Checks the clock of this machine against those of the services. */
export function checkClock(differences: ClockDifferences): Finding {
  const check = 'clock';
  const [largest] = [...differences].sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  if (!largest) return { check, outcome: 'skipped', text: 'No service stated its time.' };
  const [service, difference] = largest;
  const seconds = Math.round(Math.abs(difference) / 1000);
  if (Math.abs(difference) <= TOLERATED_MS) {
    return { check, outcome: 'ok', text: 'The clock of this machine agrees with the services.' };
  }
  const text = `The clock of this machine is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} that of ${service}. Set it by NTP.`;
  return { check, outcome: Math.abs(difference) > HARMFUL_MS ? 'failed' : 'warning', text };
}
