import { contentsTogether, type PanelContents } from '../../panels/compare-states.ts';
import type { VersionSummary } from '../../panels/version-state.ts';
import type { Instant } from '../../run/instant.ts';

/** A time between two kept versions of a super panel, of which the version is not kept. */
export interface SuperPanelGap {
  readonly childPanels: readonly number[];
  /** When the kept version before it ended, and the one after it began. */
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * The gap in which an instant lies; null where the panel is no super panel, or where the kept versions on both sides do not have
 * the same panels: then it is unknown which ones it had in between.
 * @param versions oldest first
 */
export function superPanelGap(versions: readonly VersionSummary[], instant: Instant): SuperPanelGap | null {
  const before = versions.findLast(({ validFrom }) => validFrom <= instant);
  const after = versions.find(({ validFrom }) => validFrom > instant);
  if (!before || !after || before.childPanels.length === 0) return null;
  const [one, other] = [before, after].map(({ childPanels }) => childPanels.toSorted((a, b) => a - b).join());
  if (one !== other) return null;
  return { childPanels: before.childPanels, from: before.validTo ?? before.validFrom, to: after.validFrom };
}

/** What a super panel held at a time in a gap, by what its panels held. */
export function contentsOfChildren(
  { panelId, panelName }: Pick<PanelContents, 'panelId' | 'panelName'>,
  children: readonly PanelContents[],
  { from, to }: SuperPanelGap,
): PanelContents {
  const [begins, ends] = [
    children.map((child) => child.validFrom),
    children.flatMap((child) => child.validTo ?? []),
  ];
  return contentsTogether(children, {
    panelId,
    panelName,
    version: `(${children.map((child) => `${child.panelName} ${child.version}`).join(', ')})`,
    validFrom: begins.reduce((latest, each) => (each > latest ? each : latest), from),
    validTo: ends.reduce((earliest, each) => (each < earliest ? each : earliest), to),
  });
}
