import { setImmediate } from 'node:timers/promises';
import { type Instant, minutes } from '../run/instant.ts';
import type { History } from '../store/history/history.ts';
import { contentsOf, type EntityDifference, greenDifference } from './compare-states.ts';
import type { PanelStateStore } from './panel-state-store.ts';
import { signedOffAt } from './signed-off-at.ts';
import { entityKey, readPanelTrail, type Since, sinceWhen } from './since-when.ts';
import { stateSince, versionSince } from './version-since.ts';
import type { SignOff, VersionState, VersionSummary } from './version-state.ts';

/** An entity that counts otherwise in the signed-off version of a panel than in its newest one. */
export interface LagEntry extends Pick<EntityDifference, 'entity'> {
  readonly signedOff: EntityDifference['before'];
  readonly working: EntityDifference['after'];
  readonly since: Since;
  /** Both modes of inheritance, empty where none is stated; null where the two versions differ by the rating. */
  readonly modes: { readonly signedOff: string; readonly working: string } | null;
}

/** What the newest version of a panel has otherwise than its signed-off one. */
export interface PanelLag {
  readonly signOff: SignOff;
  /** The newest version that is known: the one that was read, or the one to which later events led. */
  readonly working: VersionSummary;
  /** The newest version that was read. */
  readonly read: VersionSummary;
  /** The time for which the ratings in the newest version are stated: of the reading, or of the last event after it. */
  readonly asOf: Instant;
  /** Green in the newest version, and not in the signed-off one, longest first. */
  readonly awaiting: readonly LagEntry[];
  /** Green in the signed-off version, and no longer in the newest one, longest first. */
  readonly downgraded: readonly LagEntry[];
  /** Green in both, with a mode of inheritance of another group in the newest version. */
  readonly inheritance: readonly LagEntry[];
}

/** A panel with a signed-off version that cannot be compared with what the panel holds now. */
interface UnknownLag {
  readonly panelId: number;
  readonly panelName: string;
  readonly version: string;
  /** The version up to which it was compared; null where it was not. */
  readonly comparedUpTo: string | null;
  /** A sentence for people. */
  readonly why: string;
}

/** What waits for a sign-off on the panels that are asked for. */
export interface SignOffLag {
  /** Panels with a signed-off version, by name. One that has a later version than was read is also among the unknown ones. */
  readonly panels: readonly PanelLag[];
  readonly unknown: readonly UnknownLag[];
  /** Names of panels without a signed-off version, as far as the list of signed-off versions was read. */
  readonly withoutSignOff: readonly string[];
  /** Whether any sign-off of the catalogue is kept: without one, the list was not read, or is empty. */
  readonly hasSignOffs: boolean;
}

interface LagOptions {
  readonly catalogue: string;
  readonly states: Pick<PanelStateStore, 'signOffs' | 'panels' | 'versions' | 'read' | 'newest' | 'find'>;
  readonly history: Pick<History, 'findWithoutRows'>;
  readonly now: Instant;
  /** The panels that are asked for, with their names by id; every panel where absent. */
  readonly panels?: ReadonlyMap<number, string>;
}

/**
 * What is green in the newest version of panels and not in their signed-off version, and the contrary, with the time since
 * which that is so. The newest version is stated as of one instant, with the events after its reading. A panel one of whose two versions is not kept is named as unknown.
 *
 * @throws {HistoryError | StateError} when it cannot be read
 */
export async function readLag(options: LagOptions): Promise<SignOffLag> {
  const { states, now, panels: asked } = options;
  const all = Map.groupBy(await states.signOffs(), ({ panelId }) => panelId);
  const names = asked ?? new Map((await states.panels()).map((one) => [one.panelId, one.panelName]));
  const counting = [...all]
    .filter(([id]) => asked?.has(id) ?? true)
    .flatMap(([, signOffs]) => signedOffAt(signOffs, now) ?? []);
  const panels: PanelLag[] = [];
  const unknown: UnknownLag[] = [];
  for (const signOff of counting) {
    // Large states take milliseconds each to unpack: the polls of the same process go on in between.
    await setImmediate();
    const found = await lagOf(signOff, options);
    if ('why' in found) {
      unknown.push(found);
      continue;
    }
    panels.push(found);
    const { version } = found.read;
    const later = await versionSince(found.read, options);
    if (later === null) continue;
    const why = `Version ${later} began after version ${version} was read. What events state since is in the lists.`;
    unknown.push({ ...unknownOf(signOff), comparedUpTo: version, why });
  }
  const signed = new Set(counting.map(({ panelId }) => panelId));
  return {
    panels: panels.toSorted((one, other) => collator.compare(one.working.panelName, other.working.panelName)),
    unknown,
    withoutSignOff: [...names].filter(([id]) => !signed.has(id)).map(([, name]) => name),
    hasSignOffs: all.size > 0,
  };
}

const collator = new Intl.Collator('en', { numeric: true });

const unknownOf = ({ panelId, panelName, version }: SignOff): Omit<UnknownLag, 'comparedUpTo' | 'why'> => ({
  panelId,
  panelName,
  version,
});

async function lagOf(signOff: SignOff, options: LagOptions): Promise<PanelLag | UnknownLag> {
  const { states, catalogue, history } = options;
  const { panelId, version } = signOff;
  const missing = (why: string): UnknownLag => ({ ...unknownOf(signOff), comparedUpTo: null, why });
  const newest = await states.newest(panelId);
  if (!newest) return missing('What the panel holds was not read yet.');
  const signedOff = await states.find(panelId, version);
  if (!signedOff) return missing(`What its signed-off version ${version} held is not kept.`);
  const { state: working, isChanged, asOf } = await stateSince(newest, options);
  const { entered, left, inheritance } = greenDifference(contentsOf(signedOff), contentsOf(working));
  const all = [...entered, ...left, ...inheritance];
  const trail = await readPanelTrail({ catalogue, panelId, since: signedOff.validFrom }, history);
  const state = isChanged ? { ...working, validFrom: asOf } : working;
  const since = await sinceWhen(all, { state, floor: signedOff }, { trail, states });
  const entries = (changes: readonly EntityDifference[]): readonly LagEntry[] =>
    changes
      .map(({ entity, before, after, modes }) => ({
        entity,
        signedOff: before,
        working: after,
        modes:
          modes && before === after
            ? { signedOff: modes.before.join('; '), working: modes.after.join('; ') }
            : null,
        since: since.get(entityKey(entity)) ?? {
          at: working.validFrom,
          version: working.version,
          isExact: false,
        },
      }))
      .toSorted((one, other) => (one.since.at < other.since.at ? -1 : 1));
  const summaryOf = ({ entities: _entities, ...summary }: VersionState): VersionSummary => summary;
  return {
    signOff,
    ...{ working: summaryOf(working), read: summaryOf(newest), asOf },
    awaiting: entries(entered),
    downgraded: entries(left),
    inheritance: entries(inheritance),
  };
}

/** How many whole days something has lasted. */
export const daysSince = (at: Instant, now: Instant): number => Number((now - at) / minutes(24 * 60));
