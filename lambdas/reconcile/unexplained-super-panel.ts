import { comparePanel } from '../differences/compare.ts';
import { type Difference, difference } from '../differences/difference.ts';
import { shownState } from '../panels/shown-state.ts';
import type { VersionState, VersionSummary } from '../panels/version-state.ts';
import type { Instant } from '../run/instant.ts';
import { SAVING } from './events-between.ts';
import { begunAnewAfter } from './set-back.ts';
import { aboutOf, type Step, unexplainedOf } from './unexplained.ts';

/** Where the states of the panels of a super panel are found. */
interface ChildStates {
  versions(panelId: number): Promise<readonly VersionSummary[]>;
  read(key: VersionSummary): Promise<VersionState | null>;
  /** Whether the catalogue lists a panel: one that it hides may never be read. */
  isListed(panelId: number): boolean;
}

/**
 * What two states of a super panel differ in and neither an event nor the states of its panels explain. A super panel
 * shows each of its panels at some moment of a version, so that the states around it explain it too. Of a panel that is hidden
 * and was never read, or whose states will never be proven, its own states are all that shows what changed. What a later state of the
 * panel denies is no longer so, and no difference. Null where a panel whose entities changed was not read and proven yet.
 */
export async function unexplainedOfSuperPanel(
  step: Step,
  states: ChildStates,
): Promise<readonly Difference[] | null> {
  const { before, after } = step;
  const unexplained: Difference[] = [];
  const kept = after.childPanels.filter((id) => before.childPanels.includes(id));
  for (const id of kept) {
    const own = { ...step, before: partOf(before, id), after: partOf(after, id) };
    const found = unexplainedOf(own);
    if (found.length === 0) continue;
    const shown = await statesAround(own.after, own.before, id, states);
    const around = shown.flatMap(({ state, isLost }) => (isLost ? [] : [state]));
    const later = await stateSince(own.after, id, states);
    // Who reads of it when it is published would take it for so.
    const isOver = (one: Difference): boolean =>
      later !== null && sameEntity(differingFrom(own.after, later), one).length > 0;
    if (around.length === 0 && (shown.length > 0 || !states.isListed(id))) {
      unexplained.push(...found.filter((one) => !isOver(one)));
      continue;
    }
    // What is not proven of a panel may be a lie.
    if (around.length === 0 || around.some(({ proof }) => proof.kind === 'unproven')) return null;
    const differing = around.map((state) => differingFrom(own.after, state));
    const isOwn = (one: Difference): boolean => differing.every((about) => sameEntity(about, one).length > 0);
    unexplained.push(...found.filter((one) => isOwn(one) && !isOver(one)));
  }
  return [...withoutRepeats(unexplained), ...changedPanels(step)];
}

/** Several panels of a super panel may hold an entity that changed in all of them. */
function withoutRepeats(differences: readonly Difference[]): readonly Difference[] {
  const contents = differences.map((one) => `${aboutOf(one)} ${JSON.stringify(one.change)}`);
  return differences.filter((_one, index) => contents.indexOf(contents[index] ?? '') === index);
}

/** The entities that a super panel has from one panel, as if they were a panel. */
function partOf(state: VersionState, panelId: number): VersionState {
  const entities = state.entities.filter(({ child }) => child?.id === panelId);
  return { ...state, entities: entities.map((entity) => ({ ...entity, child: null })) };
}

/** Of when a state is at the latest. */
const shownAt = ({ source, readAt, validTo }: VersionSummary): Instant =>
  source === 'present' || validTo === null ? readAt : validTo;

/** The last proven state of a panel, where it is of a later time than that of the super panel. */
async function stateSince(
  after: VersionState,
  id: number,
  states: ChildStates,
): Promise<VersionState | null> {
  const last = (await states.versions(id)).findLast(({ proof }) => proof.kind !== 'unproven');
  return last && shownAt(last) > shownAt(after) ? states.read(last) : null;
}

interface StateAround {
  readonly state: VersionState;
  /** Whether it is from before the numbers of its panel went back, and not proven: it never will be. */
  readonly isLost: boolean;
}

/** The versions that the super panel may show, and their neighbours: its archive may be made while several are saved. */
async function statesAround(
  after: VersionState,
  before: VersionState,
  id: number,
  states: ChildStates,
): Promise<readonly StateAround[]> {
  const versions = await states.versions(id);
  const until = (after.validTo ?? after.readAt) + SAVING;
  const last = versions.findLastIndex(({ validFrom }) => validFrom <= until);
  if (last < 0) return [];
  const first = versions.findLastIndex(({ validFrom }) => validFrom <= before.validFrom);
  const anew = versions.findLastIndex((one) => begunAnewAfter(one) !== undefined);
  const found: StateAround[] = [];
  for (let index = Math.max(first - 1, 0); index < Math.min(last + 2, versions.length); index += 1) {
    const summary = versions[index];
    const state = summary && (await states.read(summary));
    if (state) found.push({ state, isLost: index < anew && state.proof.kind === 'unproven' });
  }
  return found;
}

function differingFrom(shown: VersionState, state: VersionState): readonly Difference[] {
  const [before, after] = [shownState(shown), shownState(state)];
  return comparePanel({ before, events: [], after, via: 'snapshot' }).differences;
}

const membership: readonly Difference['kind'][] = ['entity.added', 'entity.removed', 'entity.renamed'];

/** The differences that are about the entity of another one, and of its kind or of membership. */
function sameEntity(differences: readonly Difference[], { kind, entity }: Difference): readonly Difference[] {
  return differences.filter(
    (one) =>
      aboutOf({ ...one, kind } as Difference) === aboutOf({ kind, entity } as Difference) &&
      (one.kind === kind || membership.includes(one.kind) || membership.includes(kind)),
  );
}

/** Panels that were given to a super panel or taken from it, where no event says so. Their entities follow from that. */
function changedPanels({ before, after, events }: Step): readonly Difference[] {
  const [old, now] = [[...before.childPanels].sort(), [...after.childPanels].sort()];
  const logged = events.some(
    ({ data: { change } }) =>
      'changes' in change && change.changes.some(({ field }) => field === 'childPanels'),
  );
  if (logged || String(old) === String(now)) return [];
  const names = new Map(
    [...before.entities, ...after.entities].flatMap(({ child }) =>
      child ? [[child.id, child.name] as const] : [],
    ),
  );
  const named = (ids: readonly number[]): string[] => ids.map((id) => names.get(id) ?? `panel ${id}`);
  const change = { field: 'childPanels', from: named(old), to: named(now) } as const;
  return [difference('panel.changed', { changes: [change], via: 'snapshot' })];
}
