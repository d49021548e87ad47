import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PanelEvent } from '../../events/schemas.ts';
import { type Filter, normalized } from '../../filters/filter.ts';
import type { Names } from '../../filters/names.ts';
import { formatInstant, type Instant, parseInstant } from '../../run/instant.ts';
import type { History, HistoryQuery } from '../../store/history/history.ts';
import { type NamedPlace, namesIn } from '../../store/history/unknown-names.ts';
import { NO_PANEL } from '../../store/sqlite-schema.ts';
import { type AnswerLimits, answerLimits } from '../answer-limits.ts';
import {
  changeFilter,
  createAskedChanges,
  kindsOfGreen,
  matchingChanges,
  placeFilter,
} from './changes-of-events.ts';
import { countedChanges, type WorklistStates } from './sign-offs.ts';
import {
  type AskedEntries,
  askedEntries,
  byTime,
  isOfChange,
  overdueBefore,
  type WorklistEntry,
  worklistOf,
} from './worklist-of.ts';
import {
  changeKinds,
  type FoundChange,
  type FoundChanges,
  type KeptChanges,
  type KeptPlace,
  type KeptRange,
  recordWhere,
  touchedIn,
  type WorklistChange,
  type WorklistRecord,
  type WorklistStore,
} from './worklist-record.ts';
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
  readonly ids?: ReadonlySet<string>;
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
  const bounds = await boundsOf(place, asked);
  const whole = await place.worklist.record();
  const { ids } = asked;
  const record = ids ? recordWhere(whole, ({ entry }) => ids.has(entry)) : whole;
  const found =
    (await keptChanges(place, asked, { ...bounds, record })) ?? (await derivedChanges(place, asked, bounds));
  await nextTurn();
  const counted = await countedChanges(found, asked.settings, { ...place, ...bounds });
  const entries = bounds.entriesOf({ changes: counted, signOffs: found.signOffs, record });
  await nextTurn();
  return { entries, ...(await bounds.limitsOf(entries.length, found.unread)) };
}

/** Which entries a list shows: those of one of its pages. */
export interface ShownEntries extends AskedEntries {
  readonly order: 'oldest' | 'newest' | 'panel';
  /** From 1; of one after the last, the last is shown. */
  readonly page: number;
  readonly size: number;
}

/** One page of the entries that are asked for, in their order, and how many there are. */
export interface WorklistPage extends Worklist {
  /** On the panels, about the genes and of the time that are asked for, in every state. */
  readonly all: number;
  readonly asked: number;
  readonly overdue: number;
}

/**
 * Reads one page of a worklist, as `readWorklist` gives it. Where nothing but a time, catalogues and panels is asked for, only the entries
 * of the page and those that somebody decided about, commented or assigned are read of what is kept; the others are counted.
 * @throws {HistoryError | StateError} as `readWorklist`
 */
export async function readWorklistPage(
  place: WorklistPlace,
  asked: AskedWorklist,
  shown: ShownEntries,
): Promise<WorklistPage> {
  const page = await keptPage(place, asked, shown);
  if (page) return page;
  const { entries, ...limits } = await readWorklist(place, asked);
  const found = askedEntries(entries, shown);
  const begin = beginOf(shown, found.length);
  return {
    ...limits,
    entries: inOrder(found, shown.order).slice(begin, begin + shown.size),
    ...{ all: entries.length, asked: found.length, overdue: found.filter(isOverdue).length },
  };
}

async function keptPage(
  place: WorklistPlace,
  asked: AskedWorklist,
  shown: ShownEntries,
): Promise<WorklistPage | null> {
  const { settings, filter = {}, catalogue, since, until, now } = asked;
  const { order, states, change, assigned, size } = shown;
  const { changes } = place.worklist;
  const bounds = await boundsOf(place, asked);
  const filters = [settings.filter, filter].filter((each) => Object.keys(each).length > 0);
  const placeFilters = filters.map((each) => placeFilter(each, bounds.names)).filter((isOn) => isOn !== null);
  if (!changes || settings.counts !== 'working' || placeFilters.length < filters.length) return null;
  const isSet = changeFilter(settings.filter, bounds.names);
  const record = await place.worklist.record();
  const touched = touchedIn(record);
  const ids = new Set(touched.map(({ id }) => id));
  const before = overdueBefore(settings, now);
  const isOfOthers = states.includes('open') && (assigned === undefined || assigned === null);
  const read = await changes((kept) => {
    const places =
      filters.length === 0 && order !== 'panel'
        ? []
        : kept.places().filter(({ about }) => placeFilters.every((isOn) => isOn(about)));
    const range = {
      catalogue,
      since: earliest(settings.since, since) || undefined,
      until: until === undefined ? undefined : formatInstant(until),
      places: filters.length === 0 ? undefined : numbersOf(places),
    };
    // Nobody has touched the others: each is open and of nobody from its time on.
    const others = {
      ...range,
      kinds: change === 'any' ? undefined : changeKinds.filter((kind) => isOfChange({ kind }, change)),
      before: shown.isOverdue ? before : undefined,
    };
    const countOf = (wanted: KeptRange): number => kept.count(wanted) - kept.count({ ...wanted, ids });
    const found = kept.changes({ ids }).filter((each) => isSet(each.change));
    const panels = [...touched, ...found.map((each) => each.change)];
    const signOffs = kept.signOffs(panels.map(({ panel }) => panel.id));
    const known = bounds.entriesOf({ changes: found, signOffs, record });
    const mine = askedEntries(known, shown);
    const timed = { ...others, before: undefined };
    const open = isOfOthers ? countOf(timed) : 0;
    // Few are not yet overdue, and how many there are in all is counted once.
    const late = isOfOthers ? open - countOf({ ...timed, since: later(before, range.since) }) : 0;
    const number = shown.isOverdue ? late : open;
    const begin = beginOf(shown, mine.length + number);
    // So many of the others are before the page, whatever is between them.
    const skipped = Math.max(0, begin - mine.length);
    const untouchedOnes = { ...others, withoutIds: ids };
    const wanted = { begin: skipped, size: begin + size - skipped };
    const rows = !isOfOthers
      ? []
      : order === 'panel'
        ? sliceByPanel(kept, { range: untouchedOnes, places, ...wanted })
        : kept.slice(untouchedOnes, { order, ...wanted });
    const untouched = bounds.entriesOf({
      changes: rows,
      signOffs: kept.signOffs(rows.map((each) => each.change.panel.id)),
      record: { ...noRecord, readings: record.readings },
    });
    return {
      entries: inOrder([...mine, ...untouched].toSorted(byTime), order).slice(
        begin - skipped,
        begin - skipped + size,
      ),
      unread: kept.unread().filter(isSet),
      all: known.length + countOf(range),
      asked: mine.length + number,
      overdue: mine.filter(isOverdue).length + late,
    };
  });
  if (!read) return null;
  const { unread, ...page } = read;
  return { ...page, ...(await bounds.limitsOf(read.all, unread)) };
}

const numbersOf = (places: readonly KeptPlace[]): readonly number[] => places.map(({ place }) => place);

/** Some changes of a range in the order of their panels. Of the panels after them, nothing is read. */
function sliceByPanel(
  kept: KeptChanges,
  asked: {
    readonly range: KeptRange;
    readonly places: readonly KeptPlace[];
    readonly begin: number;
    readonly size: number;
  },
): readonly FoundChange[] {
  const sorted = asked.places.toSorted((one, other) => byPanel(one.about, other.about));
  const rows: FoundChange[] = [];
  let { begin } = asked;
  for (let at = 0, end = 0; at < sorted.length && rows.length < asked.size; at = end) {
    const first = sorted[at];
    while (first && sorted[end] && byPanel(first.about, sorted[end]?.about ?? first.about) === 0) end += 1;
    const range = { ...asked.range, places: numbersOf(sorted.slice(at, end)) };
    const count = kept.count(range);
    if (begin < count)
      rows.push(...kept.slice(range, { order: 'oldest', begin, size: asked.size - rows.length }));
    begin = Math.max(0, begin - count);
  }
  return rows;
}

const isOverdue = (entry: WorklistEntry): boolean => entry.isOverdue;

const beginOf = ({ page, size }: ShownEntries, entries: number): number =>
  (Math.min(page, Math.max(1, Math.ceil(entries / size))) - 1) * size;

function inOrder(entries: readonly WorklistEntry[], order: ShownEntries['order']): readonly WorklistEntry[] {
  if (order === 'newest') return entries.toReversed();
  return order === 'panel' ? entries.toSorted(byPanel) : entries;
}

const byPanel = (one: KeptPlace['about'], other: KeptPlace['about']): number =>
  one.panel.name.localeCompare(other.panel.name, 'en') || (one.panel.id ?? 0) - (other.panel.id ?? 0);

const noRecord: WorklistRecord = { decisions: [], readings: [], comments: [], assignments: [] };

type Bounds = Awaited<ReturnType<typeof boundsOf>>;

async function boundsOf(place: WorklistPlace, asked: AskedWorklist) {
  const { settings, catalogue, since, until, filter = {}, now, ids } = asked;
  const names = await namesIn(place);
  const first = earliest(settings.since, since);
  const { catalogues, panels } = { ...settings.filter, ...filter };
  const ofPanels = { ...(catalogues && { catalogues }), ...(panels && { panels }) };
  const isAsked = changeFilter(filter, names);
  const isOnPanels = changeFilter(ofPanels, names);
  // A row without a usable time may be of any time.
  const isWanted = ({ at }: WorklistChange): boolean => at === '' || at >= first;
  const isOfCatalogue = (change: WorklistChange): boolean =>
    catalogue === undefined || change.catalogue === catalogue;
  const begin = since === undefined ? null : formatInstant(since);
  const last = until === undefined ? null : formatInstant(until);
  return {
    ...{ names, first, ofPanels },
    entriesOf: ({
      changes,
      ...parts
    }: Pick<Parameters<typeof worklistOf>[0], 'changes' | 'signOffs' | 'record'>) =>
      worklistOf({
        ...{ ...parts, now, overdueDays: settings.overdueDays },
        changes: changes.filter(({ change }) => isWanted(change)),
      }).filter(
        (entry) =>
          isAsked(entry) &&
          isOfCatalogue(entry) &&
          (ids?.has(entry.id) ?? true) &&
          (entry.at === '' || ((begin === null || entry.at >= begin) && (last === null || entry.at < last))),
      ),
    async limitsOf(found: number, unread: FoundChanges['unread']): Promise<Omit<Worklist, 'entries'>> {
      const begin = parseInstant(first) ?? undefined;
      const period = { ...(begin !== undefined && { since: begin }), ...(until !== undefined && { until }) };
      const limits = await answerLimits(place, {
        ...{ ...(catalogue !== undefined && { catalogue }), ...period, found, now },
        filter: bothFilters(settings.filter, filter),
      });
      const of = unread.filter((change) => isWanted(change) && isOnPanels(change) && isOfCatalogue(change));
      return { limits, unreadRows: of.length };
    },
  };
}

async function keptChanges(
  { worklist }: WorklistPlace,
  { settings, filter = {}, ids }: AskedWorklist,
  { names, ofPanels, record }: Bounds & { readonly record: WorklistRecord },
): Promise<FoundChanges | null> {
  if (asksForEvents(settings.filter) || !worklist.changes) return null;
  const isOfSome = ids !== undefined && settings.counts === 'working';
  const kept = await worklist.changes((all) => {
    const changes = all.changes(isOfSome ? { ids } : aboutOf({ ...filter, ...ofPanels }, names));
    const panels = [...touchedIn(record), ...changes.map((each) => each.change)].map(({ panel }) => panel.id);
    return { changes, signOffs: all.signOffs(isOfSome ? panels : undefined), unread: all.unread() };
  });
  return kept && matchingChanges(kept, settings, names);
}

/** On which panels the changes that a filter asks for are, as far as an index says. */
function aboutOf(filter: Filter, names: Names): Pick<KeptRange, 'panels' | 'names'> {
  const { panelIds, namedPanels = [], possibleGenes } = normalized(filter, names);
  // What has no panel may have one of the names.
  const panels = panelIds && [...panelIds, ...namedPanels.map(({ id }) => id), NO_PANEL];
  return { ...(panels && { panels }), ...(possibleGenes && { names: possibleGenes }) };
}

async function derivedChanges(
  { history }: WorklistPlace,
  { settings, catalogue }: AskedWorklist,
  { names, first, ofPanels }: Bounds,
): Promise<FoundChanges> {
  const builder = createAskedChanges(settings, names);
  const query: HistoryQuery = {
    ...(catalogue !== undefined && { catalogue }),
    filter: { ...ofPanels, ...(!asksForEvents(settings.filter) && { types: kindsOfGreen }) },
    order: 'oldest',
  };
  for await (const event of eventsOf(history, query, parseInstant(first))) builder.add(event);
  if (first !== '')
    for await (const event of untimedBefore(history, query, parseInstant(first))) builder.add(event);
  // What else the process does has its turn between the steps of a long worklist.
  await nextTurn();
  return builder.result();
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

const later = (one: string, other = ''): string => (one > other ? one : other);

const earliest = (configured: string | null, since: Instant | undefined): string => {
  const asked = since === undefined ? '' : formatInstant(since);
  return [configured ?? '', asked].toSorted().at(-1) ?? '';
};

function bothFilters(one: Filter, other: Filter): Filter {
  const joined: Record<string, unknown> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = joined[key];
    joined[key] = Array.isArray(known) && Array.isArray(value) ? [...new Set([...known, ...value])] : value;
  }
  return joined;
}
