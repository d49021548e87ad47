import type { Rating } from '../../lambdas/events/changes.ts';
import {
  nextMajor,
  nextMinor,
  regionNamed,
  type SimulatedCatalogue,
  type SimulatedPanel,
} from './simulated-catalogue.ts';

/** Actions of curators in a simulated catalogue: with rows, and without. */

const lists: Readonly<Record<string, string>> = {
  3: 'Green List (high evidence)',
  2: 'Amber List (moderate evidence)',
  1: 'Red List (low evidence)',
};

/** A panel that a curator changes. */
interface Changing {
  readonly catalogue: SimulatedCatalogue;
  readonly panel: SimulatedPanel;
  /** When the transaction began: its rows have this time. */
  readonly at: bigint;
  readonly random: () => number;
  /** The genes of the panel as they are. A listing does not show them. */
  readonly genes: Map<string, Rating>;
}

const regionIn = ({ held }: SimulatedPanel) => {
  const region = held[0];
  if (!region) throw new Error('the panel holds no region');
  return region;
};

/** Changes with rows, which show up at the end of their transaction. */
export const logged: Readonly<Record<string, (changing: Changing) => void>> = {
  rate: ({ catalogue, panel, at }) => {
    const region = regionIn(panel);
    region.confidence_level = region.confidence_level === '3' ? '1' : '3';
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    catalogue.write(panel, `Classified Region: ${region.entity_name} as ${lists[region.confidence_level]}`, {
      ...aboutRegion(panel),
      at,
    });
  },
  promote: ({ catalogue, panel, at }) => {
    catalogue.setVersion(panel, nextMajor(panel.listed.version));
    catalogue.write(panel, `promoted panel to version ${panel.listed.version}`, { at });
  },
  rename: ({ catalogue, panel, at }) => {
    const before = panel.listed.name;
    panel.listed.name = `Panel ${panel.id}, ${catalogue.log.now}`;
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    catalogue.write(panel, `Panel name changed from ${before} to ${panel.listed.name}`, { at });
  },
  'remove and add a region': ({ catalogue, panel, at }) => {
    const removed = panel.held.length > 1 ? panel.held.pop() : undefined;
    if (removed) catalogue.write(panel, `removed region:${removed.entity_name} from the panel`, { at });
    else panel.held.push(regionNamed(`ISCA-${catalogue.log.now}`));
  },
  tag: ({ catalogue, panel, at }) => {
    const region = regionIn(panel);
    region.tags = [...region.tags, `tag-${catalogue.log.now}`];
    const text = `Tag ${region.tags.at(-1)} tag was added to Region: ${region.entity_name}.`;
    catalogue.write(panel, text, { ...aboutRegion(panel), at });
  },
  'clear all sources': ({ catalogue, panel, at }) => {
    const region = regionIn(panel);
    region.confidence_level = '0';
    catalogue.write(panel, `All sources for Region: ${region.entity_name} were removed`, {
      ...aboutRegion(panel),
      at,
    });
  },
};

const aboutGene = (name: string) => ({ item_type: 'entity', entity_name: name, entity_type: 'gene' });

/** One of the genes of a panel. */
function geneIn({ genes, random }: Changing): string | undefined {
  return [...genes.keys()][Math.floor(random() * genes.size)];
}

/** Changes of genes, which have rows alone. */
export const ofGenes: Readonly<Record<string, (changing: Changing) => void>> = {
  add: ({ catalogue, panel, at, genes, random }) => {
    const name = `GENE${catalogue.log.now}`;
    const [rating, list] = random() < 0.7 ? (['green', 'Green'] as const) : (['red', 'Red'] as const);
    genes.set(name, rating);
    panel.genes += 1;
    const added = `gene: ${name} was added\ngene: ${name} was added to ${panel.listed.name}.`;
    catalogue.write(panel, `${added} Sources: Expert Review ${list}`, { ...aboutGene(name), at });
  },
  rate: (changing) => {
    const { catalogue, panel, at, genes } = changing;
    const name = geneIn(changing);
    if (!name) return;
    const to = genes.get(name) === 'green' ? 'red' : 'green';
    genes.set(name, to);
    const list = lists[to === 'green' ? '3' : '1'];
    catalogue.write(panel, `Classified gene: ${name} as ${list}`, { ...aboutGene(name), at });
  },
  replace: (changing) => {
    const { catalogue, panel, at, genes } = changing;
    const before = geneIn(changing);
    if (!before) return;
    const name = `GENE${catalogue.log.now}`;
    genes.set(name, genes.get(before) ?? 'none');
    genes.delete(before);
    catalogue.write(panel, `${before} was changed to ${name}`, { ...aboutGene(name), at });
  },
  'clear all sources': (changing) => {
    const { catalogue, panel, at, genes } = changing;
    const name = geneIn(changing);
    if (!name) return;
    genes.set(name, 'red');
    catalogue.write(panel, `All sources for gene: ${name} were removed`, { ...aboutGene(name), at });
  },
  remove: (changing) => {
    const { catalogue, panel, at, genes } = changing;
    const name = geneIn(changing);
    if (!name) return;
    genes.delete(name);
    panel.genes -= 1;
    catalogue.write(panel, `removed gene:${name} from the panel`, { at });
  },
};

/** Changes without a row. */
export const silent: Readonly<Record<string, (changing: Changing) => void>> = {
  rate: ({ panel }) => {
    const region = regionIn(panel);
    region.confidence_level = region.confidence_level === '2' ? '1' : '2';
  },
  promote: ({ catalogue, panel }) => catalogue.setVersion(panel, nextMajor(panel.listed.version)),
  'raise the version': ({ catalogue, panel }) => catalogue.setVersion(panel, nextMinor(panel.listed.version)),
  'set the version back': ({ catalogue, panel }) => {
    const [major = 1, minor = 0] = panel.listed.version.split('.').map(Number);
    if (minor > 0) catalogue.setVersion(panel, `${major}.${minor - 1}`);
  },
  rename: ({ catalogue, panel }) => {
    panel.listed.name = `Panel ${panel.id}; ${catalogue.log.now}`;
  },
  tag: ({ catalogue, panel }) => {
    regionIn(panel).tags = [`silent-${catalogue.log.now}`];
  },
};

const aboutRegion = (panel: SimulatedPanel) => ({
  item_type: 'entity',
  entity_name: regionIn(panel).entity_name,
  entity_type: 'region',
});
