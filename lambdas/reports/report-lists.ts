import type { EntityChange } from '../subscriptions/entity-history.ts';
import type { PanelChanges } from '../subscriptions/net-changes.ts';

/** Changed entities of a panel, with what happened to them in words. */
interface ReportList {
  readonly what: string;
  readonly changes: readonly EntityChange[];
}

type Lists = {
  readonly [Name in keyof PanelChanges]: PanelChanges[Name] extends readonly EntityChange[] ? Name : never;
}[keyof PanelChanges];

const lists = [
  ['nowGreen', 'now green', ({ from }) => from !== 'unknown'],
  ['nowGreen', 'rated green, perhaps green before', ({ from }) => from === 'unknown'],
  ['noLongerGreen', 'no longer green', () => true],
  ['otherRatings', 'other change of rating', () => true],
  ['added', 'added', () => true],
  ['removed', 'removed', () => true],
  ['changedBack', 'changed and changed back', () => true],
] as const satisfies readonly (readonly [Lists, string, (change: EntityChange) => boolean])[];

/** What a list of a report holds, in words. */
export type ReportListWords = (typeof lists)[number][1];
/** The lists of a report in their order, in words. */
export const reportListWords: readonly ReportListWords[] = lists.map(([, what]) => what);

/** The changed entities of a panel, each once, under the first list that has it; every list, also the empty ones. */
export function reportLists(
  panel: PanelChanges,
): readonly (ReportList & { readonly what: ReportListWords })[] {
  const listed = new Set<EntityChange>();
  return lists.map(([name, what, isIn]) => {
    const changes = panel[name].filter((change) => !listed.has(change) && isIn(change));
    for (const change of changes) listed.add(change);
    return { what, changes };
  });
}
