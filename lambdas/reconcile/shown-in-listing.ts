import type { Count, EntityFacts, PanelFacts, Shown, ShownEntity, ShownPanel } from '../differences/shown.ts';
import type { KnownPanel, ListedRegion } from './listed.ts';

/** A panel that was never listed: it was not public, and nothing else is known of it. */
export const neverListed: ShownPanel = { facts: { visible: false }, entities: [], whole: [] };

/** A panel that is not listed any more. */
export const notListed: ShownPanel = neverListed;

/** What a listing shows of a panel; of its entities, only the regions. `nameOf` gives the name of a panel by its id. */
export function shownInListing(known: KnownPanel, nameOf: (id: number) => string): ShownPanel {
  return {
    facts: panelFactsOf(known, nameOf),
    entities: known.regions.map(shownRegion),
    whole: known.regionsUnread ? [] : ['region'],
  };
}

function panelFactsOf(known: KnownPanel, nameOf: (id: number) => string): Shown<PanelFacts> {
  const { panel, expected, lastListedAt } = known;
  const isSuperPanel = (panel.childPanels ?? []).length > 0;
  // The numbers of a super panel follow from those of its panels, and the regions are compared one by one.
  const count = (shown: number | null, before: number | undefined): Count | undefined =>
    shown === null || isSuperPanel ? undefined : { shown, expected: before ?? shown };
  return {
    visible: lastListedAt === undefined,
    version: panel.version,
    name: panel.name,
    description: panel.description ?? undefined,
    status: panel.status,
    types: panel.types.map(({ name }) => name),
    diseaseGroup: panel.diseaseGroup,
    diseaseSubGroup: panel.diseaseSubGroup,
    relevantDisorders: panel.relevantDisorders,
    childPanels: panel.childPanels?.map(nameOf),
    numberOfGenes: count(panel.genes, expected?.genes),
    numberOfStrs: count(panel.strs, expected?.strs),
    numberOfRegions: undefined,
  };
}

function shownRegion(region: ListedRegion): ShownEntity {
  return { type: 'region', name: region.name, facts: regionFacts(region) };
}

function regionFacts(region: ListedRegion): Shown<EntityFacts> {
  return {
    rating: region.rating,
    tags: region.tags,
    sources: region.sources,
    modeOfInheritance: region.modeOfInheritance || null,
    modeOfPathogenicity: region.modeOfPathogenicity || null,
    penetrance: region.penetrance || null,
    phenotypes: region.phenotypes,
    publications: region.publications,
    transcript: undefined,
    gene: region.gene,
    verboseName: region.verboseName || null,
    chromosome: region.chromosome || null,
    grch37: region.grch37?.join('-') ?? null,
    grch38: region.grch38?.join('-') ?? null,
    repeatedSequence: undefined,
    normalRepeats: undefined,
    pathogenicRepeats: undefined,
    haploinsufficiency: region.haploinsufficiency || null,
    triplosensitivity: region.triplosensitivity || null,
    requiredOverlap: region.requiredOverlap?.toString() ?? null,
    variantType: region.variantType,
  };
}
