import type { Rating } from '../../events/changes.ts';
import { identityOf } from '../../panels/entity-identity.ts';
import type { GreenList } from '../../panels/green-list.ts';
import type { Holding, VersionSummary } from '../../panels/version-state.ts';
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

const order: readonly (Rating | null)[] = ['green', 'amber', 'red', 'none', null];

/** What a super panel held at a time in a gap, by what its panels held: of an entity, the highest rating counts. */
export function greenListOfChildren(
  { panelId, panelName }: Pick<GreenList, 'panelId' | 'panelName'>,
  children: readonly GreenList[],
  { from, to }: SuperPanelGap,
): GreenList {
  const green = new Map<string, Holding>();
  for (const each of children.flatMap((child) => child.green))
    green.set(identityOf(each), { ...each, panelId });
  const [begins, ends] = [
    children.map((child) => child.validFrom),
    children.flatMap((child) => child.validTo ?? []),
  ];
  return {
    panelId,
    panelName,
    version: `(${children.map((child) => `${child.panelName} ${child.version}`).join(', ')})`,
    validFrom: begins.reduce((latest, each) => (each > latest ? each : latest), from),
    validTo: ends.reduce((earliest, each) => (each < earliest ? each : earliest), to),
    green: [...green.values()],
    inheritanceOf: (entity) =>
      children.map((child) => child.inheritanceOf(entity)).find((mode) => mode !== undefined),
    ratingOf(entity) {
      const found = children.map((child) => child.ratingOf(entity)).filter((rating) => rating !== undefined);
      return found.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))[0];
    },
  };
}
