import type { Changes, EventKindName } from '../../lambdas/events/changes.ts';
import { toEvent } from '../../lambdas/events/envelope.ts';
import type { Entity, PanelEvent } from '../../lambdas/events/schemas.ts';
import { instantOf } from '../../lambdas/run/instant.ts';
import { noon } from '../run/test-clock.ts';

interface Given {
  /** Seconds after noon. */
  readonly second?: number;
  readonly version?: string;
  readonly entity?: Entity | null;
}

/** An event of panel 3; of the region ISCA-3-Loss where its kind is about an entity. */
export function eventOf<Kind extends EventKindName>(
  kind: Kind,
  change: Changes[Kind],
  { second = 0, version = '1.3', entity = kind.startsWith('entity') ? region : null }: Given = {},
): PanelEvent {
  return toEvent({
    kind,
    change,
    catalogue: { name: 'test', url: 'https://catalogue.example/api/v1/' },
    key: '0123456789abcdef',
    at: instantOf(noon + second * 1000),
    panel: { id: 3, name: 'Panel 3', version },
    entity,
    actor: 'A Curator',
    late: false,
    rows: [],
  });
}

/** The region that events are about. */
export const region: Entity = { type: 'region', name: 'ISCA-3-Loss' };

/** A row that rates the region. */
export const rated = (
  to: Changes['entity.classified']['to'],
  given: Given & { readonly via?: 'listing' | 'snapshot' } = {},
): PanelEvent => {
  const { via, ...rest } = given;
  return eventOf('entity.classified', { from: null, to, direction: 'unknown', ...(via && { via }) }, rest);
};
