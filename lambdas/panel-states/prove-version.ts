import { formatInstant } from '../clock/instant.ts';
import type { Difference } from '../differences/difference.ts';
import { timeOf } from '../differences/event-order.ts';
import { eventsOf } from '../differences/events-of.ts';
import { withoutPublished } from '../differences/published-before.ts';
import type { PanelEvent, PanelFacts } from '../events/schemas.ts';
import { eventsBetween, eventsOfSuccessor } from './events-between.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { factsOfStates } from './state-facts.ts';
import { unexplainedOf } from './unexplained.ts';
import { unexplainedOfSuperPanel } from './unexplained-super-panel.ts';
import type { VersionState } from './version-state.ts';

interface Proving {
  readonly before: VersionState;
  readonly after: VersionState;
  /** Every event of the panel that was published, oldest first. */
  readonly published: readonly PanelEvent[];
  readonly states: Pick<PanelStateStore, 'versions' | 'read' | 'signOffs'>;
  readonly catalogue: { readonly name: string; readonly url: string };
  readonly facts: PanelFacts | undefined;
}

/** What a comparison of two states found. */
interface ProvenVersion {
  /** Differences that no event leads to. */
  readonly differences: readonly Difference[];
  /** The events that publish them, apart from those that were published before. */
  readonly events: readonly PanelEvent[];
}

/** Compares a state with the one before it and the events in between. Null where a panel of a super panel is not read yet. */
export async function proveVersion({
  before,
  after,
  published,
  states,
  catalogue,
  facts,
}: Proving): Promise<ProvenVersion | null> {
  const events = eventsBetween({ before, after }, published);
  const step = { before, after, events, next: eventsOfSuccessor({ before, after }, published) };
  const isSuper = before.childPanels.length + after.childPanels.length > 0;
  const differences = isSuper ? await unexplainedOfSuperPanel(step, states) : unexplainedOf(step);
  if (differences === null) return null;
  if (differences.length === 0) return { differences, events: [] };
  const found = eventsOf({ id: after.panelId, name: after.panelName, version: after.version }, differences, {
    catalogue,
    foundAgainst: `${after.version} ${formatInstant(after.validFrom)}`,
    at: after.validFrom,
    facts,
    known: factsOfStates([before, after], await states.signOffs(after.panelId)),
  });
  return { differences, events: found.flatMap((event) => unpublished(event, published, after)) };
}

/** An event without what a comparison of listings published since the version began. */
function unpublished(
  event: PanelEvent,
  published: readonly PanelEvent[],
  { validFrom }: VersionState,
): readonly PanelEvent[] {
  if (published.some(({ id }) => id === event.id)) return [];
  const listed = published.filter(
    (one) => 'via' in one.data.change && one.data.change.via === 'listing' && timeOf(one) >= validFrom,
  );
  const left = withoutPublished(event, listed);
  return left ? [left] : [];
}
