import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PanelEvent } from '../../events/schemas.ts';
import type { Filter } from '../../filters/filter.ts';
import { formatInstant, type Instant, parseInstant } from '../../run/instant.ts';
import type { History, HistoryQuery } from '../../store/history/history.ts';
import { type NamedPlace, namesIn } from '../../store/history/unknown-names.ts';
import { type AnswerLimits, answerLimits } from '../answer-limits.ts';
import { changeFilter } from './facts-of-change.ts';
import { createFoundChanges, kindsOfGreen } from './found-changes.ts';
import type { FoundChange } from './green-turns.ts';
import {
  maySignOffAsGreen,
  type SignOffEvent,
  signOffChanges,
  type WorklistStates,
} from './sign-off-changes.ts';
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
 * Reads a worklist: its entries are derived from the history each time, and what was decided about them is read from the store.
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
  for await (const event of eventsOf(place.history, query, parseInstant(first))) builder.add(event);
  // What else the process does has its turn between the steps of a long worklist.
  await nextTurn();
  const found = builder.result();
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
  return { entries, limits, unreadRows: found.unreadRows };
}

/** Of more entities than so many, the whole history is read. */
const MOST_ENTITIES = 200;
/** Entities that one query names: each may have had several names, and a table has an index for a few at a time. */
const ENTITIES_AT_ONCE = 5;

/**
 * The events that a worklist of changes since an instant rests on, oldest first. Of an entity that changed since, all that happened
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
