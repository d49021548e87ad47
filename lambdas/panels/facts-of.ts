import type { PanelFacts } from '../events/schemas.ts';

/** What `/panels/` says of a panel, as far as events carry it. */
interface FactSource {
  readonly types: readonly { readonly slug: string }[];
  readonly disease_group: string;
  readonly disease_sub_group: string;
  readonly relevant_disorders: string[];
}

/** The facts of a listed panel that events carry. */
export function factsOf(panel: FactSource, superPanels: PanelFacts['superPanels']): PanelFacts {
  const types = panel.types.map(({ slug }) => slug);
  return {
    types,
    diseaseGroup: panel.disease_group,
    diseaseSubGroup: panel.disease_sub_group,
    relevantDisorders: panel.relevant_disorders,
    signedOff: signedOffBy(types),
    ...(superPanels && { superPanels }),
  };
}

/** Whether one of a panel's types, by their slugs, says that it is signed off. */
export function signedOffBy(types: readonly string[]): boolean {
  return types.some((slug) => /(?:^|-)signed-off$/.test(slug));
}
