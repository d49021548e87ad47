import type { Panel } from '../catalogue/schemas.ts';
import type { PanelFacts } from '../events/schemas.ts';

/** The facts of a listed panel that events carry. */
export function factsOf(panel: Panel): PanelFacts {
  const types = panel.types.map(({ slug }) => slug);
  return {
    types,
    diseaseGroup: panel.disease_group,
    diseaseSubGroup: panel.disease_sub_group,
    relevantDisorders: panel.relevant_disorders,
    signedOff: signedOffBy(types),
  };
}

/** Whether one of a panel's types, by their slugs, says that it is signed off. */
export function signedOffBy(types: readonly string[]): boolean {
  return types.some((slug) => /(?:^|-)signed-off$/.test(slug));
}
