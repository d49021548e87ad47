import { comparePanel } from '../differences/compare.ts';
import {
  correctionOf,
  type Disagreement,
  disagreementsOf,
  takingPlaceOf,
} from '../differences/corrections.ts';
import { type Difference, isFoundBy, isUndone, sameValue } from '../differences/difference.ts';
import { eventsOf, isAbout, withoutPublished } from '../differences/events-of.ts';
import { followEvents } from '../differences/followed-panel.ts';
import { compareInOrder, inOrder, isBeforeVersion, timeOf } from '../events/order.ts';
import type { PanelEvent, PanelFacts } from '../events/schemas.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import { byBeginning, isSameVersion } from '../panels/panel-versions.ts';
import { factsOfStates, shownState } from '../panels/state-facts.ts';
import { foundAgainst, type VersionState } from '../panels/version-state.ts';
import { formatInstant, type Instant } from '../run/instant.ts';
import { rowsOfUnheld } from './doubtful.ts';
import { eventsBetween, eventsOfSuccessor, mayHoldAlready } from './events-between.ts';
import { isBreak } from './set-back.ts';
import { type Step, unexplainedOf, unexplainedOfSuperPanel } from './unexplained.ts';

interface Proving {
  readonly before: VersionState;
  readonly after: VersionState;
  /** Every event of the panel that is known, without those that were corrected. */
  readonly published: readonly PanelEvent[];
  /** Whether subscribers have an event: those from before the log was followed are not corrected. */
  readonly isPublished: (event: PanelEvent) => boolean;
  readonly states: Pick<PanelStateStore, 'versions' | 'read' | 'signOffs'>;
  /** Whether the catalogue lists a panel. */
  readonly isListed: (panelId: number) => boolean;
  readonly catalogue: { readonly name: string; readonly url: string };
  readonly facts: PanelFacts | undefined;
  /** When the list of panels was read that gave the facts. */
  readonly factsReadAt?: Instant | undefined;
}

/** What a comparison of two states found. */
export interface ProvenVersion {
  /** Differences that no event leads to. */
  readonly differences: readonly Difference[];
  /** Events that state something else of what was so before them than the states show. */
  readonly disagreements: readonly Disagreement[];
  /** The events that publish the differences, apart from those that were published before, and the corrections. */
  readonly events: readonly PanelEvent[];
  /** Whether rows are about an entity that the state before does not hold, or that neither state does. */
  readonly rowsDeny: 'nothing' | 'before' | 'both';
}

/** Compares a state with the one before it and the events in between. Null where a panel of a super panel is not read yet. */
export async function proveVersion(proving: Proving): Promise<ProvenVersion | null> {
  const { before, after, published, states, isListed, catalogue, facts } = proving;
  const events = inOrder([...eventsBetween({ before, after }, published), ...notShownBefore(proving)]);
  // An archive is made once: what a second reading of it shows otherwise is no change since.
  const isOneArchive =
    isSameVersion(before, after) && before.source === 'archive' && after.source === 'archive';
  // What a later state showed first was so when this one ended, or not: this state itself says which.
  const next = (isOneArchive ? [] : eventsOfSuccessor({ before, after }, published)).filter(
    ({ data }) => !isFoundBy('snapshot', data.change),
  );
  const step = { before, after, events: [...removedBefore(proving, events), ...events], next };
  const isSuper = before.childPanels.length + after.childPanels.length > 0;
  const differences = isSuper
    ? await unexplainedOfSuperPanel(step, { ...states, isListed })
    : unexplainedOf(step);
  if (differences === null) return null;
  // The panels of a super panel write the rows about its entities.
  // Nor does a state from before the numbers of a panel went back say what was so before an event.
  const isAcross = isBreak(before, after);
  const disagreements = isSuper || isAcross ? [] : await disagreementsWith(proving, events);
  const corrections = disagreements.map((one) => correctionOf(one, isBehind(one.event, published)));
  const rowsDeny = isSuper || isAcross ? 'nothing' : deniedByRows({ before, after, events });
  if (differences.length === 0) return { differences, disagreements, events: corrections, rowsDeny };
  const found = eventsOf({ id: after.panelId, name: after.panelName, version: after.version }, differences, {
    catalogue,
    foundAgainst: foundAgainst(after),
    at: after.validFrom,
    published,
    shows: (event) => isShownBy(after, event),
    facts,
    factsReadAt: proving.factsReadAt,
    known: factsOfStates([before, after], await states.signOffs(after.panelId)),
  });
  const silent = found
    .flatMap((event) => unpublished(event, published, after))
    .map((event) => takingPlaceOf(publishedOfLater(event, published), event));
  // Who takes events as they come ends where their order does: a removal that is corrected may have been undone since.
  return { differences, disagreements, events: inOrder([...silent, ...corrections]), rowsDeny };
}

function deniedByRows({ before, after, events }: Omit<Step, 'next'>): ProvenVersion['rowsDeny'] {
  const shown = events.filter((event) => after.source === 'archive' || timeOf(event) <= after.readAt);
  const unheld = rowsOfUnheld(before, shown);
  if (unheld.length === 0) return 'nothing';
  return rowsOfUnheld(after, unheld).length > 0 ? 'both' : 'before';
}

/** What the events of a version say was so before it, where the state before shows something else. */
async function disagreementsWith(
  { before, after, published, states, isPublished }: Proving,
  events: readonly PanelEvent[],
): Promise<readonly Disagreement[]> {
  const readBy = after.source === 'present' ? after.readAt : null;
  // What was found of the same version before is compared as a whole: it need not have been so.
  const isSame = isSameVersion(before, after);
  const own = events.filter(
    (event) => (readBy === null || timeOf(event) <= readBy) && !(isSame && timeOf(event) <= before.readAt),
  );
  const shown = { ...shownState(before), facts: { version: before.version } };
  const mayBeHeld = (event: PanelEvent): boolean => mayHoldAlready(before, event);
  let isDoubtful = false;
  const found = disagreementsOf({
    before: shown,
    events: own,
    mayBeHeld,
    led: () => {
      isDoubtful = true;
      return null;
    },
  });
  if (!isDoubtful) return found.filter(({ event }) => isCorrigible(event, isPublished));
  const earlier = (await states.versions(before.panelId)).findLast((one) => byBeginning(one, before) < 0);
  const state = earlier && (await states.read(earlier));
  const led =
    state && followEvents(shownState(state), eventsBetween({ before: state, after: before }, published));
  return disagreementsOf({ before: shown, events: own, mayBeHeld, led: () => led ?? null }).filter(
    ({ event }) => isCorrigible(event, isPublished),
  );
}

/**
 * The events of the version itself that do not lead to what the state shows that was read of it before, where another reading gave one of
 * them: that of a run that died, or of a poll. Subscribers know what they lead to.
 */
function notShownBefore({ before, after, published }: Proving): readonly PanelEvent[] {
  if (!isSameVersion(before, after)) return [];
  const own = inOrder(
    published.filter(
      (event) =>
        event.data.entity && event.data.panel?.version === after.version && timeOf(event) <= before.readAt,
    ),
  );
  const found = new Set(
    own.flatMap((event) => {
      const isOfReading = isFoundBy('snapshot', event.data.change) && timeOf(event) >= before.validFrom;
      return isOfReading ? [event.subject] : [];
    }),
  );
  const events = own.filter(({ subject }) => found.has(subject));
  if (events.length === 0) return events;
  const shown = shownState(before);
  const { differences } = comparePanel({ before: shown, events, after: shown, via: 'snapshot' });
  return events.filter((event) => differences.some(({ entity }) => isAbout(entity, event)));
}

/**
 * The removals that the state before shows, of entities that events since rate: a row that rates an entity does not say whether it was
 * added again.
 */
function removedBefore({ before, published }: Proving, events: readonly PanelEvent[]): readonly PanelEvent[] {
  const rated = events.filter(({ type }) => type === 'gene-panel.entity.classified.v1');
  const firsts = new Map(rated.toReversed().map((event) => [event.subject, event]));
  const unheld = rowsOfUnheld(before, [...firsts.values()]);
  return unheld.flatMap((event) => {
    const earlier = published.filter(
      (one) => one.subject === event.subject && compareInOrder(one, event) < 0,
    );
    const last = inOrder(earlier).at(-1);
    return last?.type === 'gene-panel.entity.removed.v1' ? [last] : [];
  });
}

/** Two listings may lie versions apart: what they differ in has no version of its own. */
const isCorrigible = (event: PanelEvent, isPublished: (event: PanelEvent) => boolean): boolean =>
  isPublished(event) && !isFoundBy('listing', event.data.change);

/** Whether an event of its entity with a later place was published. */
const isBehind = (event: PanelEvent, published: readonly PanelEvent[]): boolean =>
  published.some((other) => other.subject === event.subject && compareInOrder(event, other) < 0);

/** Whether a state shows where an event led: it is of the version or of one before, and was there when the state was read. */
function isShownBy({ version, source, readAt }: VersionState, event: PanelEvent): boolean {
  if (isBeforeVersion(version, event.data.panel?.version ?? null)) return false;
  return source === 'archive' || timeOf(event) <= readAt;
}

/**
 * The event that published a change of a later version, because this one could not be read yet: the first one about it since, where it
 * states the same.
 */
function publishedOfLater(event: PanelEvent, published: readonly PanelEvent[]): PanelEvent | undefined {
  const { panel, change } = event.data;
  const first = inOrder(published).find(
    ({ type, subject, data }) =>
      type === event.type &&
      subject === event.subject &&
      isBeforeVersion(panel?.version ?? null, data.panel?.version ?? null),
  );
  return first && isFoundBy('snapshot', first.data.change) && sameValue(first.data.change, change)
    ? first
    : undefined;
}

/** An event without what a comparison of listings published since the version began. */
function unpublished(
  event: PanelEvent,
  published: readonly PanelEvent[],
  { validFrom }: VersionState,
): readonly PanelEvent[] {
  if (published.some(({ id, data }) => id === event.id || data.corrects === event.id)) return [];
  const listed = published.filter(
    (one) => isFoundBy('listing', one.data.change) && timeOf(one) >= validFrom && !isUndone(one, published),
  );
  // What was listed since the version began may show it before it was found.
  const left = withoutPublished({ ...event, time: formatInstant(validFrom) }, listed);
  return left ? [Object.assign({}, left, { time: event.time })] : [];
}
