import {
  createSimulatedCatalogue,
  nextMajor,
  nextMinor,
  type SimulatedCatalogue,
  type SimulatedPanel,
} from '../reconcile/simulated-catalogue.ts';

/** A catalogue that changes with and without rows; every change is recognised by a value of its own. */
export interface ChangingCatalogue {
  readonly catalogue: SimulatedCatalogue;
  /** Makes one change, at this moment; with a row until there is a listing that a sweep can compare. */
  change(): void;
  isListed: boolean;
  /** The texts of the rows that were written. */
  readonly rows: readonly string[];
  /** Panels of which a region was rated without a row more than once. */
  readonly ratedSilentlyAgain: ReadonlySet<number>;
  /** Promotions, tags and names that came about without a row, as `factsIn` names them, and are still so. */
  silentFacts(): readonly string[];
}

const PANELS = 8;

const lists = {
  1: 'Red List (low evidence)',
  2: 'Amber List (moderate evidence)',
  3: 'Green List (high evidence)',
} as const;

/** The catalogue of one run. */
export function createChangingCatalogue(seed: number): ChangingCatalogue {
  const catalogue = createSimulatedCatalogue(seed, 12);
  const { log } = catalogue;
  const { random } = log;
  const rows: string[] = [];
  const silent: { readonly panel: SimulatedPanel; readonly fact: string; isSo(): boolean }[] = [];
  const ratedSilently = new Set<number>();
  const ratedSilentlyAgain = new Set<number>();
  const write = (panel: SimulatedPanel, text: string, entity = false): void => {
    const [region] = panel.held;
    const about = entity &&
      region && { item_type: 'entity', entity_name: region.entity_name, entity_type: 'region' };
    rows.push(text);
    catalogue.write(panel, text, about || {});
  };
  let made = 0;
  /** Rates the first region of a panel otherwise, in a new version. */
  const rate = (panel: SimulatedPanel): { readonly name: string; readonly list: string } | undefined => {
    const [region] = panel.held;
    if (!region) return undefined;
    const others = Object.entries(lists).filter(([level]) => level !== region.confidence_level);
    const [level, list] = others[Math.floor(random() * others.length)] ?? ['3', lists[3]];
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    region.confidence_level = level;
    return { name: region.entity_name, list };
  };

  const logged: readonly ((panel: SimulatedPanel) => void)[] = [
    (panel) => write(panel, `commented on region: ${panel.held[0]?.entity_name}: remark ${made}`, true),
    (panel) => {
      catalogue.setVersion(panel, nextMajor(panel.listed.version));
      write(panel, `promoted panel to version ${panel.listed.version}`);
    },
    (panel) => {
      const [region] = panel.held;
      if (!region) return;
      catalogue.setVersion(panel, nextMinor(panel.listed.version));
      region.tags = [...region.tags, `tag-${made}`];
      write(panel, `Tag tag-${made} tag was added to Region: ${region.entity_name}.`, true);
    },
    (panel) => {
      const rated = rate(panel);
      if (rated) write(panel, `Classified Region: ${rated.name} as ${rated.list}`, true);
    },
  ];
  const unlogged: readonly ((panel: SimulatedPanel) => void)[] = [
    (panel) => {
      catalogue.setVersion(panel, nextMajor(panel.listed.version));
      const { version } = panel.listed;
      silent.push({
        panel,
        fact: `${panel.id} promoted ${version.split('.')[0]}`,
        isSo: () => panel.listed.version.split('.')[0] === version.split('.')[0],
      });
    },
    (panel) => {
      const [region] = panel.held;
      if (!region) return;
      const tag = `quiet-${made}`;
      region.tags = [...region.tags, tag];
      silent.push({ panel, fact: `${panel.id} tag ${tag}`, isSo: () => region.tags.includes(tag) });
    },
    (panel) => {
      (ratedSilently.has(panel.id) ? ratedSilentlyAgain : ratedSilently).add(panel.id);
      rate(panel);
    },
  ];

  for (let id = 1; id <= PANELS; id += 1) catalogue.addPanel(id, `Panel ${id}`);
  for (const panel of catalogue.panels.values()) {
    catalogue.write(panel, 'promoted panel to version 1.0', { at: log.now - 3_600_000_000n });
  }
  return {
    isListed: false,
    catalogue,
    rows,
    ratedSilentlyAgain,
    change() {
      made += 1;
      log.clock.pass(1 + Math.floor(random() * 5000));
      const panel = catalogue.panels.get(1 + Math.floor(random() * PANELS));
      const changes = this.isListed ? [...logged, ...unlogged] : logged;
      if (panel) changes[Math.floor(random() * changes.length)]?.(panel);
    },
    silentFacts: () => silent.filter(({ isSo }) => isSo()).map(({ fact }) => fact),
  };
}
