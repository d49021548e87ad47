import { CatalogueError } from '../../lambdas/catalogue/http/access.ts';
import type { PanelEvent } from '../../lambdas/events/schemas.ts';
import { minutes } from '../../lambdas/run/instant.ts';
import { seededRandom } from '../../sandbox/software/values.ts';
import { brokenChains } from '../oracle/broken-chains.ts';
import {
  nextMajor,
  nextMinor,
  regionNamed,
  type SimulatedCatalogue,
  type SimulatedPanel,
} from './simulated-catalogue.ts';
import { createSweepHarness } from './sweep-harness.ts';

/** What went wrong in a simulation run; all empty in a run where the sweep did its work. */
export interface SweepRun {
  /** Statements that were due and were not published. */
  readonly missing: readonly string[];
  /** Statements that were published and were not due, or once too often. */
  readonly surplus: readonly string[];
  /** Ids that were accepted with two bodies. */
  readonly contradictions: readonly string[];
  /** Events that state another rating before than the event before them led to. */
  readonly contradicted: readonly string[];
  /** Statements due of changes without a row. */
  readonly silent: number;
  /** Changes whose rows showed up hours or days late. */
  readonly surfacing: number;
  /** Sweeps that let panels wait, because rows written while they were hidden were still searched. */
  readonly awaited: number;
  readonly sweeps: number;
  readonly crashes: number;
  /** Sweeps that read a part of the listings: the catalogue asked to wait, or they had used up their requests. */
  readonly interrupted: number;
}

interface SimulationOptions {
  readonly crashes?: number;
  /** Days pass between steps, panels change while they are hidden, and rows show up days late. */
  readonly days?: boolean;
  /** Rows on a page of the log: the fewer, the more polls a search takes. */
  readonly pageSize?: number;
  /** Pages that a sweep may spend on a search: with fewer than ten it leaves each search to the polls. */
  readonly searchPages?: number;
  /** Whether a person moves the mark back meanwhile, so that rows are published again. */
  readonly movesMark?: boolean;
}

class Crash extends Error {}

/** A change of a panel: it alters the catalogue, writes its row if it has one, and returns what is due to be published. */
type Change = (panel: SimulatedPanel, catalogue: SimulatedCatalogue) => readonly string[];

const regionOf = ({ held }: SimulatedPanel) => {
  const region = held[0];
  if (!region) throw new Error('the panel holds no region');
  return region;
};
const aboutRegion = (panel: SimulatedPanel) => ({
  item_type: 'entity',
  entity_name: regionOf(panel).entity_name,
  entity_type: 'region',
});

/** Changes with a row: the log publishes them, and the sweep nothing. */
const logged: Readonly<Record<string, Change>> = {
  promote: (panel, catalogue) => {
    catalogue.setVersion(panel, nextMajor(panel.listed.version));
    catalogue.write(panel, `promoted panel to version ${panel.listed.version}`);
    return [`log panel.promoted ${panel.id} ${panel.listed.version}`];
  },
  rename: (panel, catalogue) => {
    const before = panel.listed.name;
    panel.listed.name = `Panel ${panel.id}, ${catalogue.log.clock.now()}`;
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    catalogue.write(panel, `Panel name changed from ${before} to ${panel.listed.name}`);
    return [`log panel.changed ${panel.id} name`];
  },
  rate: (panel, catalogue) => {
    const region = regionOf(panel);
    region.confidence_level = region.confidence_level === '3' ? '1' : '3';
    const list = region.confidence_level === '3' ? 'Green List (high evidence)' : 'Red List (low evidence)';
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    catalogue.write(panel, `Classified Region: ${region.entity_name} as ${list}`, aboutRegion(panel));
    return [`log entity.classified ${panel.id}`];
  },
  tag: (panel, catalogue) => {
    const region = regionOf(panel);
    region.tags = [...region.tags, `tag-${catalogue.log.clock.now()}`];
    catalogue.write(
      panel,
      `Tag ${region.tags.at(-1)} tag was added to Region: ${region.entity_name}.`,
      aboutRegion(panel),
    );
    return [`log entity.tags-changed ${panel.id}`];
  },
  'remove a gene': (panel, catalogue) => {
    panel.genes -= 1;
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    catalogue.write(panel, `removed gene:GENE${panel.genes} from the panel`);
    return [`log entity.removed ${panel.id}`];
  },
};

/** Changes without a row: the sweep publishes each once. */
const silent: Readonly<Record<string, Change>> = {
  promote: (panel, catalogue) => {
    catalogue.setVersion(panel, nextMajor(panel.listed.version));
    return [`listing panel.promoted ${panel.id} ${panel.listed.version}`];
  },
  'raise the version': (panel, catalogue) => {
    catalogue.setVersion(panel, nextMinor(panel.listed.version));
    return [`listing panel.changed ${panel.id} version`];
  },
  'edit the name and group': (panel, catalogue) => {
    panel.listed.name = `Panel ${panel.id}; ${catalogue.log.clock.now()}`;
    panel.listed.disease_group = `Group ${catalogue.log.clock.now()}`;
    return [`listing panel.changed ${panel.id} name`, `listing panel.changed ${panel.id} diseaseGroup`];
  },
  'give or take the type of signed-off panels': (panel) => {
    const type = { name: 'GMS signed-off', slug: 'gms-signed-off', description: '' };
    const held = panel.listed.types.some(({ slug }) => slug === type.slug);
    panel.listed.types = held
      ? panel.listed.types.filter(({ slug }) => slug !== type.slug)
      : [...panel.listed.types, type];
    return [`listing panel.changed ${panel.id} types`];
  },
  'clear sources': (panel, catalogue) => {
    const region = regionOf(panel);
    region.confidence_level = region.confidence_level === '2' ? '1' : '2';
    catalogue.write(
      panel,
      `Source: Expert Review Green was removed from Region: ${region.entity_name}`,
      aboutRegion(panel),
    );
    return [`log entity.annotated ${panel.id}`, `listing entity.classified ${panel.id}`];
  },
  'clear phenotypes': (panel, catalogue) => {
    regionOf(panel).phenotypes = [`cleared at ${catalogue.log.clock.now()}`];
    return [`listing entity.annotated ${panel.id} phenotypes`];
  },
  'rename a tag': (panel, catalogue) => {
    regionOf(panel).tags = [`renamed-${catalogue.log.clock.now()}`];
    return [`listing entity.tags-changed ${panel.id}`];
  },
  'add a region': (panel, catalogue) => {
    panel.held.push(regionNamed(`ISCA-${catalogue.log.clock.now()}`));
    return [`listing entity.added ${panel.id}`, `listing entity.classified ${panel.id}`];
  },
  'edit the description': ({ id, listed }, catalogue) => {
    listed.description = `Described at ${catalogue.log.clock.now()}`;
    return [`listing panel.changed ${id} description`];
  },
  'edit the types': ({ id, listed }) => {
    const type = { name: 'Cancer', slug: 'cancer', description: '' };
    const others = listed.types.filter(({ slug }) => slug !== type.slug);
    listed.types = others.length < listed.types.length ? others : [type, ...others];
    return [`listing panel.changed ${id} types`];
  },
  'move a region': (panel, catalogue) => {
    const region = regionOf(panel);
    const at = catalogue.log.clock.now();
    region.grch38_coordinates = [at, at + 1];
    region.haploinsufficiency_score = `${at}`;
    region.required_overlap_percentage = at % 100_000;
    region.type_of_variants = region.type_of_variants === 'cnv_loss' ? 'cnv_gain' : 'cnv_loss';
    region.mode_of_inheritance = `Mode ${at}`;
    const fields = ['coordinates', 'dosage', 'requiredOverlapPercentage', 'variantType', 'modeOfInheritance'];
    return fields.map((field) => `listing entity.annotated ${panel.id} ${field}`);
  },
  'remove a region': (panel) => {
    if (panel.held.length < 2) return [];
    panel.held.pop();
    return [`listing entity.removed ${panel.id}`];
  },
  'genes appear': (panel) => {
    panel.genes += 1;
    return [`listing panel.changed ${panel.id} numberOfGenes`];
  },
};

/** Lets a catalogue change with and without rows while it is polled and swept, and looks what was published. */
export async function simulateSweeps(
  seed: number,
  {
    crashes = 0.01,
    days = false,
    pageSize = 20,
    searchPages = 10,
    movesMark = false,
  }: SimulationOptions = {},
): Promise<SweepRun> {
  let calm = false;
  let crashed = 0;
  const harness = createSweepHarness({
    seed,
    pageSize,
    searchPages,
    step: async (name) => {
      if (calm || random() >= crashes) return;
      crashed += 1;
      throw new Crash(name);
    },
  });
  const { catalogue } = harness;
  const { random, clock } = catalogue.log;
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  for (let id = 1; id <= 9; id += 1) catalogue.addPanel(id, `Panel ${id}`);
  for (const panel of catalogue.panels.values()) {
    catalogue.write(panel, 'promoted panel to version 1.0');
    clock.pass(10);
  }
  calm = true;
  await harness.poll();
  await harness.sweep();
  calm = false;

  // Of its own, so that a seed has the same changes with and without moves.
  const moves = seededRandom(seed * 19 + 11);
  // What was written before is not published.
  const begun = harness.table.position?.mark ?? 0n;

  const due: string[] = [];
  const changedWhileHidden = new Set<number>();
  let [surfacing, awaited, interrupted] = [0, 0, 0];
  /** Panels that changed since the last sweep that ended, by the number of that sweep. */
  const touched = new Map<number, number>();
  let sweeps = 0;
  let ended = 0;
  const changeOne = (): void => {
    const panel = pick([...catalogue.panels.values()].filter(({ id }) => !touched.has(id)));
    if (!panel) return;
    touched.set(panel.id, sweeps);
    const hidden = catalogue.log.hidden.has(panel.id);
    if (hidden && random() < 0.5) {
      show(panel);
      return;
    }
    if (hidden && days && random() < 0.7 && !changedWhileHidden.has(panel.id)) {
      changedWhileHidden.add(panel.id);
      surfacing += 1;
      touched.delete(panel.id);
      // The row that shows the panel again would state the raised version.
      const { 'raise the version': _stated, ...others } = silent;
      due.push(...(pick(Object.values(random() < 0.7 ? logged : others))?.(panel, catalogue) ?? []));
      return;
    }
    if (hidden) return;
    if (random() < 0.1 && mayHide(panel)) {
      if (random() < 0.5) catalogue.write(panel, 'Panel status changed from public to internal');
      hide(panel);
      return;
    }
    if (days && random() < 0.15) {
      surfacing += 1;
      // Less than a week when the next sweep comes, which may be days later: as many rows may vanish as show up.
      const at = catalogue.log.now - BigInt(20 + Math.floor(random() * 3 * 1440)) * 60_000_000n;
      const { start = 0n } = harness.table.position ?? {};
      catalogue.write(panel, 'commented on gene: BRCA1: late', {
        item_type: 'entity',
        entity_name: 'BRCA1',
        entity_type: 'gene',
        at: at < start ? start + BigInt(due.length) : at,
      });
      due.push(`log entity.commented ${panel.id}`);
      unread.add(panel.id);
      return;
    }
    const change = pick(Object.values(random() < 0.5 ? logged : silent));
    due.push(...(change?.(panel, catalogue) ?? []));
  };
  /** Panels with a late row that no poll has read: hidden before that, they would take it with them unseen. */
  const unread = new Set<number>();
  const pollOnce = async (): Promise<void> => {
    if (await attempt(harness.poll)) unread.clear();
  };
  /** A listing that lost more than half of its panels or regions is not trusted. */
  const mayHide = (panel: SimulatedPanel): boolean => {
    if (unread.has(panel.id)) return false;
    const all = [...catalogue.panels.values()];
    const left = all.filter(({ id }) => id !== panel.id && !catalogue.log.hidden.has(id));
    const regionsOf = (panels: readonly SimulatedPanel[]): number =>
      panels.reduce((sum, { held }) => sum + held.length, 0);
    return left.length * 2 >= all.length && regionsOf(left) * 2 >= regionsOf(all);
  };
  const hide = (panel: SimulatedPanel): void => {
    catalogue.show(panel.id, false);
    due.push(`listing panel.withdrawn ${panel.id}`);
  };
  const show = (panel: SimulatedPanel): void => {
    catalogue.show(panel.id, true);
    changedWhileHidden.delete(panel.id);
    if (random() < 0.5) {
      catalogue.write(panel, 'Panel status changed from internal to public');
      due.push(`log panel.published ${panel.id}`);
    } else due.push(`listing panel.published ${panel.id}`);
  };
  catalogue.betweenPages = () => {
    if (!calm && random() < 0.1) changeOne();
    clock.pass(300);
    if (calm || random() >= 0.03) return;
    const notBefore = clock.now() + Math.floor(random() * 1_200_000);
    throw new CatalogueError({ condition: 'NOT_BEFORE', action: 'Listing', seen: 'HTTP 429', notBefore });
  };
  const attempt = async (act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (error) {
      if (error instanceof Crash) return false;
      throw error;
    }
  };
  /** The first of the sweeps whose pages the next one goes on from; null where it begins anew. */
  let readingSince: number | null = null;
  const sweepOnce = async (): Promise<void> => {
    const begun: number = readingSince ?? sweeps;
    sweeps += 1;
    const requests = !calm && random() < 0.1 ? { listingRequests: 2 } : {};
    let outcome = '';
    let awaitedPanels = 0;
    const done = await attempt(async () => {
      ({ outcome, awaitedPanels } = await harness.sweep(requests));
    });
    readingSince = done && !['postponed', 'interrupted'].includes(outcome) ? null : begun;
    if (readingSince !== null && done) interrupted += 1;
    // A panel that came back is compared once its rows are found.
    if (awaitedPanels > 0) awaited += 1;
    if (!done || awaitedPanels > 0 || !['quiet', 'explained', 'published'].includes(outcome)) return;
    ended += 1;
    for (const [id, before] of touched) if (before <= begun && !changedIn(begun, before)) touched.delete(id);
  };
  // A change between the pages of a sweep may show in the next one only.
  const changedIn = (begun: number, before: number): boolean => before > begun;

  /** A panel is hidden for days and gets rows, as another one does that is polled: its return needs a search. */
  const reappearAfterDays = async (panel: SimulatedPanel, other: SimulatedPanel): Promise<void> => {
    calm = true;
    hide(panel);
    clock.pass(3_600_000);
    await sweepOnce();
    for (let day = 0; day < 3; day += 1) {
      due.push(...(logged.tag?.(panel, catalogue) ?? []));
      surfacing += 1;
      clock.pass(86_400_000);
      due.push(...(logged.tag?.(other, catalogue) ?? []));
      await harness.poll();
    }
    touched.set(panel.id, sweeps);
    show(panel);
    clock.pass(60_000);
    await sweepOnce();
    calm = false;
  };

  const [first, second] = [...catalogue.panels.values()];
  if (days && first && second) await reappearAfterDays(first, second);
  for (let step = 0; step < 14; step += 1) {
    const changes = Math.floor(random() * 4);
    for (let count = 0; count < changes; count += 1) {
      changeOne();
      clock.pass(Math.floor(random() * 120_000));
    }
    if (movesMark && moves() < 0.2) await harness.moveMarkBack(minutes(Math.floor(moves() * 120)), begun);
    if (random() < 0.6) await pollOnce();
    clock.pass(Math.floor(random() * 300_000));
    if (random() < 0.5) await sweepOnce();
    clock.pass(Math.floor(random() * 1_200_000));
    if (days && random() < 0.3) clock.pass(Math.floor(random() * 3 * 86_400_000));
  }
  calm = true;
  // Longer than the catalogue asks to wait.
  clock.pass(1_260_000);
  await harness.poll();
  for (let last = 0; last < 3; last += 1) {
    clock.pass(60_000);
    await harness.sweep();
  }
  if (days) {
    for (const id of [...catalogue.log.hidden]) show(catalogue.panels.get(id) as SimulatedPanel);
    for (let last = 0; last < 12; last += 1) {
      clock.pass(3_600_000);
      await harness.poll();
      await harness.sweep();
    }
  }

  const bodies = new Map<string, Set<string>>();
  for (const { id, body } of harness.accepted) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  const events = [...bodies.values()].flatMap(([body]) => (body ? [JSON.parse(body) as PanelEvent] : []));
  const published = events.flatMap(statementsOf);
  return {
    missing: without(due, published),
    surplus: without(published, due),
    contradictions: [...bodies].filter(([, all]) => all.size > 1).map(([id]) => id),
    contradicted: brokenChains(harness.accepted, { lateRowsBetween: true }),
    surfacing,
    awaited,
    interrupted,
    silent: due.filter((statement) => statement.startsWith('listing')).length,
    sweeps: ended,
    crashes: crashed,
  };
}

/** What an event states, in the words of the changes above. */
function statementsOf({ type, data: { change, panel } }: PanelEvent): readonly string[] {
  const kind = type.slice('gene-panel.'.length, -'.v1'.length);
  const via = 'via' in change && change.via === 'listing' ? 'listing' : 'log';
  const about = `${via} ${kind} ${panel?.id}`;
  if (kind === 'panel.promoted' && 'version' in change) return [`${about} ${change.version}`];
  const fields = kind === 'panel.changed' || (kind === 'entity.annotated' && via === 'listing');
  if (fields && 'changes' in change) return change.changes.map(({ field }) => `${about} ${field}`);
  return [about];
}

/** The statements less one for each of the others. */
function without(statements: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return statements.filter((statement) => {
    const place = left.indexOf(statement);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}
