import type { Entity, PanelEvent } from '../events/schemas.ts';
import type { EntityStatus } from '../filters/entity-history.ts';
import { nameKey } from '../filters/name-key.ts';
import { createNetChanges, type NetChanges } from '../filters/net-changes.ts';
import type { VersionState } from '../panels/version-state.ts';
import { type ComparedVersions, compareVersionStates } from '../reconcile/compare-versions.ts';

interface Between {
  readonly before: VersionState;
  readonly after: VersionState;
  /** Every known event of the panel. */
  readonly events: readonly PanelEvent[];
  readonly catalogue: string;
  /** Whether an event is of interest. */
  readonly includes: (event: PanelEvent) => boolean;
}

interface ChangesBetween {
  readonly changes: NetChanges;
  /** How many changes the states of the two versions show and no known event states. */
  readonly unexplained: number;
}

/**
 * The net changes from one version of a panel to a later one: each entity begins and ends as the states of the two
 * versions show it, and known events say what happened in between.
 */
export function changesBetween({ before, after, events, catalogue, includes }: Between): ChangesBetween {
  // A catalogue may have moved since: its events are about one panel all the same.
  const url = events.at(-1)?.source ?? '';
  const own = events.map((event) => ({ ...event, source: url }));
  const compared = compareVersionStates({ before, after, events: own, catalogue: { name: catalogue, url } });
  const builder = createNetChanges({ before: statusIn(before), after: statusIn(after) });
  for (const event of underLaterSymbols(compared)) if (includes(event)) builder.add(event);
  const { panels, ...result } = builder.result();
  const { panelName: name, version } = after;
  const renamed = before.panelName === name ? null : { from: before.panelName, to: name };
  return {
    changes: { ...result, panels: panels.map((panel) => ({ ...panel, name, version, renamed })) },
    unexplained: compared.unexplained.filter(includes).length,
  };
}

/** The state of each entity of a version; unknown where a super panel holds it several times, differently. */
function statusIn({ entities, whole }: VersionState): (entity: Entity) => EntityStatus | undefined {
  const statuses = new Map<string, EntityStatus>();
  for (const { type, name, rating } of entities) {
    const key = `${type} ${nameKey(name)}`;
    const status = rating ?? 'unknown';
    const other = statuses.get(key);
    statuses.set(key, other === undefined || other === status ? status : 'unknown');
  }
  return ({ type, name }) => {
    const status = statuses.get(`${type} ${nameKey(name)}`) ?? (whole.includes(type) ? 'absent' : 'unknown');
    return status === 'unknown' ? undefined : status;
  };
}

/**
 * The events, and what the states show besides. A symbol that HGNC changed without a row comes first, and the events of
 * the gene follow under its new symbol: it is one gene.
 */
function underLaterSymbols({ events, unexplained }: ComparedVersions): readonly PanelEvent[] {
  const isRenaming = ({ type }: PanelEvent): boolean => type === 'gene-panel.entity.renamed.v1';
  const renamings = unexplained.filter(isRenaming);
  const later = new Map(
    renamings.flatMap(({ data: { entity, change } }) =>
      entity && 'from' in change && 'to' in change
        ? [[`${entity.type} ${nameKey(String(change.from))}`, String(change.to)] as const]
        : [],
    ),
  );
  const renamed = (event: PanelEvent): PanelEvent => {
    const { entity } = event.data;
    const name = entity && later.get(`${entity.type} ${nameKey(entity.name)}`);
    if (!name || isRenaming(event)) return event;
    return { ...event, data: { ...event.data, entity: { ...entity, name } } } as PanelEvent;
  };
  return [...renamings, ...events.map(renamed), ...unexplained.filter((event) => !isRenaming(event))];
}
