import type { PanelEvent } from '../events/schemas.ts';
import { nameKey } from '../filters/name-key.ts';
import type { StateEntity, VersionState } from '../panels/version-state.ts';

interface States {
  readonly before: VersionState;
  readonly after: VersionState;
}

/**
 * Two states without the entities that are the same in both and that no event is about: these cannot differ. A new version
 * changes one entity of hundreds.
 */
export function withoutUnchanged({ before, after }: States, events: readonly PanelEvent[]): States {
  // The panel began anew: nothing that it held before counts.
  if (events.some(({ type }) => type === 'gene-panel.panel.created.v1')) return { before, after };
  const names = new Set(events.flatMap(namesIn).map(nameKey));
  const isNamed = ({ name, verboseName }: StateEntity): boolean =>
    names.has(nameKey(name)) || (typeof verboseName === 'string' && names.has(nameKey(verboseName)));
  const named = new Set([...before.entities, ...after.entities].filter(isNamed));
  // A row may name a gene by another symbol than a state does.
  const ids = new Set([...named].map(({ hgncId }) => hgncId));
  const isConcerned = (entity: StateEntity): boolean =>
    named.has(entity) || (entity.hgncId !== null && ids.has(entity.hgncId));
  const unchanged = new Set<StateEntity>();
  const others: StateEntity[] = [];
  // Most have the same index in both.
  for (const [index, entity] of before.entities.entries()) {
    if (isConcerned(entity)) continue;
    const shown = after.entities[index];
    if (shown && isEqual(shown, entity)) unchanged.add(shown);
    else others.push(entity);
  }
  const shown = Map.groupBy(others.length > 0 ? after.entities : [], placeOf);
  const gone = new Set(
    others.filter((entity) => {
      const same = shown.get(placeOf(entity))?.find((one) => !unchanged.has(one) && isEqual(one, entity));
      if (same) unchanged.add(same);
      return same === undefined;
    }),
  );
  const left = before.entities.filter((entity) => gone.has(entity) || isConcerned(entity));
  const shownLeft = after.entities.filter((entity) => !unchanged.has(entity));
  return { before: { ...before, entities: left }, after: { ...after, entities: shownLeft } };
}

const placeOf = ({ type, name, hgncId, child }: StateEntity): string =>
  `${type} ${hgncId} ${child?.id} ${name}`;

function namesIn({ data: { entity, change } }: PanelEvent): readonly string[] {
  const renamed = 'from' in change && 'to' in change ? [change.from, change.to] : [];
  return [entity?.name, ...renamed].filter((name) => typeof name === 'string');
}

/** Whether two values of JSON are the same. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, place) => isEqual(item, other[place]))
    );
  }
  let more = 0;
  for (const key in one) {
    more += 1;
    if (!isEqual((one as Fields)[key], (other as Fields)[key])) return false;
  }
  for (const _key in other) more -= 1;
  return more === 0;
}

type Fields = Readonly<Record<string, unknown>>;
