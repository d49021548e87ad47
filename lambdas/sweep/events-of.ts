import { hash } from 'node:crypto';
import { formatInstant, instantOf } from '../clock/instant.ts';
import { type StateFacts, toEvent } from '../events/envelope.ts';
import type { EventPanel, PanelEvent, PanelFacts } from '../events/schemas.ts';
import type { Difference } from './difference.ts';
import type { KnownPanel } from './listed.ts';

/** What an event says beyond the difference that it reports. */
interface EventBackground {
  readonly catalogue: { readonly name: string; readonly url: string };
  /** Version of the stored listing that the difference was found against: each difference is found once by version. */
  readonly snapshotVersion: number;
  /** When the later listing was read, in milliseconds since the epoch. */
  readonly listedAt: number;
  /** Undefined where the panel is not listed any more. */
  readonly facts: PanelFacts | undefined;
  /** What the states of panels say; absent where none is kept. */
  readonly known?: StateFacts | undefined;
}

/** The events of one panel's differences; the changes of one kind and entity are one event. */
export function eventsOf(
  known: KnownPanel,
  differences: readonly Difference[],
  background: EventBackground,
): readonly PanelEvent[] {
  const { catalogue, snapshotVersion, listedAt } = background;
  const { id, name, version } = known.panel;
  const at = instantOf(listedAt);
  const facts = background.facts && { ...background.facts, factsReadAt: formatInstant(at) };
  const panel: EventPanel = { id, name, version, ...facts };
  return joined(differences).map(({ kind, change, entity }) => {
    const identity = ['listing.v1', catalogue.url, snapshotVersion, id, entity?.name ?? null, change];
    return toEvent({
      kind,
      change,
      catalogue,
      known: background.known,
      key: hash('sha256', JSON.stringify(identity), 'hex').slice(0, 32),
      at,
      panel,
      entity,
      actor: null,
      late: false,
      rows: [],
    });
  });
}

/** Differences of one kind and entity that each hold a list of changes, as one with all of them. */
function joined(differences: readonly Difference[]): readonly Difference[] {
  const groups = Map.groupBy(differences, ({ kind, entity }) => `${kind}\n${entity?.name ?? ''}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || !('changes' in first.change)) return group;
    const changes = group.flatMap(({ change }): readonly object[] =>
      'changes' in change ? change.changes : [],
    );
    return [{ ...first, change: { changes, via: 'listing' } } as Difference];
  });
}
