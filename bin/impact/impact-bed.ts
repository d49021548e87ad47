import { identityOf } from '../../lambdas/panels/entity-identity.ts';
import { findState } from '../../lambdas/panels/find-state.ts';
import type { Impact } from '../../lambdas/questions/impact/impact.ts';
import type { Counted } from '../../lambdas/questions/impact/impact-states.ts';
import { countedState } from '../../lambdas/questions/impact/states-of-cases.ts';
import { type assemblies, stateBed } from '../../lambdas/questions/state-bed.ts';
import type { NamedState } from '../../lambdas/questions/state-rows.ts';

interface BedOptions {
  readonly of: Parameters<typeof findState>[2];
  readonly counts: Counted;
  readonly assembly: (typeof assemblies)[number];
}

/**
 * The places of what is green now and was not when cases were analysed, with the panels and versions that say so.
 * @returns the text, and sentences about what has no place
 * @throws {StateError | CatalogueError} when the states cannot be read
 */
export async function impactBed(
  { effects }: Impact,
  { of, counts, assembly }: BedOptions,
): Promise<{ readonly text: string; readonly warnings: readonly string[] }> {
  const green = effects.map(({ effect }) => effect).filter(({ change }) => change === 'now green');
  const states: NamedState[] = [];
  const warnings: string[] = [];
  for (const [id, own] of Map.groupBy(green, ({ panelId }) => panelId)) {
    const [{ panelName: name, version } = { panelName: '', version: '' }] = own;
    const { state } = await findState({ id, name }, countedState(counts), of);
    if (state?.version !== version) {
      warnings.push(
        `${name} (${id}) changed while it was compared; its places are missing. Run the command again.`,
      );
      continue;
    }
    const wanted = new Set(own.map((effect) => identityOf(effect)));
    const entities = state.entities.filter((entity) => wanted.has(identityOf(entity)));
    states.push({ catalogue: of.opened.catalogue, state: { ...state, entities } });
  }
  const { text, unplaced } = stateBed(states, assembly);
  if (unplaced.length > 0)
    warnings.push(
      `${unplaced.length} have no location in ${assembly} and are in the header only: ${unplaced.join(', ')}.`,
    );
  return { text, warnings };
}
