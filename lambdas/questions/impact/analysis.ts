import type { PanelContents } from '../../panels/compare-states.ts';
import type { CasePanel, ImpactStates, Unknown } from './impact-states.ts';

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
