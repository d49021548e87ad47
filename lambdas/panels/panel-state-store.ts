import type { Instant } from '../run/instant.ts';
import type { Holding, Proof, SignOff, VersionState, VersionSummary } from './version-state.ts';

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
