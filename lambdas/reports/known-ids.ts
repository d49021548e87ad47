import type { EntityNames } from '../names/entity-names.ts';
import type { EntityChange } from '../subscriptions/entity-history.ts';
import type { NetChanges, PanelChanges } from '../subscriptions/net-changes.ts';

/** Net changes whose genes have the HGNC id that their catalogue states elsewhere: few events of a gene state it. */
export function withKnownIds(changes: NetChanges, names: Pick<EntityNames, 'hgncIdIn'>): NetChanges {
  return { ...changes, panels: changes.panels.map((panel) => panelWithIds(panel, names)) };
}

function panelWithIds(panel: PanelChanges, names: Pick<EntityNames, 'hgncIdIn'>): PanelChanges {
  // A change is in several lists, which stays the same change.
  const named = new Map<EntityChange, EntityChange>();
  const withId = (change: EntityChange): EntityChange => {
    const { entity } = change;
    if (entity.type !== 'gene' || entity.hgncId !== undefined) return change;
    const known = named.get(change);
    if (known) return known;
    const hgncId = names.hgncIdIn(panel.catalogue, entity.name);
    const filled = hgncId === null ? change : { ...change, entity: { ...entity, hgncId } };
    named.set(change, filled);
    return filled;
  };
  return {
    ...panel,
    nowGreen: panel.nowGreen.map(withId),
    noLongerGreen: panel.noLongerGreen.map(withId),
    otherRatings: panel.otherRatings.map(withId),
    changedBack: panel.changedBack.map(withId),
    added: panel.added.map(withId),
    removed: panel.removed.map(withId),
  };
}
