import { comparePanel } from '../differences/compare.ts';
import { type Difference, difference } from '../differences/difference.ts';
import type { Rating } from '../events/changes.ts';
import { timeOf } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { nameKey } from '../filters/names.ts';
import { isSameVersion } from '../panels/panel-versions.ts';
import { shownState } from '../panels/state-facts.ts';
import type { StateEntity, VersionState, VersionSummary } from '../panels/version-state.ts';
import { type Instant, minutes } from '../run/instant.ts';
import { SAVING } from './events-between.ts';
import { isAnew } from './set-back.ts';

/** Two states of a panel, one after the other, and its events. */
export interface Step {
  readonly before: VersionState;
  readonly after: VersionState;
  /** The events that `after` holds and `before` does not, oldest first. */
  readonly events: readonly PanelEvent[];
  /** The first events of the next version: the archive may have been made after them. */
  readonly next: readonly PanelEvent[];
}

/** The clocks of the catalogue and of the notifier may differ by so much. */
const A_MINUTE: Instant = minutes(1);

/** What two states differ in and no event leads to. A difference counts that is there at every moment that the state may show. */
export function unexplainedOf(step: Step): readonly Difference[] {
  const { certain, possible } = momentsOf(step);
  const states = withoutUnchanged(step, [...certain, ...possible]);
  const [before, after] = [shownState(states.before), shownState(states.after)];
  const compare = (events: readonly PanelEvent[]): readonly Difference[] =>
    comparePanel({ before, events, after, via: 'snapshot' }).differences;
  const found = compare(certain);
  if (found.length === 0) return found;
  const others = [...momentsAfter(certain, possible, compare)];
  // What was read of this version before may hold the events of that minute.
  if (isSameVersion(step.before, step.after)) {
    const { readAt } = step.before;
    const isThen = (event: PanelEvent): boolean =>
      timeOf(event) > readAt && timeOf(event) <= readAt + A_MINUTE;
    others.push(compare(certain.filter((event) => !isThen(event))));
  }
  const lasting = found.filter((one) =>
    others.every((moment) => moment.some((other) => sameSubject(one, other))),
  );
  return lasting.filter((one) => !isUsualRating(one, lasting));
}

/** Ratings by which an addition without a stated rating is reported: without one, the catalogue rates it red or not at all. */
const reported: readonly (Rating | null)[] = ['green', 'amber'];

/** Whether a difference is the rating that an entity has because the row that added it states none. */
function isUsualRating({ change, entity }: Difference, found: readonly Difference[]): boolean {
  if (!('direction' in change) || change.direction !== 'new' || reported.includes(change.to)) return false;
  const isAdded = (one: Difference): boolean =>
    one.kind === 'entity.added' && one.entity?.type === entity?.type && one.entity?.name === entity?.name;
  return !found.some(isAdded);
}

/** Kind and entity of a difference: two differences about the same are one at different moments. */
const aboutOf = ({ kind, entity }: Difference): string =>
  JSON.stringify([kind, entity?.type, entity?.name.toLowerCase()]);

/** An entity under a symbol that HGNC changed is another one to the rows about it: a renaming is then an addition. */
const sameSubject = (one: Difference, other: Difference): boolean =>
  aboutOf(one) === aboutOf(other) ||
  (one.kind === 'entity.renamed' && other.kind === 'entity.added' && one.entity?.name === other.entity?.name);

const sameRating = ({ change: one }: Difference, { change: other }: Difference): boolean =>
  !('direction' in one && 'direction' in other) || (one.from === other.from && one.to === other.to);

/** Whether an event says that its entity is there from then on, under its name. */
const adds = ({ type }: PanelEvent): boolean =>
  type === 'gene-panel.entity.added.v1' || type === 'gene-panel.entity.renamed.v1';

/**
 * The differences at each moment that a state may show, with more and more of what may have happened by then. What leads to a
 * difference that was not there before had not happened: the state contradicts it. Nor does a row about an entity explain that the
 * state shows it.
 */
function* momentsAfter(
  certain: readonly PanelEvent[],
  possible: readonly PanelEvent[],
  compare: (events: readonly PanelEvent[]) => readonly Difference[],
): Generator<readonly Difference[]> {
  let events = certain;
  let last = possible.length > 0 ? compare(certain) : [];
  for (const event of possible) {
    const moment = compare([...events, event]);
    const isIn = (one: Difference, found: readonly Difference[]): boolean =>
      found.some((other) => sameSubject(one, other) && sameRating(one, other));
    if (moment.some((one) => !isIn(one, last))) continue;
    if (!adds(event) && last.some((one) => one.kind === 'entity.added' && !isIn(one, moment))) continue;
    events = [...events, event];
    last = moment;
    yield moment;
  }
}

interface Moments {
  readonly certain: readonly PanelEvent[];
  /** Events that the state may hold, or not. */
  readonly possible: readonly PanelEvent[];
}

function momentsOf({ after, events, next }: Step): Moments {
  if (after.source === 'archive') return { certain: events, possible: next };
  const isPossible = (event: PanelEvent): boolean => {
    const at = timeOf(event);
    // Only what differs from the state before counts.
    const isUnchanged = 'direction' in event.data.change && event.data.change.direction === 'unchanged';
    return at > after.readAt && at <= after.readAt + A_MINUTE && !isUnchanged;
  };
  return {
    certain: events.filter((event) => timeOf(event) <= after.readAt),
    possible: [...next.filter((event) => timeOf(event) <= after.readAt), ...events.filter(isPossible)],
  };
}

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
  const anew = versions.findLastIndex(isAnew);
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
