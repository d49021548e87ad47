import {
  type EntityDifference,
  greenDifference,
  type PanelContents,
  type PanelVersions,
} from 'gene-panel-notifier/impact';
import { type Case, nameOf } from './case.ts';

/** A panel whose signed-off version is another one now. */
interface SignedPanel {
  readonly id: number;
  /** The version that is signed off now. */
  readonly version: string;
  /** The super panels that hold it. */
  readonly superPanels: readonly { readonly id: number; readonly name: string }[];
}

/** A case that the sign-off concerns. */
export interface SignedOffCase {
  readonly name: string;
  /** `4.0`, or `3.1 of Paediatric disorders`. */
  readonly analysedWith: string;
  /** What is green in the signed-off version and was not in what the case was analysed with. */
  readonly nowGreen: readonly string[];
  /** The contrary. */
  readonly noLongerGreen: readonly string[];
  /** Why the difference is unknown; null where it is known. */
  readonly unknown: string | null;
}

/**
 * The cases whose newest version was analysed with the panel, or a super panel that holds it, where other genes, STRs or regions
 * are green in the version that is signed off now. A case whose difference is unknown is listed, with the reason.
 */
export async function signedOffCases(
  cases: readonly Case[],
  panel: SignedPanel,
  versions: Pick<PanelVersions, 'version'>,
): Promise<readonly SignedOffCase[]> {
  const now = await versions.version(panel.id, panel.version);
  const found: SignedOffCase[] = [];
  for (const one of newestVersions(cases)) {
    for (const analysed of one.panels) {
      const superPanel = panel.superPanels.find(({ id }) => id === analysed.id);
      if (analysed.id !== panel.id && !superPanel) continue;
      const analysedWith = superPanel ? `${analysed.version} of ${superPanel.name}` : analysed.version;
      const named = { name: nameOf(one), analysedWith };
      const then = await versions.version(analysed.id, analysed.version);
      if (!now || !then) {
        const missing = now ? analysedWith : panel.version;
        const unknown = `the catalogue keeps no archive of version ${missing}`;
        found.push({ ...named, nowGreen: [], noLongerGreen: [], unknown });
        continue;
      }
      const { nowGreen, noLongerGreen } = differenceOf(then, now, superPanel !== undefined);
      if (nowGreen.length + noLongerGreen.length === 0) continue;
      found.push({ ...named, nowGreen, noLongerGreen, unknown: null });
    }
  }
  return found;
}

function differenceOf(
  then: PanelContents,
  now: PanelContents,
  isSuper: boolean,
): Pick<SignedOffCase, 'nowGreen' | 'noLongerGreen'> {
  const { entered, left } = greenDifference(then, now);
  // Other panels of a super panel hold what this one does not.
  return { nowGreen: entered.map(words), noLongerGreen: isSuper ? [] : left.map(words) };
}

/** `TMPRSS3`, `AR_CAG (STR)`, or `OTOF (perhaps green before)` where an old archive does not say. */
function words({ entity, before, after }: EntityDifference): string {
  const name =
    entity.type === 'gene' ? entity.name : `${entity.name} (${entity.type === 'str' ? 'STR' : entity.type})`;
  if (before === 'unknown') return `${name} (perhaps green before)`;
  return after === 'unknown' ? `${name} (perhaps green still)` : name;
}

function newestVersions(cases: readonly Case[]): readonly Case[] {
  const newest = new Map<string, Case>();
  for (const one of cases) {
    const known = newest.get(one.request);
    if (known === undefined || one.version > known.version) newest.set(one.request, one);
  }
  return [...newest.values()];
}
