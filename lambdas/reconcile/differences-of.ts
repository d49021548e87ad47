import { comparePanel } from '../differences/compare.ts';
import { sameValue } from '../differences/difference.ts';
import type { Count, EntityFacts, PanelFacts, Shown, ShownEntity, ShownPanel } from '../differences/shown.ts';
import { inOrder } from '../events/order.ts';
import { type PanelEvent, typeName } from '../events/schemas.ts';
import type { Published, PublishedEvent } from '../store/store.ts';
import type { KnownPanel, ListedPanel, ListedRegion, Snapshot } from './listed.ts';
import type { ReadListings } from './read-listings.ts';
import type { StoredSweep } from './sweep-state.ts';

/** A panel in two listings, and what to store of it. */
export interface ListedTwice {
  readonly id: number;
  readonly before: ShownPanel;
  readonly after: ShownPanel;
  readonly known: KnownPanel;
  /** Whether the later listing shows anything else than the earlier one. */
  readonly differs: boolean;
  /** When the panel was last listed before, in milliseconds since the epoch; null for one never seen. */
  readonly since: number | null;
  readonly visibility: Visibility;
}

/** Whether a panel is listed now and was listed before: `returned` is one that was not, and was at an earlier time. */
export type Visibility = 'listed' | 'new' | 'returned' | 'vanished';

/** The panels of two listings, with those that appeared and those that vanished. */
export function panelsOfListings(
  before: Snapshot,
  { panels, regions }: ReadListings,
): readonly ListedTwice[] {
  const names = new Map([
    ...[...before.panels.values()].map(({ panel }) => [panel.id, panel.name] as const),
    ...panels.map(({ id, name }) => [id, name] as const),
  ]);
  const nameOf = (id: number): string => names.get(id) ?? `panel ${id}`;
  const listed = new Set(panels.map(({ id }) => id));
  // One that was hidden before may have been public in between, as its rows say.
  const vanished = [...before.panels.values()].filter(({ panel }) => !listed.has(panel.id));
  return [
    ...panels.map((panel): ListedTwice => {
      const old = before.panels.get(panel.id);
      const known = knownPanel(panel, regions.get(panel.id) ?? [], old);
      const after = shownInListing(known, nameOf);
      const { id } = panel;
      if (!old)
        return { id, before: neverListed, after, known, differs: true, since: null, visibility: 'new' };
      return {
        id,
        before: shownInListing(old, nameOf),
        after,
        known,
        differs: !sameValue(shownOf(old), shownOf(known)),
        since: old.lastListedAt ?? before.listedAt,
        visibility: old.lastListedAt === undefined ? 'listed' : 'returned',
      };
    }),
    ...vanished.map((known) => ({
      id: known.panel.id,
      before: shownInListing(known, nameOf),
      after: neverListed,
      known: { ...known, lastListedAt: known.lastListedAt ?? before.listedAt },
      differs: known.lastListedAt === undefined,
      since: known.lastListedAt ?? before.listedAt,
      visibility: 'vanished' as const,
    })),
  ];
}

/** What listings show of a panel, without what events lead to. */
function shownOf({ panel, regions, regionsUnread, lastListedAt }: KnownPanel): object {
  return { panel, regions, regionsUnread, lastListedAt };
}

/**
 * A panel with its regions. A panel that was hidden after the panels were listed has none among the listed regions,
 * although it states that it has some: then its earlier regions are kept, once.
 */
function knownPanel(
  panel: ListedPanel,
  listed: readonly ListedRegion[],
  old: KnownPanel | undefined,
): KnownPanel {
  const lacksRegions = listed.length === 0 && (panel.regions ?? 0) > 0;
  const held = old?.regions ?? [];
  if (!lacksRegions || old?.regionsUnread || held.length === 0) return { panel, regions: [...listed] };
  return { panel, regions: held, regionsUnread: true };
}

/** A panel that was never listed, or is not any more: it is not public, and nothing else is known of it. */
const neverListed: ShownPanel = { facts: { visible: false }, entities: [], whole: [] };

/** What a listing shows of a panel; of its entities, only the regions. `nameOf` gives the name of a panel by its id. */
function shownInListing(known: KnownPanel, nameOf: (id: number) => string): ShownPanel {
  return {
    facts: panelFactsOf(known, nameOf),
    entities: known.regions.map(shownRegion),
    whole: known.regionsUnread ? [] : ['region'],
  };
}

function panelFactsOf(known: KnownPanel, nameOf: (id: number) => string): Shown<PanelFacts> {
  const { panel, expected, lastListedAt } = known;
  const isSuperPanel = (panel.childPanels ?? []).length > 0;
  // The numbers of a super panel follow from those of its panels, and the regions are compared one by one.
  const count = (shown: number | null, before: number | undefined): Count | undefined =>
    shown === null || isSuperPanel ? undefined : { shown, expected: before ?? shown };
  return {
    visible: lastListedAt === undefined,
    version: panel.version,
    name: panel.name,
    description: panel.description ?? undefined,
    status: panel.status,
    types: panel.types.map(({ name }) => name),
    diseaseGroup: panel.diseaseGroup,
    diseaseSubGroup: panel.diseaseSubGroup,
    relevantDisorders: panel.relevantDisorders,
    childPanels: panel.childPanels?.map(nameOf),
    numberOfGenes: count(panel.genes, expected?.genes),
    numberOfStrs: count(panel.strs, expected?.strs),
    numberOfRegions: undefined,
  };
}

function shownRegion(region: ListedRegion): ShownEntity {
  return { type: 'region', name: region.name, facts: regionFacts(region) };
}

function regionFacts(region: ListedRegion): Shown<EntityFacts> {
  return {
    rating: region.rating,
    tags: region.tags,
    sources: region.sources,
    modeOfInheritance: region.modeOfInheritance || null,
    modeOfPathogenicity: region.modeOfPathogenicity || null,
    penetrance: region.penetrance || null,
    phenotypes: region.phenotypes,
    publications: region.publications,
    transcript: undefined,
    gene: region.gene,
    verboseName: region.verboseName || null,
    chromosome: region.chromosome || null,
    grch37: region.grch37?.join('-') ?? null,
    grch38: region.grch38?.join('-') ?? null,
    repeatedSequence: undefined,
    normalRepeats: undefined,
    pathogenicRepeats: undefined,
    haploinsufficiency: region.haploinsufficiency || null,
    triplosensitivity: region.triplosensitivity || null,
    requiredOverlap: region.requiredOverlap?.toString() ?? null,
    variantType: region.variantType,
  };
}

/** Both listings, and what was published before they were read. */
export interface FollowedListings extends ReadListings {
  /** The version of the poller's position up to which events were published before the first page was read. */
  readonly publishedTo: number;
  /** These events, since the stored listing, by panel. */
  readonly events: EventsByPanel;
}

/** A listing that is stored, and those that were read since. */
export interface ComparedListings {
  readonly stored: StoredSweep;
  readonly listings: FollowedListings;
}

/**
 * The stored listing once the events up to the later listings are contained in it: the numbers to which they lead are
 * kept, and the events of hidden panels.
 */
export function followedTo({ stored, listings }: ComparedListings): StoredSweep {
  const { publishedTo, events, listedAt } = listings;
  const listed = new Map(panelsOfListings(stored.snapshot, listings).map((panel) => [panel.id, panel]));
  const panels = new Map(stored.snapshot.panels);
  for (const id of events.keys()) {
    const known = panels.get(id);
    if (known) panels.set(id, following(known, listed.get(id), listings));
  }
  return { ...stored, readTo: publishedTo, snapshot: { listedAt, panels } };
}

function following(
  known: KnownPanel,
  listed: ListedTwice | undefined,
  { events }: FollowedListings,
): KnownPanel {
  const own = eventsSince(known, events.get(known.panel.id));
  if (known.lastListedAt !== undefined) return { ...known, events: beforeHidden(own) };
  if (!listed || listed.differs) return known;
  const { before, after } = listed;
  return { ...known, expected: comparePanel({ before, events: own, after, via: 'listing' }).expected };
}

/** The events that a panel has to be followed through once it comes back: that it was hidden is known. */
export function beforeHidden(events: readonly PanelEvent[]): PanelEvent[] {
  return events.filter(({ type }) => !ofVisibility.has(type));
}

const ofVisibility: ReadonlySet<string> = new Set(
  (['panel.created', 'panel.published', 'panel.withdrawn', 'panel.deleted'] as const).map(typeName),
);

/** Events by the id of their panel. */
type EventsByPanel = ReadonlyMap<number, readonly PublishedEvent[]>;

/** Published events by the id of their panel, up to a version of the position. */
export function byPanel({ events }: Published, until = Number.POSITIVE_INFINITY): EventsByPanel {
  const known = events.filter(({ version, event }) => version <= until && event.data.panel?.id != null);
  return Map.groupBy(known, ({ event }) => event.data.panel?.id ?? 0);
}

/**
 * The events of a panel that its stored state does not contain yet, by the times of their rows: late rows are found
 * in another order.
 */
export function eventsSince(
  known: KnownPanel | undefined,
  published: readonly PublishedEvent[] = [],
): PanelEvent[] {
  const readTo = known?.readTo ?? 0;
  const later = published.flatMap(({ version, event }) => (version > readTo ? [event] : []));
  return inOrder([...(known?.events ?? []), ...later]);
}
