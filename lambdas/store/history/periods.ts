import { later } from '../../run/instant.ts';
import type { Coverage } from './history.ts';

type Period = Pick<Coverage, 'since' | 'until'>;

/** Periods with one more among them; those that touch or overlap become one, an empty one adds nothing. Oldest first. */
export function withPeriod(periods: readonly Period[], added: Period): readonly Period[] {
  if (added.since === added.until) return periods;
  const merged: Period[] = [];
  const ordered = [...periods, added].sort((one, other) => Number(one.since - other.since));
  for (const { since, until } of ordered) {
    const last = merged.at(-1);
    if (last && since <= last.until) merged[merged.length - 1] = { ...last, until: later(last.until, until) };
    else merged.push({ since, until });
  }
  return merged;
}

/** The parts of a period that none of the covered periods, oldest first, holds. */
export function gapsIn(wanted: Period, covered: readonly Period[]): readonly Period[] {
  const gaps: Period[] = [];
  let from = wanted.since;
  for (const { since, until } of covered) {
    if (since >= wanted.until) break;
    if (since > from) gaps.push({ since: from, until: since });
    from = later(from, until);
  }
  if (from < wanted.until) gaps.push({ since: from, until: wanted.until });
  return gaps;
}
