import type { PanelChange, Rating } from '../../events/changes.ts';
import { comparePlaces, isBeforeVersion, type Place } from '../../events/order.ts';
import type { EventPanel, PanelFacts, SomePanelFacts } from '../../events/schemas.ts';
import { formatInstant, type Instant, later, minutes } from '../../run/instant.ts';
import type {
  EntityState,
  EntityStates,
  PanelState,
  PanelStates,
  StatedFacts,
  UnpairedRow,
} from '../../store/known-states.ts';
import type { Listing } from '../../store/listing.ts';
import type { RecognisedRow, UnrecognisedRow } from '../classify.ts';
import type { Draft } from '../form.ts';

type PanelRow = RecognisedRow | UnrecognisedRow;

const unknownPanel: PanelState = { version: null, at: 0n, stated: null };

/** The clock by which a listing is dated and that of the rows may differ by this much. */
const CLOCK_SKEW: Instant = minutes(5);

/**
 * The facts of panels while one chunk is correlated: what is known, what its rows state, and what is listed.
 * @param repeated the keys of rows that were published before
 */
export function createChunkPanels(
  known: PanelStates,
  listing: Listing | null,
  repeated: ReadonlySet<string> = new Set(),
) {
  const changed = new Map<number, PanelState>();
  const listingReadAt = listing ? formatInstant(listing.readAt) : undefined;
  const stateOf = (id: number | null): PanelState =>
    id === null ? unknownPanel : (changed.get(id) ?? known.get(id) ?? unknownPanel);

  /** The version of a row's panel before the row; null where no earlier row and no listing states one. */
  const versionBefore = ({ activity, at }: PanelRow): string | null => {
    const { version, at: stated, origin } = stateOf(activity.panel_id);
    // What was found without a row was so before each row that was published after it.
    if (origin && isBeforeVersion(version, activity.panel_version)) return version;
    const listed = listing?.panels.get(activity.panel_id ?? -1);
    const [last] = [{ version, at: stated }, ...(listed?.versions ?? [])]
      .filter((one) => one.at < at && isBeforeVersion(one.version, activity.panel_version))
      .sort((one, other) => (one.at < other.at ? 1 : -1));
    return last?.version ?? null;
  };

  /** A row states something new unless it is older than the listing. */
  const isNew = (at: Instant): boolean => listing === null || at >= listing.readAt - CLOCK_SKEW;
  /** What a row states holds until a listing is read after the row was published. */
  const holds = ({ at, listedAt }: StatedFacts): boolean =>
    listing === null || (listedAt === undefined ? isNew(at) : listing.readAt <= listedAt);

  return {
    changed: changed as PanelStates,
    versionBefore,
    /** Takes over what a row states of its panel; returns the panel as its events show it. */
    read(row: PanelRow): EventPanel {
      const { panel_id: id, panel_name: name, panel_version: version } = row.activity;
      // A deleted panel is on no list, and two of them may have one name.
      if (id === null) return { id, name, version };
      const before = stateOf(id);
      const facts = row.kind === 'recognised' ? statedFacts(row.reading.draft, listing) : null;
      const isShownBefore = before.origin !== undefined && !repeated.has(row.key);
      if (version !== null && (isShownBefore || comparePlaces({ version, at: row.at }, before) >= 0)) {
        changed.set(id, { version, at: later(row.at, before.at), stated: before.stated });
      }
      if (facts && isNew(row.at) && row.at >= (before.stated?.at ?? 0n)) {
        const earlier = before.stated && holds(before.stated) ? before.stated : { facts: {} };
        const stated = { at: row.at, ...withFacts(earlier, facts), listedAt: listing?.readAt ?? 0n };
        changed.set(id, { ...stateOf(id), stated });
      }
      const { stated } = stateOf(id);
      const listed = listing?.panels.get(id);
      const current = stated && holds(stated) ? stated : null;
      const shown = current
        ? factsWithout({ ...listed?.facts, ...current.facts }, current.unknown)
        : listed?.facts;
      if (!shown || Object.keys(shown).length === 0) return { id, name, version };
      const factsReadAt = current && !listed ? formatInstant(current.at) : listingReadAt;
      return { id, name, version, ...shown, factsReadAt };
    },
  };
}

type Facts = Pick<StatedFacts, 'facts' | 'unknown'>;
type Fact = keyof PanelFacts;

/** Longer facts, as JSON, are not kept: no real list of types or disorders is that long. */
const LONGEST_FACTS = 20_000;

/**
 * The facts of its panel that a row states, and those that it changes in a way that cannot be read; null where it says
 * nothing of them. The log calls the relevant disorders of `/panels/` related panels.
 */
function statedFacts(draft: Draft, listing: Pick<Listing, 'typeSlugs'> | null): Facts | null {
  const types = listIn(draft, 'types');
  const disorders = listIn(draft, 'relatedPanels');
  if (types === undefined && disorders === undefined) return null;
  const facts = {
    ...(types && typeFacts(types.map((name) => listing?.typeSlugs.get(name) ?? slugOf(name)))),
    ...(disorders && { relevantDisorders: disorders }),
  };
  const unknown: readonly Fact[] = [
    ...(types === null ? (['types', 'signedOff'] as const) : []),
    ...(disorders === null ? (['relevantDisorders'] as const) : []),
  ];
  if (JSON.stringify(facts).length <= LONGEST_FACTS) return { facts, unknown };
  return { facts: {}, unknown: [...unknown, ...(Object.keys(facts) as Fact[])] };
}

/** What is known of a panel once later facts were stated. */
function withFacts(earlier: Facts, later: Facts): Facts {
  const facts = { ...factsWithout(earlier.facts, later.unknown), ...later.facts };
  const unknown = [...new Set([...(earlier.unknown ?? []), ...(later.unknown ?? [])])].filter(
    (fact) => !(fact in facts),
  );
  return { facts, ...(unknown.length > 0 && { unknown }) };
}

function factsWithout(facts: SomePanelFacts, unknown: Facts['unknown'] = []): SomePanelFacts {
  const entries = Object.entries(facts).filter(([fact]) => !unknown.some((one) => one === fact));
  return Object.fromEntries(entries) as SomePanelFacts;
}

/** The list that a row states; null where it changes the list and does not say to what, undefined where it does not. */
function listIn(draft: Draft, field: 'types' | 'relatedPanels'): string[] | null | undefined {
  const created = draft['panel.created'];
  const change = draft['panel.changed']?.changes?.findLast((one: PanelChange) => one.field === field);
  if (!change) return created && (created[field] ?? []);
  return Array.isArray(change.to) ? change.to : null;
}

function typeFacts(types: string[]): Pick<PanelFacts, 'types' | 'signedOff'> {
  return { types, signedOff: signedOffBy(types) };
}

/** The fields of a panel in `/panels/` that events carry. */
interface FactSource {
  readonly types: readonly { readonly slug: string }[];
  readonly disease_group: string;
  readonly disease_sub_group: string;
  readonly relevant_disorders: string[];
}

/** The facts of a listed panel that events carry. */
export function factsOf(panel: FactSource, superPanels: PanelFacts['superPanels']): PanelFacts {
  const types = panel.types.map(({ slug }) => slug);
  return {
    types,
    diseaseGroup: panel.disease_group,
    diseaseSubGroup: panel.disease_sub_group,
    relevantDisorders: panel.relevant_disorders,
    signedOff: signedOffBy(types),
    ...(superPanels && { superPanels }),
  };
}

/** Whether one of these slugs of panel types means that the panel is signed off. */
function signedOffBy(types: readonly string[]): boolean {
  return types.some((slug) => /(?:^|-)signed-off$/.test(slug));
}

/** The slug that the catalogue's software makes of the name of a type that no listing showed. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\w\s-]/g, '');
  return plain
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-');
}

/** The states of the entities of a chunk. */
export type ChunkEntities = ReturnType<typeof createChunkEntities>;

/** A rating that something newer shows than the rows that were read. */
export interface ShownRating {
  readonly rating: Rating | null;
}

/** What a row says of an entity, besides its rating. */
interface RatingRow extends Place {
  /** Whether the entity is another one from then on: the row adds it, or removes it. */
  readonly membership?: 'added' | 'removed' | undefined;
  /** Whether the row was published before, so that what was shown without a row may be newer. */
  readonly isRepeated: boolean;
}

/** The rows of two actions on one entity may overlap for this long, in microseconds. */
export const OVERLAPPING_ACTIONS: Instant = 10_000_000n;

/** The most rows of one entity that wait for their paired row. */
const MOST_UNPAIRED = 8;

const unknownEntity: EntityState = { rating: null, at: 0n, unpaired: [] };

/** The rating that was published last; undefined where none was since the entity was added. */
const lastPublished = ({ rating, version, was }: EntityState): EntityState['was'] =>
  rating === null ? was : { rating, ...(version !== undefined && { version }) };

const placeIn = ({ version, at }: EntityState): Place => ({ version: version ?? null, at });

/** The states of entities while one chunk is correlated: what is known, and over it what its rows state. */
export function createChunkEntities(known: EntityStates) {
  const changed = new Map<string, EntityState>();
  const stateOf = (key: string): EntityState => changed.get(key) ?? known.get(key) ?? unknownEntity;
  return {
    /** The entities whose state the rows changed. */
    changed: changed as EntityStates,
    /**
     * The rating before a row of that place; null where it is unknown, or where a later row was read already.
     * @param shown what is known otherwise than from rows and listings
     */
    ratingBefore(key: string, place: Place, shown?: ShownRating): Rating | null {
      if (shown) return shown.rating;
      const state = stateOf(key);
      // What was found without a row was so before each row that was published after it.
      return state.origin || comparePlaces(placeIn(state), place) <= 0 ? state.rating : null;
    },
    /** The rating that was published last before a row of that place; undefined where none was since the entity was added. */
    publishedBefore(key: string, place: Place): Rating | undefined {
      const state = stateOf(key);
      return comparePlaces(placeIn(state), place) <= 0 ? lastPublished(state)?.rating : undefined;
    },
    /** The entity has this rating from a row on; null: from then on the rating is unknown. */
    setRating(key: string, rating: Rating | null, { at, version, membership, isRepeated }: RatingRow): void {
      const before = stateOf(key);
      const unpaired = before.unpaired.map((row) => {
        const ratedAgain = row.at + OVERLAPPING_ACTIONS < at && (row.until === undefined || at < row.until);
        return ratedAgain ? { ...row, until: at } : row;
      });
      const was = lastPublished(before);
      const isNewer =
        (before.origin !== undefined && !isRepeated) || comparePlaces({ version, at }, placeIn(before)) >= 0;
      const after: EntityState = {
        rating,
        at: later(at, before.at),
        unpaired,
        ...(version !== null && { version }),
        ...(membership === 'removed' && { isRemoved: true }),
        ...(rating === null && membership === undefined && was && { was }),
      };
      changed.set(key, isNewer ? after : { ...before, unpaired });
    },
    /** Published rows whose paired row has not been read yet. */
    unpaired: (key: string): readonly UnpairedRow[] => stateOf(key).unpaired,
    addUnpaired(key: string, row: UnpairedRow): void {
      const before = stateOf(key);
      changed.set(key, { ...before, unpaired: [...before.unpaired.slice(1 - MOST_UNPAIRED), row] });
    },
    removeUnpaired(key: string, row: UnpairedRow): void {
      const before = stateOf(key);
      changed.set(key, { ...before, unpaired: before.unpaired.filter((other) => other !== row) });
    },
  };
}
