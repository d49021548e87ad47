import type { Catalogue } from '../catalogue/client.ts';
import { readActivity } from '../catalogue/log-row.ts';
import { versionNumbers } from '../events/panel-version.ts';
import type { Clock } from '../run/clock.ts';
import { type Instant, instantOf, parseInstant } from '../run/instant.ts';
import { stateFromDetail } from './state-from-detail.ts';
import type { Proof, VersionState } from './version-state.ts';

/** Reads what a panel held from the catalogue, where a person asks for a state that is not kept. */
interface OnDemandStates {
  /** The panel as it is now; null where the catalogue does not show it. */
  present(panelId: number): Promise<VersionState | null>;
  /** What the panel held at the end of a version, or holds now; null where the catalogue keeps no archive of it. */
  version(panelId: number, version: string): Promise<VersionState | null>;
  /** The version that a panel had at an instant; null where the catalogue does not show it. */
  at(panelId: number, instant: Instant): Promise<VersionState | null>;
}

interface OnDemandOptions {
  readonly catalogue: Pick<Catalogue, 'panelDetail' | 'panelRows'>;
  readonly clock: Pick<Clock, 'now'>;
}

const proof: Proof = { kind: 'unproven', why: 'it was read on demand, and not compared with the log' };

/** So many versions without a row are followed, one request each. */
const MOST_STEPS = 50;

/** @throws {CatalogueError} from every method, when the catalogue cannot be read */
export function createOnDemandStates({ catalogue, clock }: OnDemandOptions): OnDemandStates {
  const read = async (
    panelId: number,
    source: VersionState['source'],
    version?: string,
  ): Promise<VersionState | null> => {
    const detail = await catalogue.panelDetail(panelId, version);
    return detail && stateFromDetail(detail, { source, readAt: instantOf(clock.now()), proof });
  };
  const present = (panelId: number): Promise<VersionState | null> => read(panelId, 'present');

  const version: OnDemandStates['version'] = async (panelId, wanted) => {
    const now = await present(panelId);
    return now?.version === wanted ? now : read(panelId, 'archive', wanted);
  };

  return {
    present,
    version,
    async at(panelId, instant) {
      const now = await present(panelId);
      if (!now) return null;
      if (instant >= now.validFrom) return instant <= now.readAt ? now : null;
      const stated = await statedVersions(catalogue, panelId);
      const begun = stated.findLast(({ at }) => at <= instant)?.version;
      const readNumber = (number: string): Promise<VersionState | null> =>
        number === now.version ? Promise.resolve(now) : read(panelId, 'archive', number);
      let state = begun === undefined ? null : await readNumber(begun);
      for (let steps = 0; state && state.validFrom <= instant && steps < MOST_STEPS; steps += 1) {
        const after = await following(state, stated, readNumber);
        if (!after) return null;
        if (after.validFrom > instant) return { ...state, validTo: after.validFrom };
        state = after;
      }
      return null;
    },
  };
}

/** A version that a row states, and when the row was written. */
interface StatedVersion {
  readonly at: Instant;
  readonly version: string;
}

/**
 * The state of the version after another one; null where it is unknown which version that was: the catalogue keeps no
 * archive of the next number, and a row states that there was one.
 */
async function following(
  { version }: VersionState,
  stated: readonly StatedVersion[],
  read: (version: string) => Promise<VersionState | null>,
): Promise<VersionState | null> {
  const [major, minor] = versionNumbers(version) ?? [0, 0];
  const next = await read(`${major}.${minor + 1}`);
  if (next) return next;
  const hadAnother = stated.some((one) => {
    const numbers = versionNumbers(one.version);
    return numbers?.[0] === major && numbers[1] > minor;
  });
  return hadAnother ? null : read(`${major + 1}.0`);
}

/** The versions that the rows of a panel state, oldest first; versions may begin without a row. */
async function statedVersions(
  catalogue: Pick<Catalogue, 'panelRows'>,
  panelId: number,
): Promise<readonly StatedVersion[]> {
  const rows = (await catalogue.panelRows(panelId)) ?? [];
  const stated = rows.flatMap((row): readonly StatedVersion[] => {
    const read = readActivity(row);
    const at = read.ok ? parseInstant(read.activity.created) : null;
    return read.ok && at !== null && read.activity.panel_version !== null
      ? [{ at, version: read.activity.panel_version }]
      : [];
  });
  return stated.toSorted((one, other) => (one.at < other.at ? -1 : 1));
}
