import type { Clock } from '../run/clock.ts';
import type { Instant } from '../run/instant.ts';
import { byBeginning } from './by-beginning.ts';
import { isValidAt } from './valid-at.ts';
import type { Holding, Proof, SignOff, StateEntity, VersionState, VersionSummary } from './version-state.ts';

/** A version of a panel. A number may come again where a panel was set back, with another beginning. */
export type VersionKey = Pick<VersionSummary, 'panelId' | 'version' | 'validFrom'>;

/**
 * Keeps what the panels of one catalogue held, at each version that was read. The newest state of each panel and
 * those of signed-off versions are kept for ever, others as long as the retention says.
 * @throws {StateError} from every method, when the store cannot be read or written
 */
export interface PanelStateStore {
  /** Keeps a state; one of the same version and beginning is replaced. */
  save(state: VersionState): Promise<void>;
  /** Replaces what is noted of a kept state. Does nothing where it is not kept. */
  note(key: VersionKey, change: { readonly proof?: Proof; readonly validTo?: Instant }): Promise<void>;
  /** The state of a version; the last one where a number came again. Null where it is not kept. */
  find(panelId: number, version: string): Promise<VersionState | null>;
  /** The state of exactly this version. Null where it is not kept. */
  read(key: VersionKey): Promise<VersionState | null>;
  /**
   * The state of the version that a panel had at an instant. Null where that is unknown: nothing is kept of then, or whether
   * another version followed before it is unknown.
   */
  at(panelId: number, instant: Instant): Promise<VersionState | null>;
  /** The newest state of a panel. Null where none is kept. */
  newest(panelId: number): Promise<VersionState | null>;
  /** The kept versions of a panel, oldest first, without their entities. */
  versions(panelId: number): Promise<readonly VersionSummary[]>;
  /** The newest version of every panel, by panel id, without its entities. */
  panels(): Promise<readonly VersionSummary[]>;
  /**
   * The panels whose newest state holds an entity, by panel id.
   * @param identity as `identityOf` returns it
   */
  holdings(identity: string): Promise<readonly Holding[]>;
  /** Keeps sign-offs; one of the same panel, version and day is replaced. */
  saveSignOffs(signOffs: readonly SignOff[]): Promise<void>;
  /** The sign-offs of a panel, or of all panels, by panel and day. */
  signOffs(panelId?: number): Promise<readonly SignOff[]>;
}

/** Versions of a panel: all of them, those of a number, or those that began last, until an instant where one is given. */
export type WantedVersions = 'all' | { readonly version: string } | { readonly lastUntil: Instant | null };

/** What is kept of a panel before a write: the version that is written, and the versions that began last. */
interface KeptVersions {
  readonly replaced: VersionSummary | null;
  readonly newest: readonly VersionSummary[];
}

/** What a write changes. */
export interface StateChange {
  readonly summary: VersionSummary;
  /** Null where those that are kept stay. */
  readonly entities: readonly StateEntity[] | null;
  /** The newest version before; null where none was kept. */
  readonly before: VersionSummary | null;
  /** The newest version from then on; null where it is the same as before, with the same notes. */
  readonly newest: VersionSummary | null;
  /** What the panel holds from then on: a state, or a version whose state is kept; null where it is the same as before. */
  readonly holds: VersionState | VersionSummary | null;
}

/** How one kind of store keeps the states of the panels of one catalogue. */
export interface StateRows
  extends Pick<PanelStateStore, 'read' | 'panels' | 'holdings' | 'saveSignOffs' | 'signOffs'> {
  /** In any order. */
  versions(panelId: number, wanted: WantedVersions): Promise<readonly VersionSummary[]>;
  /** Writes what is decided by what is kept; nothing where that is null. */
  write(key: VersionKey, decide: (kept: KeptVersions) => StateChange | null): Promise<void>;
  remove(versions: readonly VersionSummary[]): Promise<void>;
}

interface StateRetention extends Pick<Clock, 'now'> {
  /** Days for which states that are not the newest of their panel are kept after they ended; without end where absent. */
  readonly retentionDays?: number | undefined;
}

const DAY_MICROSECONDS = 86_400_000_000n;

/** The states of the panels of one catalogue. */
export function createPanelStates(rows: StateRows, { now, retentionDays }: StateRetention): PanelStateStore {
  const lastOf = async (panelId: number, wanted: WantedVersions): Promise<VersionSummary | undefined> =>
    newestOf(await rows.versions(panelId, wanted));
  const stateOf = async (key: VersionKey | undefined) => (key ? rows.read(key) : null);

  async function removeOld(panelId: number): Promise<void> {
    if (retentionDays === undefined) return;
    const oldest = BigInt(now()) * 1000n - BigInt(retentionDays) * DAY_MICROSECONDS;
    const kept = await rows.versions(panelId, 'all');
    const newest = newestOf(kept)?.validFrom ?? 0n;
    const ended = kept.filter(
      ({ validFrom, validTo }) => validTo !== null && validTo < oldest && validFrom < newest,
    );
    if (ended.length === 0) return;
    const signedOff = new Set((await rows.signOffs(panelId)).map(({ version }) => version));
    await rows.remove(ended.filter(({ version }) => !signedOff.has(version)));
  }

  return {
    async save(state) {
      const { entities, ...summary } = state;
      await rows.write(summary, ({ replaced, newest }) => ({
        summary,
        // A version that ended without another change holds what is kept.
        entities: replaced?.sha256 === summary.sha256 ? null : entities,
        ...newestWith(newest, summary, state),
      }));
      await removeOld(summary.panelId);
    },
    note: (key, change) =>
      rows.write(key, ({ replaced, newest }) => {
        if (!replaced) return null;
        const summary = { ...replaced, ...change };
        return { summary, entities: null, ...newestWith(newest, summary) };
      }),
    find: async (panelId, version) => stateOf(await lastOf(panelId, { version })),
    read: rows.read,
    async at(panelId, instant) {
      const last = await lastOf(panelId, { lastUntil: instant });
      return last && isValidAt(last, instant) ? rows.read(last) : null;
    },
    newest: async (panelId) => stateOf(await lastOf(panelId, { lastUntil: null })),
    versions: async (panelId) => (await rows.versions(panelId, 'all')).toSorted(byBeginning),
    panels: rows.panels,
    holdings: rows.holdings,
    saveSignOffs: rows.saveSignOffs,
    signOffs: rows.signOffs,
  };
}

/** The version that began last. */
export const newestOf = <Version extends VersionKey>(versions: readonly Version[]): Version | undefined =>
  versions.toSorted(byBeginning).at(-1);

const isSame = (one: VersionKey, other: VersionKey): boolean =>
  one.version === other.version && one.validFrom === other.validFrom;

/** The newest version before and after one is written, and what the panel holds then. */
function newestWith(
  kept: readonly VersionSummary[],
  written: VersionSummary,
  state: VersionState | null = null,
): Pick<StateChange, 'before' | 'newest' | 'holds'> {
  const before = newestOf(kept) ?? null;
  const newest = newestOf([...kept.filter((each) => !isSame(each, written)), written]) ?? written;
  const isWritten = newest === written;
  const isOther = !before || !isSame(before, newest);
  return {
    before,
    newest: isWritten || isOther ? newest : null,
    holds: isOther || before.sha256 !== newest.sha256 ? (isWritten && state) || newest : null,
  };
}
