import { type Difference, isSilent } from '../differences/difference.ts';
import { nameKey } from '../differences/followed-panel.ts';
import type { PanelEvent } from '../events/schemas.ts';
import type { VersionState } from '../panels/version-state.ts';

/** Fewer entities may change at once: somebody does that by hand. */
const MIN_ENTITIES = 5;

/** So many entities do not vanish together, where the panel then has none. */
const MIN_ENTITIES_OF_ALL = 3;

/** The share of the entities of a panel, in percent. */
const LARGE_PERCENT = 50;

/**
 * Whether so many entities of a panel vanished or got another rating without an event that the state may be wrong: it
 * is empty, cut short, or another panel's.
 */
export function isDoubtful(differences: readonly Difference[], { entities }: VersionState): boolean {
  const changed = new Set(
    differences.flatMap(({ kind, entity }) => {
      const isChanged = kind === 'entity.removed' || kind === 'entity.classified';
      return isChanged && entity ? [`${entity.type} ${entity.name}`] : [];
    }),
  );
  const removed = differences.filter(({ kind }) => kind === 'entity.removed').length;
  if (removed === entities.length && removed >= MIN_ENTITIES_OF_ALL) return true;
  return changed.size >= MIN_ENTITIES && changed.size * 100 >= entities.length * LARGE_PERCENT;
}

/**
 * Whether so many entities of a panel appeared or got another rating without an event that the state before may be wrong: it was
 * empty, or cut short.
 */
export const deniesBefore = (differences: readonly Difference[], after: VersionState): boolean =>
  isDoubtful(
    differences.map(
      (one) => (one.kind === 'entity.added' ? { ...one, kind: 'entity.removed' } : one) as Difference,
    ),
    after,
  );

const isMembership = /\.(?:panel\.created|entity\.(?:added|removed|renamed))\.v1$/;

/**
 * The events of rows about entities that a state does not hold, although no event adds, renames or removes them: the state may be empty,
 * or cut short.
 */
export function rowsOfUnheld(
  { entities, whole }: VersionState,
  events: readonly PanelEvent[],
): readonly PanelEvent[] {
  const keyOf = (type: string, name: string): string => `${type} ${nameKey(name)}`;
  const known = new Set<string>();
  for (const { type, name, verboseName } of entities) {
    known.add(keyOf(type, name));
    if (verboseName != null) known.add(keyOf(type, verboseName));
  }
  for (const { data } of events.filter(({ type }) => isMembership.test(type))) {
    if (!data.entity) return [];
    known.add(keyOf(data.entity.type, data.entity.name));
  }
  return events.filter(
    ({ data: { entity, change } }) =>
      entity &&
      !isSilent(change) &&
      whole.includes(entity.type) &&
      !known.has(keyOf(entity.type, entity.name)),
  );
}

/** So many panels may differ at once in any catalogue: in a small one they are many in percent. */
const MOST_PANELS = 10;
/** The share of the listed panels that may differ within a day, and of those that were compared, in percent. */
const MANY_PERCENT = 5;
const MOST_OF_COMPARED_PERCENT = 50;

interface ComparedPanel {
  readonly panelId: number;
  readonly differs: boolean;
}

/**
 * Whether so many panels differ from their events that the catalogue may have been restored from a backup, or lies.
 * @param compared the panels that were compared within a day
 * @param panels how many panels the catalogue lists
 */
export function areDoubtful(compared: readonly ComparedPanel[], panels: number): boolean {
  const differing = compared.filter(({ differs }) => differs).length;
  if (differing <= Math.max(MOST_PANELS, (panels * MANY_PERCENT) / 100)) return false;
  return differing * 100 > compared.length * MOST_OF_COMPARED_PERCENT;
}

/**
 * Whether so many panels would differ if each of those that wait for their comparison did: the answer
 * is then not trusted.
 * @param waiting ids of the panels with a new version that is not compared yet
 */
export function mayBecomeDoubtful(
  compared: readonly ComparedPanel[],
  waiting: ReadonlySet<number>,
  panels: number,
): boolean {
  const others = compared.filter(({ panelId }) => !waiting.has(panelId));
  return areDoubtful([...others, ...[...waiting].map((panelId) => ({ panelId, differs: true }))], panels);
}
