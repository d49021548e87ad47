import type { PanelFacts } from '../events/schemas.ts';

/** The fields of a panel in `/panels/` that events carry. */
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

/** Whether one of these slugs of panel types means that the panel is signed off. */
export function signedOffBy(types: readonly string[]): boolean {
  return types.some((slug) => /(?:^|-)signed-off$/.test(slug));
}

/** The slug that the catalogue's software makes of the name of a type that no listing showed. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replace(/[^\w\s-]/g, '');
  return plain
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-');
}
