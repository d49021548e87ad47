import type { EntityChange } from '../subscriptions/entity-history.ts';
import type { PanelChanges } from '../subscriptions/net-changes.ts';

const isUncertain = ({ from }: EntityChange): boolean => from === 'unknown';

/** What a report holds of a panel, in its order: each list in words, and its changes. */
const lists = [
  ['now green', ({ nowGreen }) => nowGreen.filter((change) => !isUncertain(change))],
  ['rated green, perhaps green before', ({ nowGreen }) => nowGreen.filter(isUncertain)],
  ['no longer green', ({ noLongerGreen }) => noLongerGreen],
  [
    'not green, perhaps green before',
    ({ otherRatings, removed }) => [...otherRatings, ...removed].filter(isUncertain),
  ],
  ['other change of rating', ({ otherRatings }) => otherRatings],
  ['added', ({ added }) => added],
  ['removed', ({ removed }) => removed],
  ['changed and changed back', ({ changedBack }) => changedBack],
] as const satisfies readonly (readonly [
  string,
  (changes: Pick<PanelChanges, Lists>) => readonly EntityChange[],
])[];

type Lists = {
  readonly [Name in keyof PanelChanges]: PanelChanges[Name] extends readonly EntityChange[] ? Name : never;
}[keyof PanelChanges];

/** What a list of a report holds, in words. */
export type ReportListWords = (typeof lists)[number][0];

/** Changed entities of a panel, with what happened to them in words. */
export interface ReportList {
  readonly what: ReportListWords;
  readonly changes: readonly EntityChange[];
}

/** The lists about green, of what may have been green too: what a laboratory asks for first. */
export const greenListWords = [
  'now green',
  'rated green, perhaps green before',
  'no longer green',
  'not green, perhaps green before',
] as const satisfies readonly ReportListWords[];

/** The changed entities of a panel, each once, under the first list that has it; every list, also the empty ones. */
export function reportLists(panel: PanelChanges): readonly ReportList[] {
  const listed = new Set<EntityChange>();
  return lists.map(([what, changesOf]) => {
    const changes = [...new Set(changesOf(panel))].filter((change) => !listed.has(change));
    for (const change of changes) listed.add(change);
    return { what, changes };
  });
}

/** How many changes of all panels a list has. */
export const countOfList = (panels: readonly PanelChanges[], list: ReportListWords): number =>
  panels.reduce(
    (total, panel) => total + (reportLists(panel).find(({ what }) => what === list)?.changes.length ?? 0),
    0,
  );
