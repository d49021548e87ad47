import type { Rating } from '../events/changes.ts';
import { compareInOrder } from '../events/order.ts';
import type { Entity, PanelEvent } from '../events/schemas.ts';
import { contentsOf, type PanelContents } from '../panels/compare-states.ts';
import { type HeldPlace, heldInVersion, heldNow, holdingsNow } from '../panels/held-at.ts';
import type { PanelStateStore } from '../panels/panel-state-store.ts';
import { comingSignOffs, signedOffAt } from '../panels/signed-off-at.ts';
import {
  holdingsOf,
  identityOf,
  type SignOff,
  type StateEntity,
  type VersionState,
  type VersionSummary,
} from '../panels/version-state.ts';
import { type Instant, instantOf, minutes, parseInstant } from '../run/instant.ts';
import type { History, HistoryQuery } from '../store/history/history.ts';
import type { Background, Elsewhere, SignedOffHolding } from '../words/message-context.ts';
import { rCodesOf } from '../words/panel-words.ts';
import { type Privacy, withPrivacy } from '../words/privacy.ts';

/** The rows of one action lie seconds apart; a comment may take a person a little longer. */
const SAME_ACTION = minutes(2);
/** The most genes that a query names; for more of them, it reads those of the whole panel. */
const MOST_NAMES = 100;
/** Of one panel: more events than any panel has ratings. */
const MOST_EVENTS = 20_000;

type Rated = PanelEvent<'entity.classified'>;

/** What the history says about each change of rating among events, by their ids. It asks twice for each panel. */
export async function backgroundsOf(
  events: readonly PanelEvent[],
  history: Pick<History, 'find'> | null,
  privacy: Privacy,
): Promise<ReadonlyMap<string, Background>> {
  const backgrounds = new Map<string, Background>();
  const rated = events.filter(
    (event): event is Rated =>
      event.type === 'gene-panel.entity.classified.v1' &&
      typeof event.data.panel.id === 'number' &&
      parseInstant(event.time) !== null,
  );
  if (!history) return backgrounds;
  for (const own of Map.groupBy(rated, ({ data }) => `${data.catalogue} ${data.panel.id}`).values()) {
    const befores = await ratingsBefore(own, history);
    const comments = await commentsOf(own, history, privacy);
    for (const { id } of own) {
      const [before, comment] = [befores.get(id), comments.get(id)];
      backgrounds.set(id, { ...(before && { before }), ...(comment !== undefined && { comment }) });
    }
  }
  return backgrounds;
}

function about(
  events: readonly Rated[],
): Pick<HistoryQuery, 'catalogue'> & Required<Pick<HistoryQuery, 'filter'>> {
  const genes = [...new Set(events.map(({ data }) => data.entity.name))];
  const { catalogue, panel } = (events[0] as Rated).data;
  const panels = [panel.id as number];
  return { catalogue, filter: { panels, ...(genes.length <= MOST_NAMES && { genes }) } };
}

const entityOf = ({ data: { entity } }: PanelEvent): string => `${entity?.type} ${entity?.name}`;
const timeOf = ({ time }: PanelEvent): Instant => parseInstant(time) ?? 0n;

/** The rating before, where an earlier event states it, and since when it held. */
async function ratingsBefore(
  events: readonly Rated[],
  history: Pick<History, 'find'>,
): Promise<ReadonlyMap<string, Background['before']>> {
  const newest = events.map(timeOf).reduce((one, other) => (one > other ? one : other));
  const { filter, ...place } = about(events);
  const open = Map.groupBy(
    events.filter(({ data }) => data.change.from !== null),
    entityOf,
  );
  const found = new Map<string, Background['before']>();
  const ended = new Set<string>();
  const query = { ...place, until: newest, order: 'newest', limit: MOST_EVENTS } as const;
  for await (const each of history.find({ ...query, filter: { ...filter, types: ['entity.classified'] } })) {
    if (each.type !== 'gene-panel.entity.classified.v1' || !each.time) continue;
    for (const event of open.get(entityOf(each)) ?? []) {
      if (ended.has(event.id) || compareInOrder(each, event) >= 0) continue;
      const { from } = event.data.change;
      const { to, direction } = each.data.change;
      const holds = from !== null && to === from;
      if (holds) {
        found.set(event.id, { rating: from, since: each.time, version: each.data.panel.version });
      }
      if (!holds || direction !== 'unchanged') ended.add(event.id);
    }
  }
  return found;
}

async function commentsOf(
  events: readonly Rated[],
  history: Pick<History, 'find'>,
  privacy: Privacy,
): Promise<ReadonlyMap<string, string>> {
  const times = events.map(timeOf).toSorted((one, other) => (one < other ? -1 : 1));
  const { filter, ...place } = about(events);
  const byEntity = Map.groupBy(events, entityOf);
  const comments = new Map<string, string>();
  for (const [since, until] of spans(times)) {
    const query = { ...place, since, until, order: 'oldest', limit: MOST_EVENTS } as const;
    const types = ['entity.commented', 'entity.reviewed'] as const;
    for await (const each of history.find({ ...query, filter: { ...filter, types } })) {
      const shown = withPrivacy(each, privacy).data.change;
      if (!('comment' in shown) || typeof shown.comment !== 'string') continue;
      for (const event of byEntity.get(entityOf(each)) ?? []) {
        const apart = timeOf(each) - timeOf(event);
        if (each.data.actor === event.data.actor && apart < SAME_ACTION && -apart <= SAME_ACTION)
          comments.set(event.id, shown.comment);
      }
    }
  }
  return comments;
}

function spans(times: readonly Instant[]): readonly (readonly [since: Instant, until: Instant])[] {
  const joined: [Instant, Instant][] = [];
  for (const at of times) {
    const [since, until] = [at - SAME_ACTION, at + SAME_ACTION];
    const last = joined.at(-1);
    if (last && since <= last[1]) last[1] = until;
    else joined.push([since, until]);
  }
  return joined;
}

type MessageStates = Pick<
  PanelStateStore,
  'newest' | 'panels' | 'holdings' | 'signOffs' | 'find' | 'at' | 'versions' | 'read'
>;

/** The states of a catalogue; null where none are kept. */
export type StatesOf = (catalogue: string) => MessageStates | null;

/** What messages are made from besides their events. */
export interface MessageSources {
  readonly statesOf: StatesOf;
  /** What was published; null where none is kept. */
  readonly history: Pick<History, 'find'> | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Facts = Omit<Background, 'before' | 'comment'>;

const MOST_LOOKED_UP = 40;

/** What the states of panels say of the entities of events, by the ids of the events; nothing of what is not kept. */
export async function entityFactsOf(
  events: readonly PanelEvent[],
  options: MessageSources,
): Promise<ReadonlyMap<string, Facts>> {
  const found = new Map<string, Facts>();
  const about = events.filter(({ data }) => data.entity !== null && typeof data.panel?.id === 'number');
  for (const [catalogue, own] of Map.groupBy(about, ({ data }) => data.catalogue)) {
    const states = options.statesOf(catalogue);
    if (!states) continue;
    const elsewhere = await panelsElsewhere(own, catalogue, { states, ...options });
    for (const [panelId, ofPanel] of Map.groupBy(own, ({ data }) => data.panel?.id as number)) {
      const onPanel = await panelFacts(panelId, catalogue, { states, ...options });
      for (const event of ofPanel) {
        const entity = event.data.entity as Entity;
        const facts = onPanel(entity);
        const identity = identityOf({ ...entity, hgncId: facts.hgncId ?? null });
        const others = elsewhere(identity, panelId);
        found.set(event.id, { ...facts, ...(others.length > 0 && { elsewhere: others }) });
      }
    }
  }
  return found;
}

interface CatalogueOptions extends MessageSources {
  readonly states: MessageStates;
}

async function panelFacts(
  panelId: number,
  catalogue: string,
  { states, history, now }: CatalogueOptions,
): Promise<(entity: Entity) => Facts> {
  const place = heldPlace(states, catalogue, history);
  const newest = (await heldNow(panelId, place))?.state ?? null;
  const signedOff = await signedOffHoldings(panelId, { ...place, now });
  const ratings = newest ? holdingsOf(newest) : new Map<string, { rating: Rating | null }>();
  return (entity) => {
    const held = newest && heldIn(newest, entity);
    const hgncId = entity.hgncId ?? held?.hgncId ?? null;
    const identified = { type: entity.type, name: entity.name, hgncId };
    const rating = ratings.get(identityOf(identified))?.rating;
    const mode = held?.modeOfInheritance;
    const holding = signedOff(identified);
    return {
      ...(hgncId !== null && { hgncId }),
      ...(mode && { modeOfInheritance: mode }),
      ...(rating && { rating }),
      ...(holding && { signedOff: holding }),
    };
  };
}

/**
 * What the version of a panel that counts now says of an entity, or one that counts from a later day and holds it as green; null
 * where nothing is signed off.
 */
async function signedOffHoldings(
  panelId: number,
  { now, ...place }: ReturnType<typeof heldPlace> & Pick<CatalogueOptions, 'now'>,
): Promise<(entity: Parameters<PanelContents['statusOf']>[0]) => SignedOffHolding | null> {
  const all = await place.states.signOffs(panelId);
  const counting = signedOffAt(all, instantOf(now));
  const listOf = async (signOff: SignOff) => {
    const held = await heldInVersion(panelId, signOff.version, place);
    return { signOff, contents: held && contentsOf(held.state) };
  };
  const current = counting && (await listOf(counting));
  const coming = await Promise.all(comingSignOffs(all, instantOf(now)).map(listOf));
  return (entity) => {
    const holdings = [current ?? [], coming].flat().map(({ signOff, contents }): SignedOffHolding => {
      const status = contents?.statusOf(entity) ?? 'unknown';
      return {
        version: signOff.version,
        date: signOff.date,
        ...(signOff !== counting && { isComing: true }),
        rating: status === 'unknown' ? null : status,
      };
    });
    const green = holdings.find(({ rating }) => rating === 'green');
    return green ?? holdings[0] ?? null;
  };
}

const heldIn = ({ entities }: VersionState, { type, name, hgncId }: Entity): StateEntity | undefined =>
  entities.find((each) => each.type === type && each.name === name) ??
  entities.find((each) => each.type === type && hgncId !== undefined && each.hgncId === hgncId);

/** Where messages read what panels of a catalogue hold. */
export const heldPlace = (
  states: MessageStates,
  catalogue: string,
  history: Pick<History, 'find'> | null,
): HeldPlace<'newest' | 'find' | 'panels' | 'holdings'> & { readonly states: MessageStates } => ({
  catalogue,
  states,
  history: history && { findWithoutRows: (query: HistoryQuery) => history.find(query) },
});

async function panelsElsewhere(
  events: readonly PanelEvent[],
  catalogue: string,
  { states, history }: CatalogueOptions,
): Promise<(identity: string, panelId: number) => readonly Elsewhere[]> {
  const place = heldPlace(states, catalogue, history);
  const entities = new Map<string, Parameters<PanelContents['find']>[0]>();
  for (const { data } of events) {
    const entity = data.entity as Entity;
    const held = entity.hgncId === undefined ? await heldNow(data.panel?.id as number, place) : null;
    const hgncId = entity.hgncId ?? (held && heldIn(held.state, entity)?.hgncId) ?? null;
    entities.set(identityOf({ ...entity, hgncId }), { ...entity, hgncId });
    if (entities.size >= MOST_LOOKED_UP) break;
  }
  const shown = (await states.panels()).filter(isShown);
  const panels = new Map(shown.map((summary) => [summary.panelId, summary]));
  const found = await holdingsNow(entities, place);
  return (identity, own) =>
    (found.get(identity) ?? []).flatMap(({ panelId, rating }) => {
      const summary = panels.get(panelId);
      if (!summary || panelId === own || rating === null) return [];
      const [code] = rCodesOf({ relevantDisorders: summary.relevantDisorders });
      return [{ panel: code ?? summary.panelName, rating }];
    });
}

/** A super panel repeats its panels; no test uses a retired panel. */
const isShown = ({ childPanels, status }: VersionSummary): boolean =>
  childPanels.length === 0 && status !== 'retired' && status !== 'deleted';
