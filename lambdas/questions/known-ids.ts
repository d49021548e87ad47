import type { EntityChange } from '../filters/entity-history.ts';
import type { EntityNames } from '../filters/entity-names.ts';
import type { NetChanges, PanelChanges } from '../filters/net-changes.ts';

/** Net changes whose genes have the HGNC id that their catalogue states elsewhere: few events of a gene state it. */
export function withKnownIds(changes: NetChanges, names: Pick<EntityNames, 'hgncIdIn'>): NetChanges {
  return { ...changes, panels: changes.panels.map((panel) => panelWithIds(panel, names)) };
}

function panelWithIds(panel: PanelChanges, names: Pick<EntityNames, 'hgncIdIn'>): PanelChanges {
  const withId = (change: EntityChange): EntityChange => {
    const { entity } = change;
    if (entity.type !== 'gene' || entity.hgncId !== undefined) return change;
    const hgncId = names.hgncIdIn(panel.catalogue, entity.name);
    return hgncId === null ? change : { ...change, entity: { ...entity, hgncId } };
  };
  const lists = Object.entries(panel.lists).map(([words, changes]) => [words, changes.map(withId)]);
  return { ...panel, lists: Object.fromEntries(lists) };
}
