import { impactOf } from '../../lambdas/impact/impact.ts';
import { readCases } from '../../lambdas/impact/read-cases.ts';
import { type Counted, statesOfCases } from '../../lambdas/impact/states-of-cases.ts';
import { identityOf } from '../../lambdas/panel-states/entity-identity.ts';
import type { CaseCounts } from '../../lambdas/worklist/entry-rows.ts';
import type { WorklistChange } from '../../lambdas/worklist/worklist-change.ts';
import type { WorklistEntry } from '../../lambdas/worklist/worklist-entry.ts';
import { UsageError } from '../command.ts';
import { caseFile, readColumns } from '../impact/case-file.ts';

interface CountedCases {
  /** The file of cases. */
  readonly file: string;
  readonly columns: string | undefined;
  readonly counts: Counted;
  readonly stdin: Parameters<typeof caseFile>[1]['stdin'];
}

/** The direction of each kind of change, as `impact` names it; null where it has none. */
const directions: Readonly<Record<WorklistChange['kind'], 'now green' | 'no longer green' | null>> = {
  'now-green': 'now green',
  'signed-off-as-green': 'now green',
  'no-longer-green': 'no longer green',
  'no-longer-signed-off-as-green': 'no longer green',
  'sign-off-not-compared': null,
  'sign-off-withdrawn': null,
  'other-change': null,
};

/** The counts of entries, and what keeps them from being whole. */
interface CountedEntries {
  readonly counts: CaseCounts;
  /** A sentence where something is unknown of some cases; null where nothing is. */
  readonly limit: string | null;
}

/**
 * How many cases of a file each entry concerns: counts alone, no case is named or kept. An entry without a number of its own, such as
 * one that is about a whole panel, has none.
 * @throws {UsageError | CasesError} when the file cannot be used
 * @throws {StateError} when the states of panels cannot be read
 */
export async function caseCountsOf(
  entries: readonly WorklistEntry[],
  { file, columns, counts, stdin }: CountedCases,
  states: Parameters<typeof statesOfCases>[0],
): Promise<CountedEntries> {
  const cases = readCases(caseFile(file, { stdin }), readColumns(columns));
  const impact = await impactOf(cases, statesOfCases(states, counts));
  if (impact.cases === 0) throw new UsageError(`--cases ${JSON.stringify(file)}: it holds no case`);
  const byEffect = new Map<string, number>();
  for (const { effect, cases: some } of impact.effects) {
    // A change is found by the id of its gene, and by its name where the entry has no id.
    for (const hgncId of new Set([effect.hgncId, null]))
      byEffect.set(keyOf(effect.change, effect.panelId, { ...effect, hgncId }), some);
  }
  const counted = new Map<string, { readonly cases: number; readonly unknown: number }>();
  for (const { id, kind, panel, entity, catalogue } of entries) {
    const direction = directions[kind];
    if (catalogue !== states.opened.catalogue) continue;
    if (direction === null || panel.id === null || entity === null) continue;
    const some =
      byEffect.get(keyOf(direction, panel.id, entity)) ??
      byEffect.get(keyOf(direction, panel.id, { ...entity, hgncId: null }));
    counted.set(id, { cases: some ?? 0, unknown: impact.withUnknown });
  }
  const limit =
    impact.withUnknown === 0
      ? null
      : `Something is unknown of ${impact.withUnknown} of ${impact.cases} cases, so each entry may concern more cases than are counted: "impact --cases" says why.`;
  return { counts: counted, limit };
}

const keyOf = (change: string, panelId: number, entity: Parameters<typeof identityOf>[0]): string =>
  `${change} ${panelId} ${identityOf(entity)}`;
