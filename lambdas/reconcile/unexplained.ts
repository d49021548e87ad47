import { comparePanel } from '../differences/compare.ts';
import type { Difference } from '../differences/difference.ts';
import type { Rating } from '../events/changes.ts';
import { timeOf } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { shownState } from '../panels/shown-state.ts';
import type { VersionState } from '../panels/version-state.ts';
import { type Instant, minutes } from '../run/instant.ts';
import { withoutUnchanged } from './changed-entities.ts';

/** Two states of a panel, one after the other, and its events. */
export interface Step {
  readonly before: VersionState;
  readonly after: VersionState;
  /** The events that `after` holds and `before` does not, oldest first. */
  readonly events: readonly PanelEvent[];
  /** The first events of the next version: the archive may have been made after them. */
  readonly next: readonly PanelEvent[];
}

/** The clocks of the catalogue and of the notifier may differ by so much. */
const A_MINUTE: Instant = minutes(1);

/** What two states differ in and no event leads to. A difference counts that is there at every moment that the state may show. */
export function unexplainedOf(step: Step): readonly Difference[] {
  const { certain, possible } = momentsOf(step);
  const states = withoutUnchanged(step, [...certain, ...possible]);
  const [before, after] = [shownState(states.before), shownState(states.after)];
  const compare = (events: readonly PanelEvent[]): readonly Difference[] =>
    comparePanel({ before, events, after, via: 'snapshot' }).differences;
  const found = compare(certain);
  if (found.length === 0) return found;
  const others = [...momentsAfter(certain, possible, compare)];
  // What was read of this version before may hold the events of that minute.
  const isSame = step.before.version === step.after.version && step.before.validFrom === step.after.validFrom;
  if (isSame) {
    const { readAt } = step.before;
    const isThen = (event: PanelEvent): boolean =>
      timeOf(event) > readAt && timeOf(event) <= readAt + A_MINUTE;
    others.push(compare(certain.filter((event) => !isThen(event))));
  }
  const lasting = found.filter((one) =>
    others.every((moment) => moment.some((other) => sameSubject(one, other))),
  );
  return lasting.filter((one) => !isUsualRating(one, lasting));
}

/** Ratings by which an addition without a stated rating is reported: without one, the catalogue rates it red or not at all. */
const reported: readonly (Rating | null)[] = ['green', 'amber'];

/** Whether a difference is the rating that an entity has because the row that added it states none. */
function isUsualRating({ change, entity }: Difference, found: readonly Difference[]): boolean {
  if (!('direction' in change) || change.direction !== 'new' || reported.includes(change.to)) return false;
  const isAdded = (one: Difference): boolean =>
    one.kind === 'entity.added' && one.entity?.type === entity?.type && one.entity?.name === entity?.name;
  return !found.some(isAdded);
}

/** Kind and entity of a difference: two differences about the same are one at different moments. */
export const aboutOf = ({ kind, entity }: Difference): string =>
  JSON.stringify([kind, entity?.type, entity?.name.toLowerCase()]);

/** An entity under a symbol that HGNC changed is another one to the rows about it: a renaming is then an addition. */
const sameSubject = (one: Difference, other: Difference): boolean =>
  aboutOf(one) === aboutOf(other) ||
  (one.kind === 'entity.renamed' && other.kind === 'entity.added' && one.entity?.name === other.entity?.name);

/** Whether what two differences say of a rating is the same. */
const sameRating = ({ change: one }: Difference, { change: other }: Difference): boolean =>
  !('direction' in one && 'direction' in other) || (one.from === other.from && one.to === other.to);

/** Whether an event says that its entity is there from then on, under its name. */
const adds = ({ type }: PanelEvent): boolean =>
  type === 'gene-panel.entity.added.v1' || type === 'gene-panel.entity.renamed.v1';

/**
 * The differences at each moment that a state may show, with more and more of what may have happened by then. What leads to a
 * difference that was not there before had not happened: the state contradicts it. Nor does a row about an entity explain that the
 * state shows it.
 */
function* momentsAfter(
  certain: readonly PanelEvent[],
  possible: readonly PanelEvent[],
  compare: (events: readonly PanelEvent[]) => readonly Difference[],
): Generator<readonly Difference[]> {
  let events = certain;
  let last = possible.length > 0 ? compare(certain) : [];
  for (const event of possible) {
    const moment = compare([...events, event]);
    const isIn = (one: Difference, found: readonly Difference[]): boolean =>
      found.some((other) => sameSubject(one, other) && sameRating(one, other));
    if (moment.some((one) => !isIn(one, last))) continue;
    if (!adds(event) && last.some((one) => one.kind === 'entity.added' && !isIn(one, moment))) continue;
    events = [...events, event];
    last = moment;
    yield moment;
  }
}

interface Moments {
  readonly certain: readonly PanelEvent[];
  /** Events that the state may hold, or not. */
  readonly possible: readonly PanelEvent[];
}

function momentsOf({ after, events, next }: Step): Moments {
  if (after.source === 'archive') return { certain: events, possible: next };
  const isPossible = (event: PanelEvent): boolean => {
    const at = timeOf(event);
    // Only what differs from the state before counts.
    const isUnchanged = 'direction' in event.data.change && event.data.change.direction === 'unchanged';
    return at > after.readAt && at <= after.readAt + A_MINUTE && !isUnchanged;
  };
  return {
    certain: events.filter((event) => timeOf(event) <= after.readAt),
    possible: [...next.filter((event) => timeOf(event) <= after.readAt), ...events.filter(isPossible)],
  };
}
