import type { ClassifiedRow, RecognisedRow } from '../classifier/classify.ts';
import {
  type Correlated,
  correlate,
  createKnownStates,
  entitiesOf,
  panelsOf,
} from '../classifier/correlation/correlate.ts';
import { entityKey } from '../classifier/correlation/subject.ts';
import { eventsOf, isAbout, withoutPublished } from '../differences/events-of.ts';
import { eventKindNames } from '../events/changes.ts';
import { eventId } from '../events/envelope.ts';
import { comparePlaces, OPEN_TRANSACTION, type Place, placeOf, timeOf } from '../events/order.ts';
import type { PanelEvent } from '../events/schemas.ts';
import { createPanelSource } from '../panels/listing-of.ts';
import { createRowSignOffs } from '../panels/row-sign-offs.ts';
import { createStateFacts } from '../panels/state-facts.ts';
import { foundAgainst } from '../panels/version-state.ts';
import { toMessage } from '../publishing/message.ts';
import { type Instant, instantOf, minutes } from '../run/instant.ts';
import { panelKey } from '../store/known-states.ts';
import type { PollOptions } from './poll-options.ts';
import type { Report } from './report.ts';

/** Correlates chunks of rows, one after the other. */
export type Correlator = ReturnType<typeof createCorrelator>;

interface ChunkEvents extends Correlated {
  /** The bodies of events that were published before, which are not among the others: a person moved the mark back. */
  readonly repeated: readonly string[];
}

/** What was found without a row is published within this time: a run that died in between is followed by another. Older events may be forgotten. */
const PUBLISHED_WITHIN: Instant = minutes(7 * 24 * 60);

/** The mark is cut to the seconds of the catalogue's clock, and rows of its second are published with it. */
const MARKS_SECOND: Instant = instantOf(2_000);

/** Whether the history may hold the events of rows of a time, where it holds them up to an instant. */
export const mayBeCovered = (at: Instant, covered: Instant): boolean => at <= covered + MARKS_SECOND;

const isOfOneEntity = ({ source, data }: PanelEvent, other: PanelEvent): boolean =>
  source === other.source && data.panel?.id === other.data.panel?.id && isAbout(data.entity, other);

/** The keys of what an event is about: its entity, also under its name before, or its panel. */
function keysOf({ type, data: { panel, entity, change } }: PanelEvent): readonly string[] {
  if (typeof panel?.id !== 'number') return [];
  if (!entity) return [panelKey(panel.id)];
  const own = entityKey(panel.id, entity);
  return type === 'gene-panel.entity.renamed.v1' && 'from' in change
    ? [own, entityKey(panel.id, { ...entity, name: String(change.from) })]
    : [own];
}

/** The last place of an event by the keys of entities and panels. */
type LastPlaces = Map<string, Place>;

function keepLast(places: LastPlaces, event: PanelEvent, place = placeOf(event)): void {
  const keys = typeof event.data.panel?.id === 'number' ? [panelKey(event.data.panel.id)] : [];
  for (const key of [...keys, ...keysOf(event)]) {
    const last = places.get(key);
    if (!last || comparePlaces(last, place) <= 0) places.set(key, place);
  }
}

/** Correlates rows with the states that are kept. A state is read from the store when a row first needs it, and kept for the run. */
export function createCorrelator(run: PollOptions, report: Report) {
  const { store, ratingsBefore, states, history, clock } = run;
  const catalogue = { name: run.name, url: run.catalogue.url };
  const panelSource = createPanelSource({ ...run, onFailure: () => report.anomaly('panels-unlisted') });
  const stateFacts = states && createStateFacts(states);
  const rowSignOffs = states && createRowSignOffs({ ...run, states });
  const known = createKnownStates();
  const loaded = { entities: new Set<string>(), panels: new Set<number>() };

  const load = async (rows: readonly ClassifiedRow[]): Promise<void> => {
    const entities = entitiesOf(rows).filter((key) => !loaded.entities.has(key));
    const panels = panelsOf(rows).filter((id) => !loaded.panels.has(id));
    known.learn({
      entities: entities.length > 0 ? await store.entities(entities) : new Map(),
      panels: panels.length > 0 ? await store.panels(panels) : new Map(),
    });
    for (const key of entities) loaded.entities.add(key);
    for (const id of panels) loaded.panels.add(id);
  };

  /** Events without a row that a run recorded and did not publish before it died, of entities that others are about: they come first. */
  const unpublishedOf = async (
    silent: readonly PanelEvent[],
    events: readonly PanelEvent[],
  ): Promise<readonly PanelEvent[]> => {
    const since = instantOf(clock.now()) - PUBLISHED_WITHIN;
    const recent = silent.filter(
      (one) => timeOf(one) > since && events.some((event) => isOfOneEntity(one, event)),
    );
    if (!history || recent.length === 0) return [];
    const published = await history.bodiesOf(recent.map((event) => toMessage(event)));
    return recent.filter(({ id }) => !published.has(id));
  };

  /** The bodies of events of rows that were published before, by their ids. */
  const publishedBefore = async (
    rows: readonly ClassifiedRow[],
    covered: Instant | undefined,
  ): Promise<ReadonlyMap<string, string>> => {
    const before = rows.filter(({ at }) => covered === undefined || mayBeCovered(at, covered));
    if (!history || before.length === 0) return new Map();
    const { events } = correlate(rows, known, { catalogue, listing: null });
    const possible = new Set(before.flatMap(({ key }) => eventKindNames.map((kind) => eventId(key, kind))));
    const own = events.filter(({ id }) => possible.has(id)).map((event) => toMessage(event));
    const bodies = await history.bodiesOf(own);
    return new Map(
      own.flatMap(({ id }) => {
        const body = bodies.get(id);
        // A copy of the catalogue under another name has the same rows, and events of its own.
        const isOwn = body !== undefined && JSON.parse(body).data.catalogue === catalogue.name;
        return isOwn ? [[id, body] as const] : [];
      }),
    );
  };

  /** The last place that an event of each entity of a panel has, as far as these are read: all since an instant, and this run's. */
  const lastOf = new Map<number, { readonly since: Instant; readonly places: LastPlaces }>();
  const readLast = async (panelId: number, since: Instant): Promise<LastPlaces> => {
    const read = lastOf.get(panelId);
    if (!history || (read && read.since <= since)) return read?.places ?? new Map();
    const places: LastPlaces = new Map();
    const query = {
      catalogue: catalogue.name,
      since,
      filter: { panels: [panelId] },
      order: 'oldest',
    } as const;
    for await (const event of history.findWithoutRows(query)) keepLast(places, event);
    lastOf.set(panelId, { since, places });
    return places;
  };

  /** Whether two transactions overlapped: an event of its panel with a later place was published, or is in the same chunk. */
  const overlaps = (event: PanelEvent, place: Place, before: LastPlaces): boolean => {
    const id = event.data.panel?.id;
    if (typeof id !== 'number') return false;
    const reached = [before.get(panelKey(id)), known.panels.get(id)];
    return reached.some((one) => one !== undefined && comparePlaces(one, place) > 0);
  };

  /** Whether an event of its entity with a later place was published, or is in the same chunk. */
  const isBehind = async (event: PanelEvent, place: Place, before: LastPlaces): Promise<boolean> => {
    const [key] = keysOf(event);
    const panelId = event.data.panel?.id;
    if (key === undefined || typeof panelId !== 'number') return false;
    const last = await readLast(panelId, place.at - OPEN_TRANSACTION);
    return [before.get(key), last.get(key)].some((one) => one !== undefined && comparePlaces(one, place) > 0);
  };

  return {
    /**
     * The events of a chunk: what its rows add to the changes that were found without a row and published before, and before them
     * the changes that states show and no row states. Later chunks do not know what its rows state before `learn`.
     * @param covered up to which instant the history holds what was published; undefined where it does not say
     */
    async correlate(rows: readonly ClassifiedRow[], covered: Instant | undefined): Promise<ChunkEvents> {
      await load(rows);
      const published = await publishedBefore(rows, covered);
      const isRepeated = ({ key }: ClassifiedRow): boolean =>
        eventKindNames.some((kind) => published.has(eventId(key, kind)));
      const repeated = new Set(published.size > 0 ? rows.filter(isRepeated).map(({ key }) => key) : []);
      const panels = panelsOf(rows);
      const silent =
        panels.length > 0 ? await store.silent(panels) : new Map<number, readonly PanelEvent[]>();
      const listing = await panelSource.listing(panels);
      const ratingBefore = await ratingsBefore?.(rows, { entities: known.entities, silent, repeated });
      const signOffs = await rowSignOffs?.of(rows);
      if (signOffs && signOffs.size > 0) stateFacts?.forgetSignOffs();
      const facts = await stateFacts?.of(panels);
      const foundBefore = (row: RecognisedRow, key: string): readonly PanelEvent[] =>
        (ratingBefore?.(row, key)?.found ?? []).flatMap(({ differences, state, at }) =>
          eventsOf({ id: state.panelId, name: state.panelName, version: state.version }, differences, {
            catalogue,
            foundAgainst: foundAgainst(state),
            at,
            published: silent.get(state.panelId) ?? [],
            facts: listing?.panels.get(state.panelId)?.facts,
            factsReadAt: listing?.readAt,
            known: facts,
          }),
        );
      const context = { catalogue, listing, ratingBefore, foundBefore, repeated, known: facts, signOffs };
      const { events, learnt } = correlate(rows, known, context);
      const left: PanelEvent[] = [];
      const places: LastPlaces = new Map();
      for (const event of events) {
        if (published.has(event.id)) continue;
        const found = silent.get(event.data.panel?.id ?? -1) ?? [];
        const own = withoutPublished(event, found);
        if (!own) continue;
        const place = placeOf(own);
        const isLate =
          own.data.late ||
          found.some((one) => isAbout(own.data.entity, one) && comparePlaces(placeOf(one), place) > 0) ||
          // A person moved the mark to before the first poll, or two transactions overlapped.
          (((covered !== undefined && place.at <= covered) || overlaps(own, place, places)) &&
            (await isBehind(own, place, places)));
        keepLast(places, own, place);
        left.push(isLate ? ({ ...own, data: { ...own.data, late: true } } as PanelEvent) : own);
      }
      const unpublished = await unpublishedOf([...silent.values()].flat(), left);
      return { events: [...unpublished, ...left], learnt, repeated: [...published.values()] };
    },
    /** Takes over what the rows of a chunk stated, once its events are published. */
    learn({ events, learnt }: Correlated): void {
      known.learn(learnt);
      for (const event of events) {
        const read = lastOf.get(event.data.panel?.id ?? -1);
        if (read) keepLast(read.places, event);
      }
    },
  };
}
