import { compareVersions, inOrder, OPEN_TRANSACTION, timeOf, versionNumbers } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { isSameVersion } from '../panels/panel-versions.ts';
import type { VersionSummary } from '../panels/version-state.ts';
import { earlier, type Instant, later, minutes } from '../run/instant.ts';
import { isAnew, isBreak } from './set-back.ts';

interface States {
  readonly before: VersionSummary;
  readonly after: VersionSummary;
}

/** Until when a state holds the events of a panel. */
const endOf = ({ source, readAt, validTo, validFrom }: VersionSummary): Instant =>
  source === 'present' ? readAt : (validTo ?? validFrom);

/**
 * Whether an event from before a version ended may be of the next one: its row states a higher number, which the panel had before it
 * was set back, or got again.
 */
function mayBeOfSuccessor(states: States, event: PanelEvent): boolean {
  const { before, after } = states;
  const [own, stated] = [versionNumbers(after.version), versionNumbers(event.data.panel?.version ?? '')];
  if (after.validTo === null || !own || !stated || !(isBreak(before, after) || isSameVersion(before, after)))
    return false;
  return compareVersions(own, stated) < 0 && timeOf(event) >= after.validTo - OPEN_TRANSACTION;
}

/**
 * The events that lead from one state of a panel to the next, oldest first. A row names the version that it led to, or
 * under which it was written; that is more certain than its time. Where it names none, or where the panel was set back
 * to an older number, its time decides.
 *
 * @param events of the panel
 */
export function eventsBetween(states: States, events: readonly PanelEvent[]): readonly PanelEvent[] {
  const { before, after } = states;
  const [from, to] = [versionNumbers(before.version), versionNumbers(after.version)];
  const isBack = isBreak(before, after);
  const isWithin = (at: Instant): boolean =>
    at >= (isBack ? endOf(before) : after.validFrom) && (after.validTo === null || at < after.validTo);
  // Earlier rows that state the same number are of the version that the panel had under it before it was set back.
  const ended = (before.validTo ?? before.validFrom) - OPEN_TRANSACTION;
  const earliest = isAnew(before) ? later(before.validFrom, ended) : ended;
  const isNear = (at: Instant): boolean =>
    at >= earliest && (after.validTo === null || at < after.validTo + OPEN_TRANSACTION);
  return inOrder(
    events.filter((event) => {
      const at = timeOf(event);
      const stated = versionNumbers(event.data.panel?.version ?? '');
      // The same version again, at a later moment of it.
      if (isSameVersion(before, after))
        return event.data.panel?.version === after.version && at > before.readAt;
      if (mayBeOfSuccessor(states, event)) return false;
      if (!stated || !from || !to || isBack) return isWithin(at);
      return compareVersions(from, stated) < 0 && compareVersions(stated, to) <= 0 && isNear(at);
    }),
  );
}

/** An archive is made while the next version is saved; its rows are written within this time. */
export const SAVING: Instant = minutes(1 / 12);

/**
 * Whether a state may hold an event from after it: what was read is from that moment or a little later, and an archive from the end
 * of its version, unless the same was read before that.
 */
export function mayHoldAlready({ source, readAt, validTo }: VersionSummary, event: PanelEvent): boolean {
  const shownAt = source === 'present' || validTo === null ? readAt : earlier(readAt, validTo);
  return timeOf(event) < shownAt + minutes(1);
}

/**
 * The events that made the next version, or may have made it, oldest first: the archive may be from after the first of
 * them.
 */
export function eventsOfSuccessor(states: States, events: readonly PanelEvent[]): readonly PanelEvent[] {
  const { before, after } = states;
  const { validTo } = after;
  const own = versionNumbers(after.version);
  if (validTo === null || !own) return [];
  return inOrder(
    events.filter((event) => {
      const stated = versionNumbers(event.data.panel?.version ?? '');
      const at = timeOf(event);
      const { change } = event.data;
      // Where nothing changed, the archive can hold nothing too early.
      if ('direction' in change && change.direction === 'unchanged') return false;
      if (stated === null || compareVersions(own, stated) >= 0 || at >= validTo + SAVING) return false;
      return at >= validTo || (mayBeOfSuccessor(states, event) && at >= endOf(before));
    }),
  );
}
