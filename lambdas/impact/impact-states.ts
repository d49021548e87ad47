import type { GreenList } from '../panel-states/green-list.ts';

/** A panel that a file of cases names. */
export interface CasePanel {
  readonly id: number;
  readonly name: string;
}

/** Why something cannot be known, as a clause for people. It quotes nothing of a case. */
export interface Unknown {
  readonly unknown: string;
}

/** Finds what panels held. */
export interface ImpactStates {
  /** The panels that a text names: by number, `hash_id`, R code, present or former name. */
  panels(reference: string): Promise<readonly CasePanel[] | Unknown>;
  /**
   * What the panel held when a case was analysed: one version, or several where the panel changed on that day. With a
   * version and a day, the version must have been the panel's on that day.
   */
  analysed(
    panel: CasePanel,
    when: { readonly version: string | null; readonly date: string | null },
  ): Promise<readonly GreenList[] | Unknown>;
  /** What counts now: the signed-off version, or the working one. */
  counted(panel: CasePanel): Promise<GreenList | Unknown>;
}
