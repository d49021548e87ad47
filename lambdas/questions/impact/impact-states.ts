import type { PanelContents } from '../../panels/compare-states.ts';

/** A panel that a file of cases names. */
export interface CasePanel {
  readonly id: number;
  readonly name: string;
}

/** Why something cannot be known, as a clause for people. It quotes nothing of a case. */
export interface Unknown {
  readonly unknown: string;
}

/** Which version counts: the one that is signed off, or the newest. */
export type Counted = 'signed-off' | 'working';

/** Finds what panels held. */
export interface ImpactStates {
  readonly counts: Counted;
  /** The panels that a text names: by number, `hash_id`, R code, present or former name. */
  panels(reference: string): Promise<readonly CasePanel[] | Unknown>;
  /**
   * What the panel held when a case was analysed: one version, or several where another one counted during that day. Where the
   * signed-off version counts, a day alone means the version that was signed off on it, and a version may be of any day since it began.
   * Where the newest version counts, a version must have been the panel's on the day beside it.
   */
  analysed(
    panel: CasePanel,
    when: { readonly version: string | null; readonly date: string | null },
  ): Promise<readonly PanelContents[] | Unknown>;
  /** What counts now: the signed-off version, or the working one. */
  counted(panel: CasePanel): Promise<PanelContents | Unknown>;
}
