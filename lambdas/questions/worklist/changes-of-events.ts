import { hash } from 'node:crypto';
import { eventKinds, kindOf } from '../../events/kinds.ts';
import { createOrdering } from '../../events/order.ts';
import { rCodesIn } from '../../events/r-codes.ts';
import type { PanelEvent } from '../../events/schemas.ts';
import {
  countsAsGreen,
  type EntityHistory,
  type EntityStatus,
  inheritanceOf,
  isOtherInheritance,
} from '../../filters/entity-history.ts';
import { compileFacts, compileFilter, type EventFacts, type Filter } from '../../filters/filter.ts';
import { greenTurnOf, greenTurns } from '../../filters/green-turn.ts';
import { type Names, nameKey, noNames } from '../../filters/names.ts';
import { foldEntities } from '../../filters/net-changes.ts';
import {
  disagreementKinds,
  type FoundChange,
  type FoundChanges,
  type KeptPlace,
  type LaterTurn,
  type SignedOffThen,
  type WorklistChange,
} from './worklist-record.ts';
import { asksForEvents, type WorklistSettings } from './worklist-settings.ts';

/** What an event says of a change, before it is known what the change means for a worklist. */
type ChangeBase = Omit<WorklistChange, 'id' | 'kind' | 'isCertain' | 'from' | 'to' | 'inheritance'>;

/** The facts of an event that a worklist shows. */
export function changeBase({ id, source, type, time = '', data }: PanelEvent): ChangeBase {
  const { catalogue, panel, entity, actor, summary, late } = data;
  return {
    catalogue,
    source,
    panel: {
      id: panel?.id ?? null,
      name: panel?.name ?? '',
      version: panel?.version ?? null,
      types: [...(panel?.types ?? [])],
      disorders: [...(panel?.relevantDisorders ?? [])],
    },
    entity: entity && { type: entity.type, name: entity.name, hgncId: entity.hgncId ?? null },
    at: time,
    actor,
    event: { id, type, summary },
    late,
  };
}

/**
 * The id of the entry for a turn of an entity: two events of one action that state it, in either order, give one entry.
 * @param place what of one instant it is, such as `green`
 */
function turnId({ source, panel, entity, at, event }: ChangeBase, place: string): string {
  const where = panel.id ?? panel.name;
  const what = entity && [entity.type, entity.name.toUpperCase()];
  return idOf([source, where, what, at === '' ? event.id : at, place]);
}

/** The id of the entry for an event as a whole, or for one entity of it. */
export const eventEntryId = (event: string, part = ''): string => idOf([event, part]);

const idOf = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(['worklist.v1', ...parts]), 'hex').slice(0, 32);

/**
 * Whether a change is on the panels and about the entities that a filter asks for. What the filter asks of events, such as a
 * type or a rating, is not compared.
 */
export function changeFilter(filter: Filter, names: Names = noNames): (change: WorklistChange) => boolean {
  const { topics: _topics, types: _types, from: _from, to: _to, ...rest } = filter;
  const { direction: _direction, tags: _tags, green: _green, ...others } = rest;
  const { inheritanceFrom: _before, inheritanceTo: _now, ...about } = others;
  const { genes: _genes, entityTypes: _entityTypes, ...ofPanels } = about;
  // An empty filter asks nothing of the facts, which take a while to find for thousands of changes.
  if (Object.keys(about).length === 0) return ({ event }) => kindOf(event.type) !== undefined;
  const matches = compileFacts(about, names);
  const matchesPanel = compileFacts(ofPanels, names);
  return (change) => {
    const facts = factsOf(change);
    if (facts === null) return false;
    // What a whole panel is about may be about any of its genes.
    return change.entity === null ? matchesPanel(facts) : matches(facts);
  };
}

/** Whether a filter that asks for nothing but panels finds the changes of a panel; null for a filter that asks for more. */
export function placeFilter(filter: Filter, names: Names): ((about: KeptPlace['about']) => boolean) | null {
  const { panels: _panels, panelTypes: _types, rCodes: _codes, catalogues: _catalogues, ...others } = filter;
  if (Object.keys(others).length > 0) return null;
  const matches = compileFacts(filter, names);
  const event = { id: '', type: 'gene-panel.entity.classified.v1', summary: '' };
  return (about) => {
    const facts = factsOf({ ...about, event, entity: null, actor: null, late: false });
    return facts !== null && matches(facts);
  };
}

type FilteredFacts = KeptPlace['about'] & Pick<WorklistChange, 'entity' | 'actor' | 'late' | 'event'>;

function factsOf(change: FilteredFacts): EventFacts | null {
  const { catalogue, panel, entity, actor, late, event } = change;
  const kind = kindOf(event.type);
  if (kind === undefined) return null;
  const names = entity ? [entity.name, ...(entity.hgncId === null ? [] : [entity.hgncId])] : [];
  return {
    catalogue,
    kind,
    topic: eventKinds[kind].topic,
    panelId: panel.id,
    panelNames: [nameKey(panel.name)],
    panelTypes: panel.types,
    rCodes: rCodesIn(panel.disorders),
    entityType: entity?.type ?? null,
    entityNames: names.map(nameKey),
    ...{ from: null, to: null, direction: null, green: null, tags: [] },
    ...{ inheritanceFrom: [], inheritanceTo: [] },
    actor: actor === null ? null : nameKey(actor),
    late,
  };
}

const signedOffIn = ({ data: { panel } }: PanelEvent): SignedOffThen => ({
  version: panel?.signedOffVersion ?? null,
  isSignedOff: panel?.signedOff ?? null,
});

/** One change of the rating of an entity. Two events of one instant are one turn. */
interface Turn {
  readonly base: ChangeBase;
  readonly signedOff: SignedOffThen;
  readonly from: EntityStatus;
  readonly to: EntityStatus;
}

/** Finds the turns of the entities of panels. */
function createGreenTurns() {
  const folded = foldEntities();
  const tracks = new Map<EntityHistory, { seen: number; readonly turns: Turn[] }>();
  /** The turn of each event, by the track and the place in it. */
  const events = new Map<string, { readonly track: EntityHistory; readonly place: number }>();
  const ordering = createOrdering((event) => {
    const history = folded.add(event);
    const steps = history?.change()?.steps;
    if (!history || !steps) return;
    const track = tracks.get(history) ?? { seen: 0, turns: [] };
    tracks.set(history, track);
    const isNew = steps.length > track.seen;
    track.seen = steps.length;
    const [from, to] = steps.slice(-2);
    if (isNew && from !== undefined && to !== undefined)
      join(track.turns, { base: changeBase(event), signedOff: signedOffIn(event), from, to });
    if (track.turns.at(-1)?.base.at === event.time)
      events.set(event.id, { track: history, place: track.turns.length - 1 });
  });
  return {
    /** Takes the next event, oldest first by `time`. */
    add: ordering.add,
    /** What turned green or ceased to be, as far as the events say, and the change that each of these events is part of. */
    result() {
      ordering.finish();
      const found = new Map<Turn, FoundChange>();
      for (const { turns } of tracks.values()) {
        const all = turns.map(laterTurnOf);
        for (const [place, turn] of turns.entries()) {
          const change = changeOf(turn, turns[place - 1], turns[place + 1]);
          if (change)
            found.set(turn, { ...withLater(change, all.slice(place + 1)), signedOff: turn.signedOff });
        }
      }
      const byEvent = new Map<string, FoundChange>();
      for (const [id, { track, place }] of events) {
        const turn = tracks.get(track)?.turns[place];
        const change = turn && found.get(turn);
        if (change) byEvent.set(id, change);
      }
      return { changes: [...found.values()], byEvent };
    },
  };
}

/** An addition and its rating have one time, in either order: together they are one turn. */
function join(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  if (!last || last.base.at !== turn.base.at || turn.base.at === '') turns.push(turn);
  else turns[turns.length - 1] = { ...last, to: turn.to };
}

/** What a turn means; null where what counts stays as it was. */
function changeOf(
  { base, from, to }: Turn,
  last: Turn | undefined,
  next: Turn | undefined,
): WorklistChange | null {
  // Whether an entity that lost its rating with its source is green still, its next turn says.
  const settled = from === 'green' && to === 'unknown' ? (next?.to ?? to) : to;
  const turn = greenTurnOf(from, settled) ?? greenTurnOf(from, to);
  if (turn === null) return null;
  const { isGreen } = greenTurns[turn];
  const known = from === 'unknown' ? last?.from : from;
  // Of a rating that was unknown from the beginning, green is possible. A loss of a source is one change with what it led to.
  const isPublished =
    from === 'unknown' ? last !== undefined : last?.from === 'green' && last.to === 'unknown';
  if (!isGreen && isPublished) return null;
  const isCertain = isGreen
    ? known !== undefined && known !== 'green' && known !== 'unknown'
    : greenTurns[turn].isCertain;
  return {
    ...{ ...base, from, to, isCertain },
    id: turnId(base, isGreen ? 'green' : 'not green'),
    kind: isGreen ? 'now-green' : 'no-longer-green',
  };
}

function withLater(
  change: WorklistChange,
  later: FoundChange['later'],
): Pick<FoundChange, 'change' | 'later' | 'isReverted'> {
  return { change, later, isReverted: isTakenBack(change, later) };
}

/** Whether the last of what happened later took a turn back. */
export function isTakenBack({ kind }: Pick<WorklistChange, 'kind'>, later: FoundChange['later']): boolean {
  const now = later.at(-1)?.to;
  return now !== undefined && (kind === 'now-green') !== (now === 'green');
}

const laterTurnOf = ({ base, from, to }: Turn): LaterTurn => ({
  ...{ event: base.event.id, at: base.at, from, to, version: base.panel.version },
});

/** A sign-off, or its withdrawal, as an event states it. */
export type SignOffEvent = PanelEvent<'panel.signed-off'>;

/** Whether an event is a sign-off or its withdrawal. */
const isSignOffEvent = (event: PanelEvent): event is SignOffEvent =>
  event.type === 'gene-panel.panel.signed-off.v1';

/** The version that is signed off or withdrawn; null where it is unknown. */
export const signedVersion = ({ data: { change } }: SignOffEvent): string | null =>
  change.signedOffVersion ?? change.version ?? null;

/** The kinds of events that a worklist of green reads. */
export const kindsOfGreen = [
  'entity.classified',
  'entity.added',
  'entity.removed',
  'entity.renamed',
  'entity.annotated',
  'panel.signed-off',
  'activity.unclassified',
] as const satisfies NonNullable<Filter['types']>;

/** Finds every change of a worklist of green. */
export function createFoundChanges() {
  const turns = createGreenTurns();
  const inheritance = new Map<string, FoundChange>();
  const signOffs: SignOffEvent[] = [];
  const unread: WorklistChange[] = [];
  return {
    /** Takes the next event; events come oldest first. */
    add(event: PanelEvent) {
      turns.add(event);
      const ofInheritance = inheritanceChange(event);
      if (ofInheritance) inheritance.set(event.id, ofInheritance);
      if (isSignOffEvent(event)) signOffs.push(event);
      if (event.type === 'gene-panel.activity.unclassified.v1')
        unread.push(wholeEvent(changeBase(event)).change);
    },
    /** What was found, and the change that an event is part of, by its id. */
    result() {
      const { changes, byEvent } = turns.result();
      return {
        ...{ changes: [...changes, ...inheritance.values()], signOffs, unread },
        ofEvent: (id: string): FoundChange | undefined => byEvent.get(id) ?? inheritance.get(id),
      };
    },
  };
}

/** Finds the changes that the settings of a worklist ask for. */
export function createAskedChanges(settings: AskedSettings, names: Names = noNames) {
  if (settings.counts === 'working' && asksForEvents(settings.filter))
    return createMatchedChanges(settings.filter, names);
  const { add, result } = createFoundChanges();
  return { add, result: () => matchingChanges(result(), settings, names) };
}

type AskedSettings = Pick<WorklistSettings, 'filter' | 'counts'>;

/** Those of every change of a worklist of green that settings ask for. */
export function matchingChanges(
  { changes, signOffs, unread }: FoundChanges,
  { filter, counts }: AskedSettings,
  names: Names,
): FoundChanges {
  const matches = changeFilter(filter, names);
  return {
    changes: changes.filter(
      ({ change }) => matches(change) && (counts === 'working' || change.kind !== 'inheritance-changed'),
    ),
    signOffs,
    unread: unread.filter(matches),
  };
}

/** Finds a change for each event that a filter asks for. */
function createMatchedChanges(filter: Filter, names: Names) {
  const green = createFoundChanges();
  const disagreements = createDisagreements();
  const matches = compileFilter(filter, names);
  const matched = new Map<string, ChangeBase>();
  return {
    /** Takes the next event; events come oldest first. */
    add(event: PanelEvent) {
      green.add(event);
      if (event.type === 'gene-panel.entity.disagreement.v1') disagreements.add(event);
      if (matches(event)) matched.set(event.id, changeBase(event));
    },
    result(): FoundChanges {
      const { ofEvent, signOffs, unread } = green.result();
      const found = Array.from(
        matched,
        ([id, base]) => ofEvent(id) ?? disagreements.byEvent.get(id) ?? wholeEvent(base),
      );
      const others = unread.filter(({ event }) => !matched.has(event.id));
      return { changes: [...new Set(found)], signOffs, unread: others.filter(changeFilter(filter, names)) };
    },
  };
}

const nothingLater = {
  later: [],
  isReverted: false,
  signedOff: { version: null, isSignedOff: null },
} as const;

/** The entry for another mode of inheritance of an entity that is green, or may be; null for other events. */
function inheritanceChange(event: PanelEvent): FoundChange | null {
  const step = inheritanceOf(event);
  if (!step || !isOtherInheritance(step) || event.type !== 'gene-panel.entity.annotated.v1') return null;
  const rating = event.data.change.rating ?? 'unknown';
  if (!countsAsGreen(rating)) return null;
  return {
    change: {
      ...changeBase(event),
      ...{ id: eventEntryId(event.id, 'inheritance'), kind: 'inheritance-changed' },
      ...{ isCertain: rating === 'green', from: null, to: null, inheritance: step },
    },
    ...nothingLater,
  };
}

/** The entries for what catalogues disagree about. How two panels stand to each other about an entity now ends how they stood before. */
function createDisagreements() {
  const byEvent = new Map<string, FoundChange>();
  const last = new Map<string, FoundChange>();
  return {
    byEvent,
    add(event: PanelEvent<'entity.disagreement'>): void {
      const { entity, panel, change, catalogue } = event.data;
      const named = entity.hgncId ?? `${entity.type} ${entity.name.toLowerCase()}`;
      const place = JSON.stringify([
        catalogue,
        panel.id,
        change.there.catalogue,
        change.there.panel.id,
        named,
      ]);
      const found = wholeEvent(changeBase(event), disagreementKinds[change.to]);
      const before = last.get(place);
      const { at } = found.change;
      const rating = change.here.rating;
      const turn = { event: event.id, at, from: rating, to: rating, version: panel.version ?? null };
      if (before) byEvent.set(before.change.event.id, { ...before, later: [turn], isReverted: true });
      last.set(place, found);
      byEvent.set(event.id, found);
    },
  };
}

const wholeEvent = (base: ChangeBase, kind: WorklistChange['kind'] = 'other-change'): FoundChange => ({
  change: { ...base, id: eventEntryId(base.event.id), kind, isCertain: true, from: null, to: null },
  ...nothingLater,
});
