import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PanelEvent } from '../../events/schemas.ts';
import { compileFilter, type Filter } from '../../filters/filter.ts';
import { countsAsGreen, inheritanceOf, isOtherInheritance } from '../../filters/inheritance-change.ts';
import { type Names, noNames } from '../../filters/names.ts';
import { formatInstant, type Instant, parseInstant } from '../../run/instant.ts';
import type { History, HistoryQuery } from '../../store/history/history.ts';
import { type NamedPlace, namesIn } from '../../store/history/unknown-names.ts';
import { type AnswerLimits, answerLimits } from '../answer-limits.ts';
import { changeBase, changeFilter, eventEntryId } from './change-of-event.ts';
import type { FoundChange, FoundChanges } from './found-changes.ts';
import { createGreenTurns } from './green-turns.ts';
import {
  isSignOffEvent,
  maySignOffAsGreen,
  type SignOffEvent,
  signOffChanges,
  type WorklistStates,
} from './sign-off-changes.ts';
import { disagreementKinds, type WorklistChange } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';
import { withLaterOnes, worklistOf } from './worklist-of.ts';
import type { WorklistStore } from './worklist-record.ts';
import { asksForEvents, type WorklistSettings } from './worklist-settings.ts';

/** Where a worklist is read: a history, the decisions about it, and what panels held. */
export interface WorklistPlace extends NamedPlace {
  readonly history: History;
  readonly worklist: WorklistStore;
  /** The states of the panels of a catalogue; null where none are kept. */
  readonly statesOf: (catalogue: string) => WorklistStates | null;
}

interface AskedWorklist extends Pick<HistoryQuery, 'catalogue' | 'since' | 'until'> {
  readonly settings: WorklistSettings;
  /** Only these panels and entities, of those that the settings ask for. */
  readonly filter?: Filter;
  /** The present. */
  readonly now: Instant;
}

/** The entries of a worklist, and what keeps them from being all of them. */
export interface Worklist {
  /** Oldest first. */
  readonly entries: readonly WorklistEntry[];
  readonly limits: AnswerLimits;
  /** Rows of the log that could not be read, on the panels asked for: each may state a change that is no entry. */
  readonly unreadRows: number;
}

/**
 * Reads a worklist: its changes are those that the store keeps, or are derived from the history; what was decided about them is
 * read from the store.
 * @throws {HistoryError | StateError} when the history, the decisions or the states cannot be read
 */
export async function readWorklist(place: WorklistPlace, asked: AskedWorklist): Promise<Worklist> {
  const { settings, catalogue, since, until, filter = {}, now } = asked;
  const names = await namesIn(place);
  const builder = createFoundChanges(settings, names);
  const { catalogues, panels } = { ...settings.filter, ...filter };
  const query: HistoryQuery = {
    ...(catalogue !== undefined && { catalogue }),
    filter: {
      ...(catalogues && { catalogues }),
      ...(panels && { panels }),
      ...(!asksForEvents(settings.filter) && { types: kindsOfGreen }),
    },
    order: 'oldest',
  };
  const first = earliest(settings.since, since);
  const derived = async (): Promise<FoundChanges> => {
    for await (const event of eventsOf(place.history, query, parseInstant(first))) builder.add(event);
    if (first !== '')
      for await (const event of untimedBefore(place.history, query, parseInstant(first))) builder.add(event);
    // What else the process does has its turn between the steps of a long worklist.
    await nextTurn();
    return builder.result();
  };
  const kept = asksForEvents(settings.filter) ? null : ((await place.worklist.changes?.()) ?? null);
  const found = kept ? matchingChanges(kept, settings, names) : await derived();
  await nextTurn();
  const changes = await countedChanges(found, settings, { names, statesOf: place.statesOf });
  const record = await place.worklist.record();
  const isAsked = changeFilter(filter, names);
  // A row without a usable time may be of any time.
  const isWanted = ({ change }: Pick<FoundChange, 'change'>): boolean =>
    change.at === '' || change.at >= first;
  const { overdueDays } = settings;
  const all = worklistOf({
    changes: changes.filter(isWanted),
    signOffs: found.signOffs,
    record,
    now,
    overdueDays,
  });
  await nextTurn();
  const last = until === undefined ? null : formatInstant(until);
  const entries = all.filter(
    (entry) =>
      isAsked(entry) &&
      (catalogue === undefined || entry.catalogue === catalogue) &&
      (entry.at === '' ||
        ((since === undefined || entry.at >= formatInstant(since)) && (last === null || entry.at < last))),
  );
  const begin = parseInstant(first) ?? undefined;
  const period = { ...(begin !== undefined && { since: begin }), ...(until !== undefined && { until }) };
  const limits = await answerLimits(place, {
    ...(catalogue !== undefined && { catalogue }),
    ...period,
    filter: bothFilters(settings.filter, filter),
    found: entries.length,
    now,
  });
  const isOnPanels = changeFilter({ ...(catalogues && { catalogues }), ...(panels && { panels }) }, names);
  const unread = found.unread.filter(
    (change) =>
      isWanted({ change }) &&
      isOnPanels(change) &&
      (catalogue === undefined || change.catalogue === catalogue),
  );
  return { entries, limits, unreadRows: unread.length };
}

/** Of more entities than so many, the whole history is read. */
const MOST_ENTITIES = 200;
/** Entities that one query names: each may have had several names, and a table has an index for a few at a time. */
const ENTITIES_AT_ONCE = 5;

/**
 * The events that a worklist of changes since an instant needs, oldest first. Of an entity that changed since, all that happened
 * matters: what it was before, and whether it was taken back. Sign-offs matter to entries that were decided about before.
 */
async function* eventsOf(
  history: WorklistPlace['history'],
  query: HistoryQuery,
  first: Instant | null,
): AsyncIterable<PanelEvent> {
  const names = new Set<string>();
  const recent: PanelEvent[] = [];
  if (first !== null) {
    for await (const event of history.findWithoutRows({ ...query, since: first })) {
      recent.push(event);
      if (event.data.entity) names.add(event.data.entity.name);
    }
  }
  if (first === null || names.size > MOST_ENTITIES) {
    yield* history.findWithoutRows(query);
    return;
  }
  const before = new Map<string, PanelEvent>();
  const readBefore = async (filter: Filter): Promise<void> => {
    const asked = { ...query, until: first, filter: { ...query.filter, ...filter } };
    for await (const event of history.findWithoutRows(asked)) before.set(event.id, event);
  };
  await readBefore({ types: ['panel.signed-off'] });
  const all = [...names];
  for (let start = 0; start < all.length; start += ENTITIES_AT_ONCE)
    await readBefore({ genes: all.slice(start, start + ENTITIES_AT_ONCE) });
  yield* [...before.values()].sort(
    (one, other) => compare(one.time ?? '', other.time ?? '') || compare(one.id, other.id),
  );
  yield* recent;
}

/** Rows without a usable time may be of any time: also those that the history took in before an instant. */
async function* untimedBefore(
  history: WorklistPlace['history'],
  query: HistoryQuery,
  first: Instant | null,
): AsyncIterable<PanelEvent> {
  if (first === null) return;
  const asked = {
    ...query,
    until: first,
    filter: { ...query.filter, types: ['activity.unclassified'] as const },
  };
  for await (const event of history.findWithoutRows(asked)) if (event.time === undefined) yield event;
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

const earliest = (configured: string | null, since: Instant | undefined): string => {
  const asked = since === undefined ? '' : formatInstant(since);
  return [configured ?? '', asked].toSorted().at(-1) ?? '';
};

/** The names of both filters: each of them is looked up. */
function bothFilters(one: Filter, other: Filter): Filter {
  const joined: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = joined[key];
    joined[key] = Array.isArray(known) && Array.isArray(value) ? [...new Set([...known, ...value])] : value;
  }
  return joined;
}

/** The changes that count as the settings say: in the working versions, or in those that are signed off. */
async function countedChanges(
  {
    changes,
    signOffs,
  }: { readonly changes: readonly FoundChange[]; readonly signOffs: readonly SignOffEvent[] },
  { counts, filter }: WorklistSettings,
  {
    names,
    statesOf,
  }: { readonly names: Parameters<typeof changeFilter>[1] } & Pick<WorklistPlace, 'statesOf'>,
): Promise<readonly Pick<FoundChange, 'change' | 'later' | 'isReverted'>[]> {
  if (counts === 'working') return changes;
  const matches = changeFilter(filter, names);
  const { to } = filter;
  const wantsGreen = to === undefined || to.includes('green');
  const wantsLost = to === undefined || to.some((rating) => rating !== 'green');
  const ofSignOffs: FoundChange['change'][] = [];
  for (const event of signOffs) {
    const all = await signOffChanges(event, statesOf(event.data.catalogue));
    ofSignOffs.push(
      ...all.filter((change) => matches(change) && (change.entity === null || wants(change.to))),
    );
  }
  const lost: FoundChange[] = [];
  for (const found of wantsLost ? changes : []) {
    const states = statesOf(found.change.catalogue);
    if (found.change.kind === 'no-longer-green' && (await maySignOffAsGreen(found, states))) lost.push(found);
  }
  return [...lost, ...withLaterOnes(ofSignOffs)];

  function wants(rating: FoundChange['change']['to']): boolean {
    return rating === 'green' ? wantsGreen : wantsLost;
  }
}

/** The kept changes that the settings ask for. */
function matchingChanges(
  { changes, signOffs, unread }: FoundChanges,
  { filter, counts }: WorklistSettings,
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

/** Collects the changes of a worklist; memory grows with what changed. */
interface ChangesBuilder {
  /** Takes the next event; events come oldest first. */
  add(event: PanelEvent): void;
  result(): FoundChanges;
}

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

/** Finds the changes that the settings of a worklist ask for. */
export function createFoundChanges(
  { filter, counts }: Pick<WorklistSettings, 'filter' | 'counts'>,
  names: Names = noNames,
): ChangesBuilder {
  const turns = createGreenTurns();
  const byEvents = counts === 'working' && asksForEvents(filter);
  const matchesEvent = compileFilter(filter, names);
  const matchesChange = changeFilter(filter, names);
  const matched: ReturnType<typeof changeBase>[] = [];
  const inheritance = new Map<string, FoundChange>();
  const disagreements = createDisagreements();
  const signOffs: SignOffEvent[] = [];
  const unread: WorklistChange[] = [];
  return {
    add(event) {
      turns.add(event);
      const ofInheritance = inheritanceChange(event);
      if (ofInheritance && counts === 'working') inheritance.set(event.id, ofInheritance);
      if (isSignOffEvent(event)) signOffs.push(event);
      if (event.type === 'gene-panel.entity.disagreement.v1') disagreements.add(event);
      if (byEvents && matchesEvent(event)) matched.push(changeBase(event));
      else if (event.type === 'gene-panel.activity.unclassified.v1') {
        const { change } = wholeEvent(changeBase(event));
        if (matchesChange(change)) unread.push(change);
      }
    },
    result() {
      const { changes, byEvent } = turns.result();
      if (!byEvents) {
        const all = [...changes, ...inheritance.values()];
        return { changes: all.filter(({ change }) => matchesChange(change)), signOffs, unread };
      }
      const found = matched.map(
        (base) =>
          [byEvent, inheritance, disagreements.byEvent]
            .map((of) => of.get(base.event.id))
            .find((one) => one) ?? wholeEvent(base),
      );
      return { changes: [...new Set(found)], signOffs, unread };
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

const wholeEvent = (
  base: ReturnType<typeof changeBase>,
  kind: WorklistChange['kind'] = 'other-change',
): FoundChange => ({
  change: { ...base, id: eventEntryId(base.event.id), kind, isCertain: true, from: null, to: null },
  ...nothingLater,
});
