import { comparePanel } from '../differences/compare.ts';
import { type Difference, difference } from '../differences/difference.ts';
import type { ShownPanel } from '../differences/shown.ts';
import type { Rating } from '../events/changes.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { timeOf } from './events-between.ts';
import { shownState } from './shown-state.ts';
import type { VersionState } from './version-state.ts';

/** Two states of a panel, one after the other, and its events. */
export interface Step {
  readonly before: VersionState;
  readonly after: VersionState;
  /** The events that `after` holds and `before` does not, oldest first. */
  readonly events: readonly PanelEvent[];
  /** The first events of the next version: the archive may have been made after them. */
  readonly next: readonly PanelEvent[];
}

/** What two states differ in and no event leads to. A difference counts that is there at every moment that the state may show. */
export function unexplainedOf(step: Step): readonly Difference[] {
  const [before, after] = [shownState(step.before), shownState(step.after)];
  const { certain, possible } = momentsOf(step);
  const compare = (events: readonly PanelEvent[]): readonly Difference[] =>
    comparePanel({ before, events, after, via: 'snapshot' }).differences;
  const others = possible.map((_event, index) => compare([...certain, ...possible.slice(0, index + 1)]));
  // What was read of this version before holds the events up to that reading.
  const isSame = step.before.version === step.after.version && step.before.validFrom === step.after.validFrom;
  if (isSame) others.push(compare([]));
  const found = compare(certain).filter((one) =>
    others.every((moment) => moment.some((other) => isAboutSame(one, other))),
  );
  return [...found, ...ratedAdditions(certain, before, step.after)];
}

/** Kind and entity of a difference: two differences about the same are one at different moments. */
export const aboutOf = ({ kind, entity }: Difference): string =>
  JSON.stringify([kind, entity?.type, entity?.name.toLowerCase()]);

/** An entity under a symbol that HGNC changed is another one to the rows about it: a renaming is then an addition. */
const isAboutSame = (one: Difference, other: Difference): boolean =>
  aboutOf(one) === aboutOf(other) ||
  (one.kind === 'entity.renamed' && other.kind === 'entity.added' && one.entity?.name === other.entity?.name);

interface Moments {
  readonly certain: readonly PanelEvent[];
  /** Events that the state may hold, or not. */
  readonly possible: readonly PanelEvent[];
}

function momentsOf({ after, events, next }: Step): Moments {
  if (after.source === 'present') {
    return {
      certain: events.filter((event) => timeOf(event) <= after.readAt),
      possible: events.filter((event) => timeOf(event) > after.readAt),
    };
  }
  return { certain: events, possible: next };
}

/** Ratings by which an added entity is reported: without a stated one, a curator's addition is red. */
const reported: readonly (Rating | null)[] = ['green', 'amber'];

/** The ratings of added entities whose rows state none. */
function ratedAdditions(
  events: readonly PanelEvent[],
  { entities: before }: ShownPanel,
  after: VersionState,
): readonly Difference[] {
  const rated = new Set(
    events.flatMap(({ type, data }) =>
      type === 'gene-panel.entity.classified.v1' ? [data.entity?.name] : [],
    ),
  );
  return events.flatMap(({ type, data: { entity, change } }) => {
    if (type !== 'gene-panel.entity.added.v1' || !entity || rated.has(entity.name)) return [];
    if (!('rating' in change) || change.rating) return [];
    const isEntity = (one: { readonly type: string; readonly name: string }): boolean =>
      one.type === entity.type && one.name === entity.name;
    const to = after.entities.find(isEntity)?.rating ?? null;
    if (before.some(isEntity) || to === null || !reported.includes(to)) return [];
    return [difference('entity.classified', { from: null, to, direction: 'new', via: 'snapshot' }, entity)];
  });
}
