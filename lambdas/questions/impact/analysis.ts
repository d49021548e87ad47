import type { PanelContents } from '../../panels/compare-states.ts';

/** What cases were analysed with, and what counts now; analyses with the same key are the same. */
export type Analysis =
  | {
      readonly key: string;
      /** Of each panel one version, or several where it changed on that day. */
      readonly lists: readonly (readonly PanelContents[])[];
      readonly now: readonly PanelContents[];
    }
  | { readonly key: string; readonly why: string };

/**
 * What a line of a case was analysed with, and what counts now.
 *
 * @throws {StateError | CatalogueError} when the states cannot be read
 */
export async function analysisOf(line: AnalysedCase, states: ImpactStates): Promise<Analysis> {
  if (line.unknown !== undefined) return unknownAnalysis([line.unknown]);
  const panels = await states.panels(line.panel);
  if ('unknown' in panels) return unknownAnalysis([panels.unknown]);
  const found: Extract<Analysis, { lists: unknown }>[] = [];
  const why: string[] = [];
  for (const panel of panels) {
    const analysis = await analysisOfPanel(panel, line, states);
    if ('why' in analysis) why.push(analysis.why);
    else found.push(analysis);
  }
  const [only] = found;
  if (why.length > 0) return unknownAnalysis(why);
  if (only && found.length === 1) return only;
  return {
    key: found.map(({ key }) => key).join(),
    lists: found.flatMap(({ lists }) => lists),
    now: found.flatMap(({ now }) => now),
  };
}

async function analysisOfPanel(
  panel: CasePanel,
  when: AnalysedCase,
  states: ImpactStates,
): Promise<Analysis> {
  const then = await states.analysed(panel, when);
  if (isUnknown(then)) return unknownAnalysis([then.unknown]);
  const now = await states.counted(panel);
  if (isUnknown(now)) return unknownAnalysis([now.unknown]);
  const key = then.map(({ version, validFrom }) => `${panel.id} ${version} ${validFrom}`).join('/');
  return { key, lists: [then], now: [now] };
}

function unknownAnalysis(why: readonly string[]): Analysis {
  const all = why.join('; ');
  return { key: `unknown ${all}`, why: all };
}

const isUnknown = (found: object): found is Unknown => 'unknown' in found;

/**
 * What one line of a file of cases says: that a case was analysed with a panel, at a version, on a day, or both. A case
 * may have several lines.
 */
export interface AnalysedCase {
  /** Counted from 1, as editors show it: all that a message may say of a case. */
  readonly line: number;
  /** What the laboratory calls the case. It stays on this machine. */
  readonly case: string;
  /** A panel's number, `hash_id`, R code, present or former name. */
  readonly panel: string;
  readonly version: string | null;
  /** ISO 8601: a day, in UTC, or a time. */
  readonly date: string | null;
  /** Why nothing can be known of the line, as a clause that quotes nothing of the case; absent for a usable line. */
  readonly unknown?: string;
}

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
