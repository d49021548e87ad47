import type { EntityChange } from '../filters/entity-history.ts';
import { greenListWords } from '../filters/green-turn.ts';
import { createNetChanges } from '../filters/net-changes.ts';
import { type Instant, parseInstant } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import type { GreenChange } from './green-difference.ts';
import { greenListOf } from './green-list.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import type { Holding, VersionSummary } from './version-state.ts';

/** Since when an entity differs from the signed-off version. */
export interface Since {
  readonly at: Instant;
  /** The version of the panel with that change. */
  readonly version: string;
  /** False where it may have been so earlier: nothing that was read says. */
  readonly isExact: boolean;
}

interface Kept {
  readonly catalogue: string;
  readonly history: Pick<History, 'findWithoutRows'>;
  readonly states: Pick<PanelStateStore, 'versions' | 'read'>;
}

interface Compared {
  readonly signedOff: VersionSummary;
  readonly working: VersionSummary;
}

/**
 * Since when entities of a panel differ from its signed-off version: by the events since then, or by the versions that
 * were read in between. Entities by `keyOf`.
 *
 * @throws {HistoryError | StateError} when they cannot be read
 */
export async function sinceWhen(
  changes: readonly GreenChange[],
  { signedOff, working }: Compared,
  kept: Kept,
): Promise<ReadonlyMap<string, Since>> {
  const found = new Map<string, Since>();
  if (changes.length === 0) return found;
  const events = await changesByEvents(signedOff, kept);
  for (const { entity, after } of changes) {
    const since = byEvents(events.get(keyOf(entity)), after);
    if (since) found.set(keyOf(entity), since);
  }
  const keptVersions = (await kept.states.versions(working.panelId)).filter(
    ({ validFrom }) => validFrom > signedOff.validFrom && validFrom <= working.validFrom,
  );
  // Where events came after the newest state, what holds now begins with them.
  const isKept = keptVersions.some(({ validFrom }) => validFrom === working.validFrom);
  const versions = isKept ? keptVersions : [...keptVersions, working];
  let left = changes.filter(({ entity }) => !found.get(keyOf(entity))?.isExact);
  // Backwards from the newest version, up to one that says otherwise.
  for (const [index, later] of versions.toReversed().entries()) {
    if (left.length === 0) break;
    const earlier = versions.at(-index - 2) ?? signedOff;
    const state = earlier === signedOff ? null : await kept.states.read(earlier);
    const list = state && greenListOf(state);
    const isGap = earlier.validTo !== later.validFrom;
    const isSame = ({ entity, after }: GreenChange): boolean => {
      const rating = list?.ratingOf(entity);
      return list !== null && (rating === 'green') === (after === 'green') && rating !== null;
    };
    for (const change of left.filter((one) => !isSame(one))) {
      const known = found.get(keyOf(change.entity));
      const since = { at: later.validFrom, version: later.version, isExact: !isGap };
      if (!known || since.isExact || since.at < known.at) found.set(keyOf(change.entity), since);
    }
    left = left.filter(isSame);
  }
  return found;
}

/** An entity within one panel. */
export const keyOf = ({ type, name }: Pick<Holding, 'type' | 'name'>): string => `${type} ${name}`;

async function changesByEvents(
  { panelId, validFrom }: VersionSummary,
  { catalogue, history }: Kept,
): Promise<ReadonlyMap<string, EntityChange>> {
  const builder = createNetChanges();
  const query = { catalogue, filter: { panels: [panelId] }, since: validFrom, order: 'oldest' } as const;
  for await (const event of history.findWithoutRows(query)) builder.add(event);
  const panel = builder.result().panels.find(({ id }) => id === panelId);
  const all = panel
    ? [...greenListWords, 'changed and changed back' as const].flatMap((words) => panel.lists[words])
    : [];
  return new Map(all.map((change) => [keyOf(change.entity), change]));
}

function byEvents(change: EntityChange | undefined, after: GreenChange['after']): Since | null {
  if (!change || (change.to === 'green') !== (after === 'green')) return null;
  // From amber to red, it is no longer green since before that.
  const isGreen = change.to === 'green';
  const previous = change.steps.at(-2);
  const at = parseInstant(change.at);
  if (at === null || change.version === null) return null;
  if (!isGreen && previous !== 'green') return null;
  return { at, version: change.version, isExact: previous !== 'unknown' };
}
