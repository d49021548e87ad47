import { identityOf } from '../../panels/entity-identity.ts';
import { CasesError } from '../impact/cases-error.ts';
import { impactOf } from '../impact/impact.ts';
import type { Counted } from '../impact/impact-states.ts';
import type { RecognisedCases } from '../impact/read-cases.ts';
import { statesOfCases } from '../impact/states-of-cases.ts';
import type { CaseCounts } from './entry-rows.ts';
import { changeDirections } from './worklist-change.ts';
import type { WorklistEntry } from './worklist-entry.ts';

interface CountedCases extends Pick<RecognisedCases, 'read'> {
  readonly counts: Counted;
}

/** The counts of entries, and what keeps them from being whole. */
interface CountedEntries {
  readonly counts: CaseCounts;
  /** A sentence where something is unknown of some cases; null where nothing is. */
  readonly limit: string | null;
}

/**
 * How many cases of a file each entry concerns: counts alone, no case is named or kept. An entry without a number of its own, such as
 * one that is about a whole panel, has none.
 * @throws {CasesError} when the file cannot be used
 * @throws {StateError} when the states of panels cannot be read
 */
export async function caseCountsOf(
  entries: readonly WorklistEntry[],
  { read, counts }: CountedCases,
  states: Parameters<typeof statesOfCases>[0],
): Promise<CountedEntries> {
  const impact = await impactOf(read(), statesOfCases(states, counts));
  if (impact.cases === 0) throw new CasesError('Reading the cases: the file holds no case.');
  const byEffect = new Map<string, number>();
  for (const { effect, cases: some } of impact.effects) {
    // A change is found by the id of its gene, and by its name where the entry has no id.
    for (const hgncId of new Set([effect.hgncId, null]))
      byEffect.set(keyOf(effect.change, effect.panelId, { ...effect, hgncId }), some);
  }
  const counted = new Map<string, { readonly cases: number; readonly unknown: number }>();
  for (const { id, kind, panel, entity, catalogue } of entries) {
    const direction = changeDirections[kind];
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
