import { isBeforeVersion } from '../../events/panel-version.ts';
import type { EventPanel } from '../../events/schemas.ts';
import { formatInstant, type Instant, later, minutes } from '../../run/instant.ts';
import type { PanelState, PanelStates, StatedFacts } from '../../store/known-states.ts';
import type { Listing } from '../../store/listing.ts';
import type { RecognisedRow, UnrecognisedRow } from '../classify-row.ts';
import { factsWithout, statedFacts, withFacts } from './stated-facts.ts';

/** The panels of a chunk, while its rows are correlated one after the other. */
interface ChunkPanels {
  /** The version of a row's panel before the row; null where no earlier row and no listing states one. */
  versionBefore(row: PanelRow): string | null;
  /** Takes over what a row states of its panel; gives the panel as its events show it. */
  read(row: PanelRow): EventPanel;
  /** The panels whose state the rows changed. */
  readonly changed: PanelStates;
}

type PanelRow = RecognisedRow | UnrecognisedRow;

const nothingKnown: PanelState = { version: null, at: 0n, stated: null };

/** The clock by which a listing is dated and that of the rows may differ by this much. */
const CLOCK_SKEW: Instant = minutes(5);

/**
 * The facts of panels while one chunk is correlated: what is known, what its rows state, and what is listed.
 */
export function createChunkPanels(known: PanelStates, listing: Listing | null): ChunkPanels {
  const changed = new Map<number, PanelState>();
  const listingReadAt = listing ? formatInstant(listing.readAt) : undefined;
  const stateOf = (id: number | null): PanelState =>
    id === null ? nothingKnown : (changed.get(id) ?? known.get(id) ?? nothingKnown);

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
    changed,
    versionBefore,
    read: (row) => {
      const { panel_id: id, panel_name: name, panel_version: version } = row.activity;
      // A deleted panel is on no list, and two of them may have one name.
      if (id === null) return { id, name, version };
      const before = stateOf(id);
      const facts = row.kind === 'recognised' ? statedFacts(row.reading.draft, listing) : null;
      if (version !== null && (before.origin || row.at >= before.at)) {
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
